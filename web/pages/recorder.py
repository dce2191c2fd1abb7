"""Writing a game down at the table: the recorder, its score sheet, and the worker that keeps both at hand without a network.

The pages hold the record as a list of actions; what is lawful and what it comes to they ask of ``/api/v1/hints`` and ``/api/v1/audits``.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, abort, render_template, request, url_for

from records.formats import read_record, to_json
from records.games import GAMES, game
from records.record import replace
from web import deck, language, recorder_words, sentences, words
from web.pages import blueprint, sprite_address
from web.pages.audit import stored
from web.pages.printed import PAPERS
from web.rulebook import describe, list_variants, plain

SCRIPTS = (
    *("dom", "finish", "grid", "hints", "holding", "keep", "main", "presence"),
    *("queue", "record", "setup", "sheet", "table", "tabs", "turn"),
)
STYLES = ("css/base.css", "css/parts.css", "cards.css", "css/recorder.css")
SEATS = range(min(min(each.seats) for each in GAMES), max(max(each.seats) for each in GAMES) + 1)
"""As many as any game is played by."""
SHARED_PILES = {"option": "team_pile", "value": "shared"}
"""Under which option a side has one pile (record-format.md, 1: `piles`)."""
STATIC = Path(__file__).parents[1] / "static"


@blueprint.get("/record")
def recorder() -> str:
    """The recorder; which game is open stands behind the ``#`` of its address."""
    return render_template("record.html", payload=_payload(), worker=url_for("pages.record_worker"))


@blueprint.get("/record/sheet")
def record_sheet() -> str:
    """The score sheet: rounds down, players across. With ``blank`` (``a4`` or ``letter``) an empty one to print, for ``players``."""
    blank = request.args.get("blank")
    if blank is not None and blank not in PAPERS:
        abort(400, language._("paper must be one of: %(values)s.", values=", ".join(PAPERS)))
    players = request.args.get("players", default=4, type=int)
    if players not in SEATS:
        abort(400, language._("players must be a number from %(least)s to %(most)s.", least=SEATS[0], most=SEATS[-1]))
    return render_template("record_sheet.html", payload=_payload(), blank=PAPERS[blank] if blank else None, players=players)


@blueprint.get("/records/<id>/written.json")
def written(id: str) -> Response:
    """A stored record to be written on: in its canonical form, with the keys of others (``x_…``) that it was sent with."""
    kept = stored(id)
    record = replace(kept.record, extra=read_record(kept.raw).extra)
    return Response(json.dumps(to_json(record), ensure_ascii=False), mimetype="application/json")


@blueprint.get("/record/worker.js")
def record_worker() -> Response:
    """The service worker: the list of what it keeps, and the script. It answers for `/record` alone."""
    files = [url_for("pages.recorder"), url_for("pages.record_sheet"), sprite_address(), *_assets()]
    head = f"const SHELL = {json.dumps(files)};\nconst VERSION = {json.dumps(_version())};\n"
    response = Response(head + (STATIC / "js/recorder/worker.js").read_text(), mimetype="text/javascript")
    response.headers["Service-Worker-Allowed"] = url_for("pages.recorder")
    response.headers["Cache-Control"] = "no-cache"
    return response


def _assets() -> list[str]:
    names = ["js/theme.js", "favicon.svg", "pattern.svg", "js/replay/dom.js", *STYLES, *(f"js/recorder/{name}.js" for name in SCRIPTS)]
    return [url_for("pages.static", filename=name) for name in names if (STATIC / name).is_file()]


@cache
def _version() -> str:
    """Changes with what the worker keeps."""
    names = ["js/recorder/worker.js", *STYLES, *(f"js/recorder/{name}.js" for name in SCRIPTS)]
    found = [(STATIC / name).read_bytes() for name in names if (STATIC / name).is_file()]
    return hashlib.sha256(b"".join(found) + sprite_address().encode()).hexdigest()[:12]


def _payload() -> dict[str, Any]:
    """What the scripts cannot know: the games as data, the cards' names and pictures, the words."""
    return {
        "games": [_game(each["id"]) for each in list_variants()],
        "sprite": sprite_address(),
        **deck.pictures(language.chosen()),
        "verdicts": {id: str(word) for id, word in words.VERDICTS.items()},
        "ends": {id: str(word) for id, word in words.ENDS.items()},
        "faults": sentences.finding_titles(),
        "words": recorder_words.script_words(),
        "hints": "/api/v1/hints",
        "audits": "/api/v1/audits",
        "records": "/api/v1/records",
        "games_at": "/api/v1/games",
        "whoami": "/api/v1/me",
        "pages": {
            "record": url_for("pages.recorder"),
            "sheet": url_for("pages.record_sheet"),
            "kept": url_for("pages.records"),
            "compare": url_for("pages.compare_sheets"),
            "login": "/login",
            "worker": url_for("pages.record_worker"),
        },
    }


def _game(id: str) -> dict[str, Any]:
    """A game as far as a sheet has to know it before the server says more."""
    found = describe(id)
    rules = game(id)
    facts = {
        "stopped": rules.worth is not None,
        "calls": rules.worth is not None,
        "lightning": rules.sheet.lightning,
        "first_great": bool(rules.great),
    }
    return {
        "id": id,
        "name": found["name"],
        "seats": found["seats"],
        "teams": found["teams"],
        "deck": " ".join(code for card in found["cards"] for code in [card["code"]] * card["count"]),
        "deals": found["deals"],
        "facts": [name for name, asked in facts.items() if asked],
        "great": list(rules.great),
        "shared_piles": SHARED_PILES if any(option["id"] == SHARED_PILES["option"] for option in found["options"]) else None,
        "points": any(card["value"] is not None for card in found["cards"]),
        "yaku": [{"id": yaku["id"], "name": yaku["name"]} for yaku in found["yaku"]],
        "options": [
            {
                "id": option["id"],
                "text": option["text"],
                "default": option["default"],
                "values": [{"value": each["value"], "text": plain(each["text"])} for each in option["values"]],
            }
            for option in found["options"]
        ],
    }
