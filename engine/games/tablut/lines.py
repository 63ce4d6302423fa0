"""Where men can go: the moves along a line are looked up by its lane."""

from __future__ import annotations

from itertools import chain
from operator import getitem
from struct import Struct
from typing import Final

from engine.game import Seat
from engine.games.tablut.board import BYTES, CASTLE, KING, LANES, MUSCOVITE, SIZE, SWEDE, SWEDES
from engine.games.tablut.state import MOVES, Move

_LANES: Final = Struct(f"<{LANES}I")
_MAX_CACHED: Final = 1 << 14
"""How many lanes a table keeps: far more than a game needs, a bound for a long-running process."""


class Line(dict[int, tuple[Move, ...]]):
    """The moves of one side along one row or column, by its lane; filled on first use."""

    __slots__ = ("_movers", "_squares")

    def __init__(self, lane: int, seat: Seat) -> None:
        """Make the empty table of a lane, numbered as in `board`."""
        super().__init__()
        place = lane % SIZE
        if lane < SIZE:
            self._squares = tuple(range(place * SIZE, (place + 1) * SIZE))
        else:
            self._squares = tuple(range(place, SIZE * SIZE, SIZE))
        self._movers = (SWEDE, KING) if seat == SWEDES else (MUSCOVITE,)

    def __missing__(self, lane: int) -> tuple[Move, ...]:
        """Work out the moves of a lane and keep them."""
        if len(self) >= _MAX_CACHED:
            self.clear()
        kinds = [
            next((kind for kind in range(3) if lane >> (SIZE * kind + n) & 1), None)
            for n in range(SIZE)
        ]
        moves = self[lane] = tuple(
            MOVES[self._squares[n]][target]
            for n, kind in enumerate(kinds)
            if kind in self._movers
            for way in (range(n + 1, SIZE), range(n - 1, -1, -1))
            for target in self._targets(kinds, way, king=kind == KING)
        )
        return moves

    def _targets(self, kinds: list[int | None], way: range, *, king: bool) -> list[int]:
        found: list[int] = []
        for n in way:
            if kinds[n] is not None:
                break
            if king or self._squares[n] != CASTLE:
                found.append(self._squares[n])
        return found


_TABLES: Final = tuple(
    tuple(Line(lane, seat) for lane in range(LANES)) for seat in map(Seat, (0, 1))
)


def moves(board: int, seat: Seat) -> list[Move]:
    """Return every move that a side's men can make."""
    lanes = _LANES.unpack_from(board.to_bytes(BYTES, "little"))
    return list(chain.from_iterable(map(getitem, _TABLES[seat], lanes)))


def movable(board: int, seat: Seat) -> bool:
    """Return whether a side has any move; cheaper than `moves`."""
    lanes = _LANES.unpack_from(board.to_bytes(BYTES, "little"))
    return any(map(getitem, _TABLES[seat], lanes))
