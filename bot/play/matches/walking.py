"""Trying moves from a position without playing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played, resume


@dataclass(frozen=True)
class Walk:
    """A position reached by trying moves, with the steps chosen so far of the next."""

    game: AnyGame
    state: Any
    played: tuple[Played[Any, Any], ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.game.outcome(self.state) is not None

    @property
    def actor(self) -> Any:
        """The seat to move, or CHANCE; ``None`` if the game is over."""
        return None if self.over else self.game.actor(self.state)

    @property
    def line(self) -> tuple[str, ...]:
        """The moves tried, in notation."""
        return tuple(self.game.write(one.move) for one in self.played)

    @property
    def last(self) -> list[tuple[Any, Any]]:
        """The last move with the position before it, for marking in a scene; empty at the start."""
        return [(one.before, one.move) for one in self.played[-1:]]

    def continued(self, notations: Sequence[str]) -> Walk:
        """Return the walk continued by log entries, each checked.

        Raises:
            BadRecord: an entry is not playable.

        """
        played = (*self.played, *resume(self.game, self.state, notations, len(self.played)))
        state = played[-1].after if played else self.state
        return Walk(self.game, state, played).settled()

    def after(self, move: Any) -> Walk:
        """Return the walk after a legal move and the only moves that follow it."""
        reached = self.game.after(self.state, move)
        entry = Played(len(self.played) + 1, self.state, move, reached)
        return Walk(self.game, reached, (*self.played, entry)).settled()

    def settled(self) -> Walk:
        """Return the walk with any only moves played."""
        walk = self
        while walk.actor not in {None, CHANCE}:
            only = walk.game.only_move(walk.state)
            if only is None:
                break
            reached = walk.game.after(walk.state, only)
            entry = Played(len(walk.played) + 1, walk.state, only, reached)
            walk = Walk(walk.game, reached, (*walk.played, entry))
        return walk

    def choose(self, steps: tuple[str, ...]) -> tuple[Walk, tuple[str, ...]]:
        """Make the move that some steps begin with.

        Returns:
            The resulting walk and the remaining steps; this walk and all steps if they complete no
            move.

        """
        if not self.over:
            for move in self.game.legal_moves(self.state):
                own = self.game.steps(move)
                if steps[: len(own)] == own:
                    return self.after(move), steps[len(own) :]
        return self, steps
