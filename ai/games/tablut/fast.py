"""The fast board of Tablut: eighteen lines of bits, one for each row and one for each column.

In a line the lowest nine bits are the Muscovites on its squares, the next nine the Swedish men, the
next nine the king, so the moves along a line take one table lookup. Repetition is left to the
search. Every rule here has its counterpart in ``engine/games/tablut``; tests prove them equal.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ai.games.tablut.tables import (
    BEYOND,
    BY_CASTLE,
    EDGE,
    FILE,
    FULL,
    LOWEST,
    MARKS,
    NEXT,
    RANK,
    RAYS,
    SLIDES,
    TURN_MARK,
)
from ai.kernels import Board, Floats, Ints, kernel

SIDE: Final = 9
CASTLE: Final = 40
MUSCOVITE: Final = 0
SWEDE: Final = 1
KING: Final = 2

COLUMN: Final = 9
"""Start of the columns' lines; the rows' lines come first."""
TURN: Final = 18
"""0 if the Swedes are to move, 1 if the Muscovites are."""
KING_AT: Final = 19
"""The king's square, -1 once he is captured."""
ENDED: Final = 20
"""0 while the game goes on, else `SWEDES_WON`, `MUSCOVITES_WON` or `DRAWN`."""
MUSCOVITES_LEFT: Final = 21
SWEDES_LEFT: Final = 22
KEY: Final = 23
"""The Zobrist key without the turn, in two halves."""
SIZE: Final = 25

SWEDES_WON: Final = 1
MUSCOVITES_WON: Final = 2
DRAWN: Final = 3
TO: Final = 128
"""A move is its source times this plus its target."""
MOST_MOVES: Final = 320
"""More than any position has: at most sixteen men on a side, with sixteen moves each."""


@kernel
def actor(state: Board) -> int:
    """Return the seat to move, or -2 once the game has ended."""
    return -2 if state[ENDED] else int(state[TURN])


@kernel
def key(state: Board) -> int:
    """Return the Zobrist key of the men and the turn."""
    low = np.uint64(np.uint32(state[KEY]))
    high = np.uint64(np.uint32(state[KEY + 1]))
    found: Any = low | (high << np.uint64(32))
    return found ^ TURN_MARK if state[TURN] else found


@kernel
def result(state: Board, out: Floats) -> None:
    """Write each side's result."""
    swedes = 0.5
    if state[ENDED] == SWEDES_WON:
        swedes = 1.0
    elif state[ENDED] == MUSCOVITES_WON:
        swedes = 0.0
    out[0] = swedes
    out[1] = 1.0 - swedes


@kernel
def _occupied(line: int) -> int:
    """Return the occupied places of a line."""
    return (line | line >> SIDE | line >> 2 * SIDE) & FULL


@kernel
def _stands(state: Board, kind: int, square: int) -> bool:
    """Return whether a man of this kind stands on a square."""
    return bool(state[RANK[square]] >> (SIDE * kind + FILE[square]) & 1)


@kernel
def _toggle(state: Board, kind: int, square: int) -> None:
    """Put a man on a square or remove him, and update the key."""
    rank, file = RANK[square], FILE[square]
    state[rank] ^= 1 << (SIDE * kind + file)
    state[COLUMN + file] ^= 1 << (SIDE * kind + rank)
    mark = MARKS[kind, square]
    state[KEY] ^= np.int32(np.uint32(mark & np.uint64(0xFFFFFFFF)))
    state[KEY + 1] ^= np.int32(np.uint32(mark >> np.uint64(32)))


@kernel
def moves(state: Board, out: Ints) -> int:
    """Write the moves of the side to move; return their number."""
    shift = 0 if state[TURN] else SIDE
    count = 0
    for line in range(2 * SIDE):
        bits = state[line]
        occupied = _occupied(bits)
        movers = bits >> shift & FULL
        castle = 1 << 4 if line % SIDE == 4 else 0
        while movers:
            place = LOWEST[movers]
            movers &= movers - 1
            targets = SLIDES[occupied * SIDE + place] & ~castle
            count = _write(out, count, line, place, targets)
        if shift:
            king = bits >> 2 * SIDE & FULL
            if king:
                place = LOWEST[king]
                count = _write(out, count, line, place, SLIDES[occupied * SIDE + place])
    return count


@kernel
def _write(out: Ints, count: int, line: int, place: int, targets: int) -> int:
    """Write one man's moves along a line; return the number of moves so far."""
    first, by = (line * SIDE, 1) if line < COLUMN else (line - COLUMN, SIDE)
    source = first + by * place
    while targets:
        out[count] = source * TO + first + by * LOWEST[targets]
        targets &= targets - 1
        count += 1
    return count


