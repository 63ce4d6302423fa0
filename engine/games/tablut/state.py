"""Positions and moves: frozen values without rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.game import Outcome, Seat
from engine.games.tablut.board import (
    KING,
    MUSCOVITE,
    MUSCOVITES,
    SIGHT,
    SQUARES,
    SWEDE,
    SWEDES,
    TURN,
)


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    Positions are equal if board and turn are: how often each came up before does not count, though
    it may decide the game.
    """

    board: int
    """All men and the turn, see `board`."""
    king: int = field(compare=False)
    """The king's square; -1 if he has been taken."""
    seen: tuple[int, ...] = field(compare=False)
    """The boards since the last capture, this one included: none from before can recur."""
    ended: Outcome | None = field(compare=False)
    """How the game ended, unless for lack of a move, which costs more to find out."""

    @property
    def seat(self) -> Seat:
        """The seat to move; after the end, the seat that would be."""
        return MUSCOVITES if self.board & TURN else SWEDES

    def men(self, kind: int) -> tuple[int, ...]:
        """Return the squares of all men of a kind, lowest first."""
        return tuple(n for n, bit in enumerate(SIGHT[kind]) if self.board & bit)

    def kind(self, number: int) -> int | None:
        """Return the kind of man on a square, or ``None`` if it is empty."""
        for kind in (MUSCOVITE, SWEDE, KING):
            if self.board & SIGHT[kind][number]:
                return kind
        return None


class Move(NamedTuple):
    """A man goes from one square to another, both by number."""

    source: int
    target: int

    @property
    def steps(self) -> tuple[str, str]:
        """The choices that make it up."""
        return SQUARES[self.source], f"-{SQUARES[self.target]}"


MOVES: Final = tuple(
    tuple(Move(source, target) for target in range(len(SQUARES))) for source in range(len(SQUARES))
)
"""By both squares, the move between them, created once and shared."""
