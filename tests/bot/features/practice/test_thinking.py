"""Hints come from completed searches: without one, nothing is shown or stored."""

from __future__ import annotations

from typing import Any

import pytest

from bot.core.computers import computers
from bot.core.errors import Refusal
from bot.core.workers.pool import WorkerPool
from bot.features.practice.thinking import Hints
from bot.play.matches.positions import Position
from tests.bot.conftest import ANN, Club, thinking


class Hurried(WorkerPool):
    """Workers whose time runs out before they have evaluated a move, at first."""

    evaluated = False
    position: Position

    async def run(self, *_: Any, **__: Any) -> Any:
        """Return a legal move."""
        move = self.position.game.write(self.position.game.legal_moves(self.position.state)[-1])
        return {"notation": move, "others": {move: 0.7}, "evaluated": self.evaluated}


async def test_a_move_without_an_evaluation_is_not_stored_as_a_hint(club: Club) -> None:
    invitation = club.invitation(*computers(1, 1), seat=0, rules="walker")
    begun = await club.challenges.practise(invitation)
    assert begun.match_id is not None
    workers = Hurried()
    workers.position = await club.matches.position(begun.match_id)
    assert workers.position.to_move is not None
    assert workers.position.to_move.user_id == ANN
    async with thinking(club, moves=workers) as tasks:
        hints = Hints(club.store, club.matches, tasks)
        with pytest.raises(Refusal, match="Please ask again in a minute"):
            await hints.give(workers.position, ANN)
        workers.evaluated = True
        hint, position = await hints.give(workers.position, ANN)
    assert hint.expected == 0.7
    assert position.match.hints == 1
