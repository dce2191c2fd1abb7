"""Which language a visitor reads: the one chosen on the page, else the browser's, else English (the source); and the words in it."""

from pathlib import Path
from typing import Any

import flask_babel
from flask import Flask, has_request_context, request

LANGUAGES = {"en": "English", "pt": "Português", "ja": "日本語"}
"""By code, in their own words."""

COOKIE = "hanafu_language"


def _(text: str, **values: object) -> str:
    """A text in the visitor's language, with its values."""
    return str(flask_babel.gettext(text, **values))


def _n(one: str, many: str, count: int) -> str:
    """A text with a number, as the visitor's language counts; the number is `num`."""
    return str(flask_babel.ngettext(one, many, count))


def _l(text: str) -> Any:
    """A text that is put into the visitor's language when it is shown, for words that stand in a module."""
    return flask_babel.lazy_gettext(text)


def chosen() -> str:
    """The language of this request."""
    if not has_request_context():
        return "en"
    asked = request.args.get("lang") or request.cookies.get(COOKIE)
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def install(app: Flask) -> None:
    """Hands the application its translations (web/translations)."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", str(Path(__file__).parent / "translations"))
    flask_babel.Babel(app, locale_selector=chosen)
