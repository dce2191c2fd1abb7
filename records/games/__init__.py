"""The games that Hanafu knows: a module each, and this tuple."""

from typing import Final

from records.games.bakabana import GAME as BAKABANA
from records.games.higobana import GAME as HIGOBANA
from records.games.hon_bana import GAME as HON_BANA
from records.games.koi_koi import GAME as KOI_KOI
from records.games.sakura import GAME as SAKURA
from records.rules.game import Game

GAMES: Final[tuple[Game, ...]] = (BAKABANA, HON_BANA, HIGOBANA, SAKURA, KOI_KOI)

_BY_ID: Final[dict[str, Game]] = {game.id: game for game in GAMES}


def game(id: str) -> Game:
    """The game of that id. Raises KeyError."""
    return _BY_ID[id]
