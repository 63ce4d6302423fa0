"""The evaluation: a logistic model of a few features and the square of each man.

Each feature is a small number, with a weight for each value and side to move. Men have a weight for
each square, the same for squares equivalent by rotation or reflection. The weights are trained
(``train``) and stored compactly in ``weights.npy``; `weights` expands them so that a whole row of
men is one table lookup.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ai.games.tablut.fast import (
    COLUMN,
    ENDED,
    KING_AT,
    MUSCOVITES_LEFT,
    SIDE,
    SWEDES_LEFT,
    TURN,
    last_side,
    result,
    ways_out,
)
from ai.games.tablut.tables import COUNT, EDGE, FILE, FULL, NEXT, RANK, SLIDES, SQUARES
from ai.kernels import Board, Floats, Weights, kernel

FEATURES: Final = (
    ("sides round the king still open", 5),
    ("squares the king can go to", 12),
    ("of these, squares with a way to the edge", 8),
    ("of these, squares with two", 4),
    ("lines from the king that one Swede blocks", 5),
    ("lines from the king that one Muscovite blocks", 5),
    ("ways to the edge", 2),
    ("Muscovites", 17),
    ("Swedes", 9),
    ("whether the king can be taken next", 2),
)
"""The features, each with its number of values; higher values count as the highest."""
STARTS: Final = tuple(int(n) for n in np.cumsum([0, *(width for _, width in FEATURES)]))
WIDTH: Final = STARTS[-1]
KINGS: Final = 2 * WIDTH
"""Start of the weights of the king's square, by side to move."""
ROWS: Final = KINGS + 2 * SQUARES
"""Start of the row tables: for each row its Muscovites, then its Swedes."""
LENGTH: Final = ROWS + 2 * SIDE * (FULL + 1)
CERTAIN_WIN: Final = 0.997
"""The value of a win in one move: less than a win on the board, more than anything not forced."""

S0, S1, S2, S3, S4, S5, S6, S7, S8, S9 = STARTS[:-1]


def _canonical(square: int) -> int:
    """Return the lowest square equivalent by rotation or reflection."""
    rank, file = divmod(square, SIDE)
    low, high = sorted((min(rank, SIDE - 1 - rank), min(file, SIDE - 1 - file)))
    return low * SIDE + high


CLASSES: Final = sorted({_canonical(n) for n in range(SQUARES)})
CLASS: Final = np.array([CLASSES.index(_canonical(n)) for n in range(SQUARES)], np.int32)
"""The equivalence class of each square, one of fifteen."""
COMPACT: Final = 2 * WIDTH + 4 * len(CLASSES)
"""Number of trained weights: features, the king's square by side to move, Muscovites, Swedes."""


def expanded(compact: Weights) -> Weights:
    """Return trained weights expanded for `evaluate`."""
    classes = len(CLASSES)
    found = np.zeros(LENGTH, np.float32)
    found[:KINGS] = compact[:KINGS]
    kings = compact[KINGS : KINGS + 2 * classes].reshape(2, classes)
    found[KINGS:ROWS] = kings[:, CLASS].ravel()
    men = compact[KINGS + 2 * classes :].reshape(2, classes)
    bits = (np.arange(FULL + 1)[:, None] >> np.arange(SIDE) & 1).astype(np.float32)
    rows = men[:, CLASS].reshape(2, SIDE, SIDE).transpose(1, 0, 2) @ bits.T
    found[ROWS:] = rows.ravel()
    return found


@cache
def weights() -> Weights:
    """Return the expanded weights, loaded once."""
    return expanded(np.load(Path(__file__).with_name("weights.npy")))


