"""How pieces share a square: a few stand side by side, more are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Seat
from engine.games.thaayam.board import PATHS
from engine.games.thaayam.men import badge, man, twins
from engine.games.thaayam.state import Piece, State, pieces
from engine.games.thaayam.table import centre
from engine.scene import Token

_ALONE: Final = ((0.0, 0.0),)
_TWO: Final = ((-0.47, 0.0), (0.47, 0.0))
_FOUR: Final = ((-0.43, -0.43), (0.43, -0.43), (-0.43, 0.43), (0.43, 0.43))
_SIX: Final = tuple((x, y) for y in (-0.42, 0.42) for x in (-0.64, 0.0, 0.64))
_NINE: Final = tuple((x, y) for y in (-0.62, 0.0, 0.62) for x in (-0.64, 0.0, 0.64))
_TWINS_ALONE: Final = 0.82
_SHARES: Final = ((_ALONE, 0.62), (_TWO, 0.43), (_FOUR, 0.4), (_SIX, 0.28), (_NINE, 0.27))
"""By number of pieces: their offsets from the centre of the square, and their size."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece, twins, or several that look the same, on one square."""

    seat: Seat
    piece: Piece
    number: int = 1


def crowds(state: State) -> dict[str, list[Standing]]:
    """Return the pieces on each square, seat by seat."""
    found: dict[str, list[Standing]] = {}
    for seat, side in zip(state.seats, state.sides, strict=True):
        for piece in pieces(side):
            found.setdefault(PATHS[seat][piece.place], []).append(Standing(seat, piece))
    return found


def placed(square: str, standing: Sequence[Standing]) -> Iterator[Token]:
    """Yield the pieces of a square at their drawing positions."""
    shown = standing if len(standing) <= len(_FOUR) else counted(standing)
    spots, radius = next(share for share in _SHARES if len(share[0]) >= len(shown))
    if len(shown) == 1 and shown[0].piece.twins:
        radius = _TWINS_ALONE
    x, y = centre(square)
    for (dx, dy), one in zip(spots, shown, strict=False):
        kind = twins if one.piece.twins else man
        yield Token(kind(one.seat, radius, moved=one.piece.moved), x + dx, y + dy)
        if one.number > 1:
            away = (-1 if dx < 0 else 1, -1 if dy < 0 else 1)
            yield Token(badge(one.number, radius, away), x + dx, y + dy)


def counted(standing: Iterable[Standing]) -> list[Standing]:
    """Return identical pieces as one with their number; there are nine kinds at most."""
    numbers: dict[tuple[Seat, Piece], int] = {}
    for one in standing:
        key = (one.seat, one.piece)
        numbers[key] = numbers.get(key, 0) + 1
    return [Standing(seat, piece, number) for (seat, piece), number in numbers.items()]
