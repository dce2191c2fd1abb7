# `make help` lists the targets. Each needs Python 3.11 or later and make; the rest it fetches into .venv.
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
# The first Python here that is new enough; PYTHON=… names another.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

# The lake's tests have an environment of their own: its DuckDB is of another release.
LAKE := .venv-lake

.PHONY: help serve compile test test-long test-lake check format translations bench lock

help: ## List what make can do
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

serve: $(VENV)/installed ## Serve on http://127.0.0.1:8000 with sample games; the store lies in .hanafu
	@$(BIN)/python -m service.compile --remove-stale
	@mkdir -p .hanafu
	$(BIN)/hanafu serve --samples --db .hanafu/store.duckdb --port $(PORT)

compile: $(VENV)/installed ## Compile the engine with mypyc (needs a C compiler)
	$(BIN)/python -m service.compile

test: $(VENV)/installed ## Run the tests; what this machine lacks is skipped and listed (ARGS="-k …" for some, ARGS=-n0 for one process)
	@$(BIN)/python -m service.compile --remove-stale
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal $(ARGS)

# What has a short form in `make test`: twenty crashes instead of three, five times the requests of the contract, forty times the games of a law.
test-long: $(VENV)/installed ## Run the long forms of crashes, of the API's contract and of the laws (minutes)
	@$(BIN)/python -m service.compile --remove-stale
	HANAFU_CRASHES=20 HANAFU_EXAMPLES=20 HANAFU_LONG=1 $(BIN)/python -m pytest --numprocesses 2 --dist worksteal \
		tests/service/test_serving.py tests/service/test_contract.py tests/records/test_laws.py tests/records/test_naive_scores.py $(ARGS)

test-lake: $(LAKE)/installed ## Run the tests of the lake, in an environment of their own (needs PostgreSQL)
	$(LAKE)/bin/python -m pytest tests/lake --numprocesses 2 --dist worksteal $(ARGS)

check: $(VENV)/installed lint ## Run ruff, mypy, the import contracts and the tests
	@$(MAKE) --no-print-directory test

.PHONY: lint
lint: $(VENV)/installed
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

translations: $(VENV)/installed ## Bring the catalogues of web/translations up to date, and list what is to be translated
	$(BIN)/python -m web.extract

bench: $(VENV)/installed ## Measure reading, replaying and auditing, on the real games of ../shared
	$(BIN)/python -m pytest --benchmark-only tests/benches.py

# $(call locked,FILE,EXTRAS): its heading stays.
define locked
	{ sed '/^[^#]/,$$d' $(1); \
	  uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade \
	    $(addprefix --extra ,$(2)) --no-emit-index-url --no-header --no-annotate --quiet; \
	} > requirements.new && mv requirements.new $(1)
endef

lock: ## Write both requirements.lock anew (needs uv)
	$(call locked,requirements.lock,test dev dask)
	$(call locked,tests/lake/requirements.lock,lake lake-test)

# Two stamps: the packages, then the clone itself (interpreted: `make compile` is a step of its own).
$(VENV)/locked: requirements.lock
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or later is needed; PYTHON=… names one' >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	@touch $@

$(VENV)/installed: $(VENV)/locked pyproject.toml
	HANAFU_INTERPRETED=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --editable .
	@touch $@

$(LAKE)/installed: tests/lake/requirements.lock pyproject.toml
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or later is needed; PYTHON=… names one' >&2; exit 1; }
	test -x $(LAKE)/bin/python || $(PYTHON) -m venv $(LAKE)
	$(LAKE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement tests/lake/requirements.lock
	@touch $@
