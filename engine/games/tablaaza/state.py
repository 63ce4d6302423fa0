"""What a position is and what a move is: frozen values, no rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.games.tablaaza.board import ALL, GREEN, OF, PLOTS, RED, named

if TYPE_CHECKING:
    from engine.game import Seat


class State(NamedTuple):
    """A position; sets of plots are bits (see `board`).

    A tuple, because random games make little else than positions, and a tuple is made in less
    than half the time that a frozen dataclass takes.
    """

    vacant: int
    """The plots with nothing on them."""
    pavilions: int
    """The plots with a pavilion; each was raised by the side whose colour the plot has not."""
    seat: Seat
    """Who plays next; after the end, who has nowhere to play."""

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
        """Return the plots with the pavilions that a seat has raised."""
        return named(self.pavilions & ~OF[seat])


START: Final = State(ALL, 0, RED)


@dataclass(frozen=True, slots=True)
class Move:
    """A stone is put on a square."""

    square: str
    """The name of any square, lakes included, so that a rule can refuse it; see also `PASS`."""


PASS: Final = Move("pass")
"""What people may type and the rules always refuse."""

MOVES: Final = {plot: Move(plot) for plot in PLOTS}
"""The move on every plot, made once and shared."""