@kernel
def movable(state: Board) -> bool:
    """Return whether the side to move has a legal move."""
    shift = 0 if state[TURN] else SIDE
    for line in range(2 * SIDE):
        bits = state[line]
        occupied = _occupied(bits)
        movers = bits >> shift & FULL
        castle = 1 << 4 if line % SIDE == 4 else 0
        while movers:
            place = LOWEST[movers]
            movers &= movers - 1
            if SLIDES[occupied * SIDE + place] & ~castle:
                return True
        if shift:
            king = bits >> 2 * SIDE & FULL
            if king and SLIDES[occupied * SIDE + LOWEST[king]]:
                return True
    return False


@kernel
def play(state: Board, move: int, into: Board) -> None:
    """Write the position after a move and its captures."""
    for n in range(SIZE):
        into[n] = state[n]
    source, target = move // TO, move % TO
    king = state[KING_AT]
    into[TURN] = 1 - state[TURN]
    if state[TURN]:
        _toggle(into, MUSCOVITE, source)
        _toggle(into, MUSCOVITE, target)
        _take(into, MUSCOVITE, target)
        _prop(into, target, king)
        if _beside(king, target) and caged(into, king):
            _toggle(into, KING, king)
            into[KING_AT] = -1
            into[ENDED] = MUSCOVITES_WON
            return
    else:
        if source == king:
            _toggle(into, KING, source)
            _toggle(into, KING, target)
            into[KING_AT] = target
        else:
            _toggle(into, SWEDE, source)
            _toggle(into, SWEDE, target)
            _take(into, SWEDE, target)
        if escaped(into):
            into[ENDED] = SWEDES_WON
            return
    if not movable(into):
        into[ENDED] = DRAWN


@kernel
def _beside(one: int, other: int) -> bool:
    """Return whether two squares are adjacent."""
    return abs(RANK[one] - RANK[other]) + abs(FILE[one] - FILE[other]) == 1


@kernel
def _take(state: Board, own: int, target: int) -> None:
    """Remove the men captured by a move to a square (rule 6)."""
    enemy = 1 - own
    for way in range(4):
        helper = BEYOND[target, way]
        if helper >= 0:
            victim = NEXT[target, way]
            if _stands(state, enemy, victim) and _stands(state, own, helper):
                _toggle(state, enemy, victim)
                state[MUSCOVITES_LEFT + enemy] -= 1


@kernel
def _prop(state: Board, target: int, king: int) -> None:
    """Remove the last Swede beside an otherwise surrounded king (rule 9)."""
    for way in range(4):
        if BEYOND[king, way] == target:
            prop = NEXT[king, way]
            if not _stands(state, SWEDE, prop):
                return
            for other in range(4):
                if other != way and not _stands(state, MUSCOVITE, NEXT[king, other]):
                    return
            _toggle(state, SWEDE, prop)
            state[SWEDES_LEFT] -= 1
            return


@kernel
def caged(state: Board, king: int) -> bool:
    """Return whether every neighbour of an inner square is a Muscovite or the castle."""
    for way in range(4):
        square = NEXT[king, way]
        if square != CASTLE and not _stands(state, MUSCOVITE, square):
            return False
    return True


@kernel
def ways_out(state: Board, king: int) -> int:
    """Return the number of free lines to the edge for a king on an inner square."""
    rank, file = RANK[king], FILE[king]
    row, column = _occupied(state[rank]), _occupied(state[COLUMN + file])
    free = 0
    if not row >> (file + 1):
        free += 1
    if not row & ((1 << file) - 1):
        free += 1
    if not column >> (rank + 1):
        free += 1
    if not column & ((1 << rank) - 1):
        free += 1
    return free


@kernel
def escaped(state: Board) -> bool:
    """Return whether the Swedes' last move has won (rules 11, 12)."""
    king = state[KING_AT]
    if EDGE[king] or not state[MUSCOVITES_LEFT]:
        return True
    return ways_out(state, king) > 1 and last_side(state, king, True) < 0


@kernel
def last_side(state: Board, king: int, only_by_castle: bool) -> int:
    """Return the square where a Muscovite's next move captures the king, -1 if there is none."""
    if only_by_castle and not BY_CASTLE[king]:
        return -1
    missing = -1
    for way in range(4):
        square = NEXT[king, way]
        if square != CASTLE and not _stands(state, MUSCOVITE, square):
            if missing >= 0:
                return -1
            missing = square
    if missing < 0 or _stands(state, SWEDE, missing):
        return -1
    for way in range(4):
        for square in RAYS[missing, way]:
            if square < 0:
                break
            if _stands(state, MUSCOVITE, square):
                return missing
            if _stands(state, SWEDE, square) or square == king:
                break
    return -1
