"""The games that Hanafu knows: a module each, and this tuple."""

from typing import Final

from records.games.bakabana import GAME as BAKABANA
from records.games.higobana import GAME as HIGOBANA
from records.games.hon_bana import GAME as HON_BANA
from records.games.koi_koi import GAME as KOI_KOI
from records.games.sakura import GAME as SAKURA
from records.rules.common import AUDIT
from records.rules.game import Game, Point

GAMES: Final[tuple[Game, ...]] = (BAKABANA, HON_BANA, HIGOBANA, SAKURA, KOI_KOI)

POINTS: Final[dict[str, Point]] = {point.id: point for points in (*(game.points for game in GAMES), AUDIT) for point in points}
"""Every rule point by its id, those of common play and of the audit too."""

_BY_ID: Final[dict[str, Game]] = {game.id: game for game in GAMES}


def game(id: str) -> Game:
    """The game of that id. Raises KeyError."""
    return _BY_ID[id]
