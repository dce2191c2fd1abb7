"""Which language a visitor reads: the one chosen on the page, else the browser's, else English (the source); and the words in it.

The catalogues are the .po files of web/translations, read when a language is first asked for: nothing has to be compiled. `web.extract`
gathers what they must hold.
"""

import io
import re
import string
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import flask_babel
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, has_request_context, request
from werkzeug.wrappers import Response

LANGUAGES = {"en": "English", "pt": "Português", "ja": "日本語"}
"""By code, in their own words."""

SOURCE = "en"
COOKIE = "hanafu_language"
FOLDER = Path(__file__).parent / "translations"
TOLD = "told"
"""The context, in the catalogues, of sentences that other packages make in English: their gaps are written `{}` with a name or number."""

A_YEAR = 31_536_000


def po_file(lang: str) -> Path:
    """Where the translations of a language stand."""
    return FOLDER / lang / "LC_MESSAGES" / "messages.po"


@cache
def catalogue(lang: str) -> NullTranslations:
    """The translations of a language; those of the source are none."""
    if lang == SOURCE:
        return NullTranslations()
    with po_file(lang).open("rb") as source:
        read = read_po(source, locale=lang)
    compiled = io.BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return Translations(compiled)


class Catalogues(flask_babel.Domain):  # type: ignore[misc]  # Flask-Babel comes without types
    """Flask-Babel's way to the catalogues above."""

    def get_translations(self) -> NullTranslations:
        """Those of this request."""
        return catalogue(str(flask_babel.get_locale() or SOURCE))


def _(text: str, **values: object) -> str:
    """A text in the visitor's language, with its values."""
    return str(flask_babel.gettext(text, **values))


def _p(context: str, text: str) -> str:
    """A text that means one thing of several: English has one word for what other languages tell apart."""
    return str(flask_babel.get_domain().get_translations().pgettext(context, text))


def _n(one: str, many: str, count: int, **values: object) -> str:
    """A text with a number, as the visitor's language counts; the number is `num`, written as that language writes it."""
    translations = flask_babel.get_domain().get_translations()
    return str(translations.ngettext(one, many, count)) % ({"num": whole(count)} | values)


def _l(text: str) -> Any:
    """A text that is put into the visitor's language when it is shown, for words that stand in a module."""
    return flask_babel.lazy_gettext(text)


def text_of(sentences: Iterable[str]) -> str:
    """Sentences one after the other: Japanese puts no blank behind its full stop."""
    return ("" if chosen() == "ja" else " ").join(sentences)


@cache
def _patterns(lang: str) -> list[tuple[re.Pattern[str], str]]:
    """The told sentences with gaps, the most words first: what finds one, and its translation."""
    found = []
    for key in getattr(catalogue(lang), "_catalog", {}):
        context, mark, text = key.partition("\x04") if isinstance(key, str) else ("", "", "")
        if context == TOLD and mark and "{" in text:
            try:
                parts = list(string.Formatter().parse(text))
            except ValueError:  # a brace that is meant as one: the sentence is known as a whole
                continue
            letters = sum(len(literal) for literal, *_gap in parts)
            pattern = "".join(re.escape(literal) + (f"(?P<g{gap}>.*)" if gap is not None else "") for literal, gap, *_rest in parts)
            found.append((letters, re.compile(pattern, re.DOTALL), text))
    return [(pattern, text) for _letters, pattern, text in sorted(found, key=lambda each: -each[0])]


LONGEST_TOLD = 2_000


def told(text: str) -> str:
    """A sentence that another package made in English, in the visitor's language: as a whole, or by its parts. As it is where no
    catalogue knows it, or it is longer than a sentence is."""
    lang = chosen()
    return text if lang == SOURCE or len(text) > LONGEST_TOLD else _told(text, lang, 3)


def _told(text: str, lang: str, deep: int) -> str:
    known = catalogue(lang)
    for found in (known.pgettext(TOLD, text), known.gettext(text)):
        if text and found != text:
            return str(found)
    if not deep:
        return text
    for pattern, source in _patterns(lang):
        match = pattern.fullmatch(text)
        if match:
            gaps = {name[1:]: _told(value, lang, deep - 1) for name, value in match.groupdict().items()}
            return _Filler().vformat(str(known.pgettext(TOLD, source)), (), gaps)
    return text


class _Filler(string.Formatter):
    """Fills gaps by name, numbers too."""

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs[str(key)]


def day(written: str | None) -> str:
    """A day as records write it (ISO 8601), as the visitor's language does; what is no whole day stays as it is."""
    try:
        return str(flask_babel.format_date(date.fromisoformat(written or ""), "medium"))
    except ValueError:
        return written or ""


def moment(at: datetime) -> str:
    """A time (UTC) to the minute."""
    return f"{flask_babel.format_date(at, 'medium', rebase=False)} {at:%H:%M} UTC"


def whole(value: int) -> str:
    """A whole number, its thousands apart."""
    return str(flask_babel.format_decimal(value)) if has_request_context() else f"{value:,}"


def decimal(value: float) -> str:
    """A number with at most one decimal, a true minus before what is below zero."""
    rounded = round(value, 1)
    written = str(flask_babel.format_decimal(rounded, format="#,##0.#")) if has_request_context() else f"{rounded:g}"
    return written.replace("-", "−")


def separators() -> str:
    """The decimal point and the mark between thousands, as Plotly asks for them."""
    written = str(flask_babel.format_decimal(1000.5))
    return written[-2] + written[1]


def chosen() -> str:
    """The language of this request."""
    if not has_request_context():
        return SOURCE
    asked = request.args.get("lang") or request.cookies.get(COOKIE)
    if asked in LANGUAGES:
        return asked
    spoken = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((lang for lang in spoken if lang in LANGUAGES), SOURCE)


def _keep(response: Response) -> Response:
    """Keeps a choice made on a page for a year."""
    if response.mimetype != "text/html":
        return response
    asked = request.args.get("lang")
    if asked in LANGUAGES and request.cookies.get(COOKIE) != asked:
        response.set_cookie(COOKIE, asked, max_age=A_YEAR, samesite="Lax", secure=request.is_secure, httponly=True)
    return response


def install(app: Flask) -> None:
    """Hands the application its translations, and keeps what a visitor chooses."""
    babel = flask_babel.Babel(app, locale_selector=chosen)
    babel.domain_instance = Catalogues()
    app.after_request(_keep)
    app.context_processor(lambda: {"ngettext": _n, "_p": _p, "told": told, "day": day, "moment": moment})
