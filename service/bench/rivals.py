"""The other libraries that the engine is measured beside, each with material made here: long random games, from a seed.

Both read a game's text and check each move against their game's rules, as `records` does. They come with the extra ``bench``.
"""

import io
import random
import warnings
from importlib import import_module
from typing import Any, Final

from service.bench.table import Way

CHESS: Final = "python-chess, read_game"
POKER: Final = "PokerKit, HandHistory"
_PLIES: Final = 120
"""A chess game ends after so many, if not before."""
_STACK: Final = 200


def chess_way(seed: int, games: int = 5) -> Way:
    """`chess.pgn.read_game` over games of random lawful moves. Raises ModuleNotFoundError without the library."""
    chess = import_module("chess")
    pgn = import_module("chess.pgn")
    rng = random.Random(seed)
    texts: list[str] = []
    plies = 0
    for _ in range(games):
        game = pgn.Game()
        board, node = chess.Board(), game
        while not board.is_game_over() and board.ply() < _PLIES:
            move = rng.choice(list(board.legal_moves))
            node = node.add_variation(move)
            board.push(move)
        plies += board.ply()
        texts.append(str(game))

    def read() -> None:
        for text in texts:
            pgn.read_game(io.StringIO(text))

    return Way(CHESS, "plies", plies, read)


def poker_way(seed: int, hands: int = 4) -> Way:
    """`HandHistory.loads` and its states, over hands of hold'em for two. Raises ModuleNotFoundError without the library."""
    pokerkit = import_module("pokerkit")
    rng = random.Random(seed)
    histories = [_hand(pokerkit, rng) for _ in range(hands)]
    texts = [history.dumps() for history in histories]

    def read() -> None:
        with warnings.catch_warnings():
            # It burns cards that the history does not name, and then warns of those it has burnt.
            warnings.simplefilter("ignore")
            for text in texts:
                for _ in pokerkit.HandHistory.loads(text):
                    pass

    return Way(POKER, "actions", sum(len(history.actions) for history in histories), read)


def _hand(pokerkit: Any, rng: random.Random) -> Any:
    """A hand played to its end: mostly checks and calls, now and then a raise."""
    does = pokerkit.Automation
    game = pokerkit.NoLimitTexasHoldem(
        (
            does.ANTE_POSTING,
            does.BET_COLLECTION,
            does.BLIND_OR_STRADDLE_POSTING,
            does.CARD_BURNING,
            does.HOLE_CARDS_SHOWING_OR_MUCKING,
            does.HAND_KILLING,
            does.CHIPS_PUSHING,
            does.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
    )
    state = game((_STACK, _STACK), 2)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole("".join(map(repr, rng.sample(list(state.get_dealable_cards()), 2))))
        elif state.can_deal_board():
            cards = 1 if state.board_cards else 3
            state.deal_board("".join(map(repr, rng.sample(list(state.get_dealable_cards()), cards))))
        elif rng.random() < 0.3 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    return pokerkit.HandHistory.from_game_state(game, state)
