"""Gathers every text that can be shown into the catalogues of web/translations: ``python -m web.extract``.

Texts stand in three places: calls of gettext in modules and templates; the rules as data (`records.games`) and the titles of findings,
whose fields are texts; and sentences that `records`, `analysis` and `service` make for reports and errors. Those are found in their
sources and stand in the context `web.language.TOLD`, their gaps as braces. A text that is gone leaves the file.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from analysis.findings import KINDS
from records.games import GAMES
from web.language import LANGUAGES, SOURCE, TOLD, po_file

ROOT = Path(__file__).parent.parent
KEYWORDS = {"_": None, "_l": None, "gettext": None, "_n": (1, 2), "ngettext": (1, 2), "_p": ((1, "c"), 2)}
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
CALLING = ("web", "service")
"""Where gettext is called."""

TELLING = (
    "records/formats/decode.py",
    "records/formats/fields.py",
    "records/formats/koikoi_log.py",
    "records/formats/schema.py",
    "records/formats/sheets.py",
    "records/formats/single.py",
    "records/formats/streams.py",
    "records/formats/text.py",
    "records/games",
    "analysis/possible.py",
    "analysis/rulings.py",
    "analysis/compare.py",
    "service/disputes.py",
    "service/queries.py",
)
"""Modules that make sentences in English which pages show."""

DATA = {"Game", "Point", "Choice", "Option", "YakuRule"}
"""What the rules as data are made of: `rules` gathers it."""

JOINTS = (
    *("{0} and {1}", "{0} or {1}", "{0} after {1}", "after no koi-koi call", "after {0} koi-koi call", "after {0} koi-koi calls"),
    *("the Lightning took {0}", "{0} is with {1}", "none", "nobody", "side {0}", "seat {0}", "Kan"),
    *("Side {0}", "Nobody", "field", "draw pile", "hand {0}"),
)
"""How such sentences are put together."""

_CALLS = "after {0} koi-koi {1}"
"""Stands among the joints by its numbers."""
_SQL = re.compile(r"\b(select|coalesce|lower\(|left\(|where|r\.\w+)\b|\\|\?\)|>=|\[A-Z|(?-i: AND | IS NULL)", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z]{2,}.* .*[A-Za-z]|[A-Za-z]{2,} |[A-Za-z]{2,}.* \{")


def rules() -> Iterator[str]:
    """The texts of every game, and what findings are called."""
    for game in GAMES:
        yield from (game.name, game.text)
        for point in game.points:
            yield from (point.text, point.source)
        for option in game.options:
            yield option.text
            for choice in option.choices:
                yield from (choice.text, choice.source)
        for yaku in game.yaku:
            yield from (yaku.name, yaku.text)
    for kind in KINDS.values():
        yield kind.title


def _template(node: ast.expr) -> str | None:
    """A text as it stands in the source; the values of an f-string become gaps by number."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        made, gaps = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                made += str(part.value).replace("{", "{{").replace("}", "}}")
            else:
                made += f"{{{gaps}}}"
                gaps += 1
        return made
    return None


def _told_in(tree: ast.AST) -> Iterator[str]:
    """Texts of more than one word outside of docstrings and of the rules as data."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in DATA:
        return
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        text = _template(node) if isinstance(node, ast.expr) else None
        if text is None:
            yield from _told_in(node)
        elif _WORDS.search(text) and not _SQL.search(text) and text != _CALLS:
            yield text
        elif isinstance(node, ast.JoinedStr):
            for part in node.values:
                yield from _told_in(part)


def told() -> Iterator[str]:
    """The sentences that are made outside of the pages, and the pieces that they are made of."""
    for place in TELLING:
        path = ROOT / place
        for source in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            yield from _told_in(ast.parse(source.read_text(encoding="utf-8")))
    for kind in KINDS.values():
        yield from kind.wordings
    yield from JOINTS


def _called() -> Iterator[tuple[str | tuple[str, ...], str | None, str]]:
    for package in CALLING:
        found = extract_from_dir(ROOT / package, METHODS, {"**/templates/**.html": {}}, KEYWORDS)
        for name, _line, message, _comments, context in found:
            yield message, context, f"{package}/{name}"


def template() -> Catalog:
    """All texts, untranslated."""
    made = Catalog(project="Hanafu", charset="utf-8", fuzzy=False)
    for message, context, name in _called():
        made.add(message, locations=[(name, 0)], context=context)
    for text in filter(None, rules()):
        made.add(text, auto_comments=["rules"])
    for text in told():
        if text not in made and text == text.strip():
            made.add(text, context=TOLD)
    return made


def update(lang: str, fresh: Catalog) -> list[str]:
    """Brings one language's file up to date; returns the texts that lack a translation."""
    path = po_file(lang)
    kept = Catalog(locale=lang, project="Hanafu", charset="utf-8", fuzzy=False)
    if path.exists():
        with path.open("rb") as source:
            kept = read_po(source, locale=lang)
    kept.update(fresh, no_fuzzy_matching=True)
    kept.revision_date = kept.creation_date = datetime(2026, 1, 1, tzinfo=UTC)
    kept.header_comment = f"# Hanafu's texts, in the language {lang}."
    kept.last_translator = kept.language_team = kept.msgid_bugs_address = "Hanafu contributors"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        write_po(out, kept, width=140, sort_output=True, include_lineno=False, ignore_obsolete=True)
    return [str(each.id) for each in kept if each.id and not _filled(each.string)]


def _filled(found: str | Iterable[str] | None) -> bool:
    return bool(found) if found is None or isinstance(found, str) else all(found)


def main() -> int:
    """Updates every language, and says what is still to be translated."""
    fresh = template()
    lacking = 0
    for lang in LANGUAGES:
        if lang != SOURCE:
            missing = update(lang, fresh)
            lacking += len(missing)
            print(f"{lang}: {len(fresh)} texts, {len(missing)} not translated", *missing[:20], sep="\n  ")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
