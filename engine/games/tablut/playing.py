"""What follows from a move, and the resulting state of the game."""

from __future__ import annotations

from typing import Final

from engine.game import Outcome
from engine.games.tablut.board import (
    AT_EDGE,
    BESIDE,
    CASTLE,
    KING,
    MAN,
    MUSCOVITE,
    MUSCOVITES,
    NUMBERS,
    SIGHT,
    SWEDE,
    SWEDES,
    TURN,
)
from engine.games.tablut.captures import PATHS, king_taken, men_taken
from engine.games.tablut.lines import movable, moves
from engine.games.tablut.state import Move, State
from engine.phrase import say

ESCAPED: Final = Outcome((1, 2), say("the king has reached the edge"))
UNSTOPPABLE: Final = Outcome(
    (1, 2), say("the king has more ways to the edge than one move can block")
)
NO_ATTACKERS: Final = Outcome((1, 2), say("the Muscovites have lost their last man"))
TAKEN: Final = Outcome((2, 1), say("the king is taken"))
REPEATED: Final = Outcome((1, 1), say("the same position has come up three times"))
STUCK: Final = (
    Outcome((1, 1), say("the Swedes have no move")),
    Outcome((1, 1), say("the Muscovites have no move")),
)
"""Why the game ended when a seat cannot move, in seat order."""

_TIMES: Final = 3
_ATTACKERS: Final = sum(SIGHT[MUSCOVITE])


def after(state: State, move: Move) -> State:
    """Return the position after a legal move, with its captures."""
    board, king = state.board, state.king
    source, target = move
    ended = None
    if board & TURN:
        board ^= TURN ^ MAN[MUSCOVITE][source] ^ MAN[MUSCOVITE][target]
        taken = men_taken(board, MUSCOVITES, target, king)
        board ^= taken
        if king_taken(board, target, king):
            board ^= MAN[KING][king]
            king = -1
            ended = TAKEN
    elif source == king:
        board ^= TURN ^ MAN[KING][source] ^ MAN[KING][target]
        king = target
        taken = 0
        ended = _won(board, king)
    else:
        board ^= TURN ^ MAN[SWEDE][source] ^ MAN[SWEDE][target]
        taken = men_taken(board, SWEDES, target, king)
        board ^= taken
        ended = _won(board, king)
    # Men never come back, so no position from before a capture can recur.
    seen = (board,) if taken else (*state.seen, board)
    if ended is None and len(seen) > 2 * _TIMES and seen.count(board) >= _TIMES:
        ended = REPEATED
    return State(board, king, seen, ended)


def placed(board: int, king: int) -> State:
    """Return a position without a history; the game may already be over in it."""
    ended = None
    if king < 0:
        ended = TAKEN
    elif board & TURN:
        ended = _won(board, king)
    return State(board, king, (board,), ended)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or ``None`` while it is in progress."""
    if state.ended is not None:
        return state.ended
    seat = state.seat
    return None if movable(state.board, seat) else STUCK[seat]


def legal(state: State) -> list[Move]:
    """Return every legal move; none once the game is over."""
    return [] if state.ended is not None else moves(state.board, state.seat)


def _won(board: int, king: int) -> Outcome | None:
    """Return the Swedes' win if the move they have just made won."""
    if AT_EDGE[king]:
        return ESCAPED
    if not board & _ATTACKERS:
        return NO_ATTACKERS
    free = 0
    for line, _ in PATHS[king]:
        if not board & line:
            free += 1
    return UNSTOPPABLE if free > 1 and not _can_still_be_taken(board, king) else None


def _can_still_be_taken(board: int, king: int) -> bool:
    """Return whether a Muscovite can take a king that has more than one way to the edge.

    One move cannot close two lines. But next to the castle a line may run across it, and then an
    attacker stepping next to the king into the other line may be the third round him.
    """
    if king not in BESIDE[CASTLE]:
        return False
    missing = [
        square
        for square in BESIDE[king]
        if square != CASTLE and not board & SIGHT[MUSCOVITE][square]
    ]
    if len(missing) != 1:
        return False
    return any(move.target == missing[0] for move in moves(board, MUSCOVITES))


def _start() -> State:
    board = 0
    for kind, names in (
        (MUSCOVITE, "a4 a5 a6 b5 i4 i5 i6 h5 d1 e1 f1 e2 d9 e9 f9 e8"),
        (SWEDE, "e3 e4 e6 e7 c5 d5 f5 g5"),
        (KING, "e5"),
    ):
        for name in names.split():
            board |= MAN[kind][NUMBERS[name]]
    return placed(board, CASTLE)


START: Final = _start()
