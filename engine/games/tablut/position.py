"""A position as one line: rows from the top down, then the side to move.

``...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm... swedes``
has ``m`` for a Muscovite, ``s`` for a Swede, ``k`` for the king and ``.`` for an empty square.
"""

from __future__ import annotations

from typing import Final

from engine.errors import BadPosition
from engine.game import Seat
from engine.games.tablut.board import (
    AT_EDGE,
    BESIDE,
    CASTLE,
    CORNERS,
    FILES,
    KING,
    MAN,
    MUSCOVITE,
    MUSCOVITES,
    NAMES,
    NUMBERS,
    SIGHT,
    SIZE,
    SQUARES,
    SWEDE,
    SWEDES,
    TURN,
    step,
)
from engine.games.tablut.captures import CAGE
from engine.games.tablut.playing import START, placed
from engine.games.tablut.state import State

LETTERS: Final = {MUSCOVITE: "m", SWEDE: "s", KING: "k"}
EMPTY: Final = "."
_KINDS: Final = {letter: kind for kind, letter in LETTERS.items()}
_MAX_MEN: Final = {MUSCOVITE: 16, SWEDE: 8, KING: 1}
_CALLED: Final = {MUSCOVITE: "Muscovites", SWEDE: "Swedes besides the king", KING: "kings"}


def write(state: State) -> str:
    """Return a position as a line that `read` reads back."""
    rows = (
        "".join(sign(state, rank * SIZE + file) for file in range(SIZE))
        for rank in reversed(range(SIZE))
    )
    return f"{'/'.join(rows)} {NAMES[state.seat]}"


def equivalence_key(state: State) -> str:
    """Return one line for all eight rotations and reflections of a position."""
    line, name = write(state).split()
    rows = line.split("/")
    ways = []
    for board in (rows, ["".join(column) for column in zip(*rows, strict=True)]):
        mirrored = [row[::-1] for row in board]
        ways += [board, board[::-1], mirrored, mirrored[::-1]]
    return f"{'/'.join(min(ways))} {name}"


def sign(state: State, number: int) -> str:
    """Return the character for the contents of a square."""
    kind = state.kind(number)
    return EMPTY if kind is None else LETTERS[kind]


def read(text: str) -> State:
    """Return the position that a line describes, as its first occurrence.

    Raises:
        BadPosition: not a position that can occur; the sentence says why.
    """
    parts = text.split()
    if len(parts) != 2:
        raise BadPosition(
            f"A position has two parts, the board and the side to move, as in “{write(START)}”."
        )
    rows, name = parts
    if name.lower() not in NAMES:
        raise BadPosition(f"“{name[:40]}” is not a side: write {' or '.join(NAMES)}.")
    board, king = _men(rows)
    seat = Seat(NAMES.index(name.lower()))
    if seat == MUSCOVITES:
        board |= TURN
    _check_attackers(board, seat)
    if king is None:
        _check_taken(board, seat)
        return placed(board, -1)
    _check_king(board, king, seat)
    return placed(board, king)


def _men(text: str) -> tuple[int, int | None]:
    """Return the men as bits, and the king's square."""
    rows = text.split("/")
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadPosition(
            f"The board has {SIZE} rows of {SIZE} squares, from the top down, joined by /: "
            f"“{text[:100]}” does not."
        )
    found: dict[int, list[int]] = {MUSCOVITE: [], SWEDE: [], KING: []}
    for rank, row in zip(reversed(range(SIZE)), rows, strict=True):
        for file, letter in enumerate(row):
            if letter == EMPTY:
                continue
            number = NUMBERS[f"{FILES[file]}{rank + 1}"]
            if letter not in _KINDS:
                raise BadPosition(
                    f"“{letter}” on {SQUARES[number]} means nothing: m is a Muscovite, s a Swede, "
                    "k the king, . an empty square."
                )
            if number == CASTLE and _KINDS[letter] != KING:
                raise BadPosition("Nobody but the king can stand on e5, the castle.")
            found[_KINDS[letter]].append(number)
    for kind, numbers in found.items():
        if len(numbers) > _MAX_MEN[kind]:
            raise BadPosition(
                f"There are {len(numbers)} {_CALLED[kind]}; {_MAX_MEN[kind]} is the most."
            )
    board = sum(MAN[kind][number] for kind, numbers in found.items() for number in numbers)
    return board, found[KING][0] if found[KING] else None


def _has(board: int, kind: int, *numbers: int | None) -> bool:
    """Return whether a man of a kind stands on each of these squares."""
    return all(n is not None and board & SIGHT[kind][n] for n in numbers)


def _empty(board: int, number: int) -> bool:
    return not any(_has(board, kind, number) for kind in LETTERS)


def _check_attackers(board: int, seat: Seat) -> None:
    """Refuse a board without Muscovites unless the Swedes can just have taken the last of them."""
    if any(_has(board, MUSCOVITE, number) for number in range(SIZE * SIZE)):
        return
    if seat == SWEDES:
        raise BadPosition(
            "Without Muscovites the Swedes cannot be to move: the game ended with their last move."
        )
    gaps = (number for number in range(SIZE * SIZE) if number != CASTLE and _empty(board, number))
    if not any(
        _has(board, SWEDE, step(number, way), step(number, way + 2))
        for number in gaps
        for way in (0, 1)
    ):
        raise BadPosition(
            "The last Muscovite was taken between two Swedes, but no two stand one square apart."
        )


def _check_taken(board: int, seat: Seat) -> None:
    """Refuse a board without a king unless a Muscovite can just have taken him."""
    if seat == MUSCOVITES:
        raise BadPosition(
            "There is no king: then he has just been taken, and it is the Swedes who would move."
        )
    if not any(_empty(board, king) and board & cage == cage for king, cage in CAGE.items()):
        raise BadPosition(
            "There is no king, but nowhere do Muscovites stand round the square where they took "
            "him."
        )


def _check_king(board: int, king: int, seat: Seat) -> None:
    name = SQUARES[king]
    if not AT_EDGE[king]:
        if all(_has(board, MUSCOVITE, number) for number in BESIDE[king]):
            raise BadPosition(
                f"The king on {name} has Muscovites on all four sides, so he has been taken."
            )
        return
    if seat == SWEDES:
        raise BadPosition(
            f"The king has reached the edge on {name}: the game ended with the Swedes' last move."
        )
    if king in CORNERS:
        raise BadPosition(f"The king cannot have come to {name}: only edge squares lead there.")
    inner = next(number for number in BESIDE[king] if not AT_EDGE[number])
    if not _empty(board, inner):
        raise BadPosition(
            f"The king can only have come to {name} by way of {SQUARES[inner]}, which is not empty."
        )
