"""Hanafu's own deck, drawn by code. Pure functions, standard library only; colours are CSS variables (`web/static/cards.css`)."""

from .catalogue import CODES, TWINS, title
from .sprite import card_svg, deck_svg, sprite, symbol_id

__all__ = ["CODES", "TWINS", "card_svg", "deck_svg", "sprite", "symbol_id", "title"]
