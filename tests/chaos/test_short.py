"""A short form of `make chaos`."""

from __future__ import annotations

import random
import time

import pytest

from bot.play.pictures.rendering import Renderer
from tests.chaos import runs, scenarios


@pytest.fixture
def tally() -> runs.Tally:
    """Return a new tally."""
    return runs.Tally(time.monotonic() + 3600)


async def test_after_a_kill_at_any_moment_there_is_one_live_board(
    renderer: Renderer, tally: runs.Tally
) -> None:
    await runs.several(renderer, scenarios.kills(random.Random(3)), 15, tally)
    assert {"before commit", "after commit"} < set(tally.moments)
    assert [(str(o.scenario), o.problems) for o in tally.failures] == []


async def test_whatever_request_fails_there_is_one_live_board(
    renderer: Renderer, tally: runs.Tally
) -> None:
    await runs.several(renderer, scenarios.faults(random.Random(2)), 24, tally)
    assert [(str(o.scenario), o.problems) for o in tally.failures] == []


async def test_whatever_is_pressed_at_once_there_is_one_live_board(
    renderer: Renderer, tally: runs.Tally
) -> None:
    await runs.pressed(renderer, 160, 3, tally)
    assert [(story, burst.problems) for story, burst in tally.bursts] == []