@kernel
def extract_features(state: Board) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the features not stored on the board: the first seven and the last."""
    king = state[KING_AT]
    rank, file = RANK[king], FILE[king]
    row, column = _men(state[rank]), _men(state[COLUMN + file])
    open_sides = 0
    for way in range(4):
        square = NEXT[king, way]
        if square != 40 and not state[RANK[square]] >> FILE[square] & 1:
            open_sides += 1
    along = SLIDES[row * SIDE + file]
    across = SLIDES[column * SIDE + rank]
    reach = COUNT[along] + COUNT[across]
    threats, double = 0, 0
    for place in range(SIDE):
        if along >> place & 1:
            free = _free(_men(state[COLUMN + place]), rank)
            threats += free > 0
            double += free > 1
        if across >> place & 1:
            free = _free(_men(state[place]), file)
            threats += free > 0
            double += free > 1
    swede, muscovite = _guards(state[rank], file)
    swede_too, muscovite_too = _guards(state[COLUMN + file], rank)
    takeable = 0
    if open_sides == 1 and last_side(state, king, False) >= 0:
        takeable = 1
    return (
        open_sides,
        min(reach, 11),
        min(threats, 7),
        min(double, 3),
        swede + swede_too,
        muscovite + muscovite_too,
        ways_out(state, king),
        takeable,
    )


@kernel
def _men(line: int) -> int:
    return (line | line >> SIDE | line >> 2 * SIDE) & FULL


@kernel
def _free(men: int, place: int) -> int:
    """Return how many ends of a line can be reached from an empty place."""
    return (not men >> (place + 1)) + (not men & ((1 << place) - 1))


@kernel
def _guards(line: int, place: int) -> tuple[int, int]:
    """Return in how many directions along a line a single Swede, or Muscovite, blocks."""
    swedes, muscovites = 0, 0
    men = _men(line)
    low = (1 << place) - 1
    for side in (men & low, men & ~low & ~(1 << place)):
        if side and not side & (side - 1):
            if line & side:
                muscovites += 1
            else:
                swedes += 1
    return swedes, muscovites


@kernel
def evaluate(state: Board, weights: Weights, out: Floats) -> None:
    """Write each side's expected result."""
    if state[ENDED]:
        result(state, out)
        return
    turn = state[TURN]
    king = state[KING_AT]
    open_sides, reach, threats, double, swede, muscovite, out_ways, takeable = extract_features(
        state
    )
    if not turn and out_ways:
        out[0] = CERTAIN_WIN
        out[1] = 1.0 - CERTAIN_WIN
        return
    if turn and takeable:
        out[0] = 1.0 - CERTAIN_WIN
        out[1] = CERTAIN_WIN
        return
    at = turn * WIDTH
    score = (
        weights[at + S0 + open_sides]
        + weights[at + S1 + reach]
        + weights[at + S2 + threats]
        + weights[at + S3 + double]
        + weights[at + S4 + swede]
        + weights[at + S5 + muscovite]
        + weights[at + S6 + min(out_ways, 1)]
        + weights[at + S7 + state[MUSCOVITES_LEFT]]
        + weights[at + S8 + state[SWEDES_LEFT]]
        + weights[at + S9 + takeable]
        + weights[KINGS + turn * SQUARES + king]
    )
    for rank in range(SIDE):
        line = state[rank]
        table = ROWS + 2 * (FULL + 1) * rank
        score += weights[table + (line & FULL)] + weights[table + FULL + 1 + (line >> SIDE & FULL)]
    expected = 1.0 / (1.0 + np.exp(-score))
    # Never more certain than a forced result
    expected = 0.01 + 0.98 * expected
    out[0] = expected
    out[1] = 1.0 - expected


@kernel
def loud(state: Board, move: int) -> int:
    """Return the priority of a move: the king's escape, then the men it may capture."""
    source, target = move // 128, move % 128
    own = 0 if state[TURN] else 1
    king = state[KING_AT]
    if source == king:
        return 100 if EDGE[target] else 0
    taken = 0
    rank, file = RANK[target], FILE[target]
    own_shift, enemy_shift = SIDE * own, SIDE * (1 - own)
    row, column = state[rank], state[COLUMN + file]
    taken += (
        row >> (enemy_shift + file + 1) & 1 & (row >> (own_shift + file + 2)) if file < 7 else 0
    )
    taken += (
        row >> (enemy_shift + file - 1) & 1 & (row >> (own_shift + file - 2)) if file > 1 else 0
    )
    taken += (
        column >> (enemy_shift + rank + 1) & 1 & (column >> (own_shift + rank + 2))
        if rank < 7
        else 0
    )
    taken += (
        column >> (enemy_shift + rank - 1) & 1 & (column >> (own_shift + rank - 2))
        if rank > 1
        else 0
    )
    if own == 0 and abs(RANK[king] - rank) + abs(FILE[king] - file) == 1:
        taken += 1
    return taken
