"""Positions and moves: frozen values without rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.tablaaza.board import ALL, GREEN, OF, PLOTS, RED, named


class State(NamedTuple):
    """A position; sets of plots are bits (see `board`).

    A tuple, because random games mostly create positions, and creating a tuple takes less than half
    as long as a frozen dataclass.
    """

    vacant: int
    """The empty plots."""
    pavilions: int
    """The plots with a pavilion; each was raised by the side of the other colour."""
    seat: Seat
    """The seat to play; after the end, the seat that cannot."""

    @property
    def stones(self) -> int:
        """The plots with a stone."""
        return ALL & ~(self.vacant | self.pavilions)

    @property
    def opening(self) -> bool:
        """Whether the next stone is Green's first."""
        return self.seat == GREEN and self.vacant & OF[GREEN] == OF[GREEN]

    def spaces(self, seat: Seat) -> tuple[str, ...]:
        """Return the vacant plots of a seat's colour."""
        return named(self.vacant & OF[seat])

    def raised(self, seat: Seat) -> tuple[str, ...]:
        """Return the plots of the pavilions that a seat has raised."""
        return named(self.pavilions & ~OF[seat])


START: Final = State(ALL, 0, RED)


@dataclass(frozen=True, slots=True)
class Move:
    """Put a stone on a square."""

    square: str
    """The name of any square, lakes included, so that a rule can refuse it; see also `PASS`."""


PASS: Final = Move("pass")
"""Players may type it, and the rules always refuse it."""

MOVES: Final = {plot: Move(plot) for plot in PLOTS}
"""The move on each plot, created once and shared."""
