"""Which language a visitor reads: the one chosen on the page, else the browser's, else English (the source)."""

from flask import Flask, has_request_context, request
from flask_babel import Babel

LANGUAGES = {"en": "English", "pt": "Português", "ja": "日本語"}
"""By code, in their own words."""

COOKIE = "hanafu_language"


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
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", str(_translations()))
    Babel(app, locale_selector=chosen)


def _translations() -> str:
    from pathlib import Path

    return str(Path(__file__).parent / "translations")
