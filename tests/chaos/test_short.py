"""A short form of `make chaos`."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from bot.play.pictures.rendering import Renderer
from tests.chaos import lasting, runs, scenarios
from tests.chaos.lasting import Lasting

DRAWN = list(itertools.islice(lasting.stories(random.Random(5)), 5))
"""Lasting faults, beside those that once went wrong."""


@pytest.fixture
def tally() -> runs.Tally:
    """Return a new tally."""
    return runs.Tally(time.monotonic() + 3600)


async def test_after_a_kill_at_any_moment_there_is_one_live_board(
    renderer: Renderer, tally: runs.Tally
) -> None:
    await runs.several(renderer, scenarios.kills(random.Random(4)), 15, tally)
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


@pytest.mark.parametrize(
    "line",
    [
        "route=edit failure=500 hours=1 board=edit threads=False seed=1",
        "route=edit failure=403 hours=1 board=new threads=False seed=1",
        "route=delete failure=403 hours=1 board=edit threads=False seed=1",
        "route=delete failure=hang hours=1 board=edit threads=False seed=1",
        "route=history failure=429 hours=1 board=edit threads=False seed=1",
        "route=rename failure=500 hours=1 board=new threads=True seed=1",
        "route=callback failure=hang hours=1 board=edit threads=True seed=1",
        "route=post failure=400 hours=1 board=new threads=True seed=1",
        "route=post failure=429 hours=1 board=new threads=False seed=1",
        *map(str, DRAWN),
    ],
)
async def test_a_lasting_fault_stops_only_what_needs_its_route_and_loses_nothing(
    renderer: Renderer, line: str
) -> None:
    report = await runs.lasting(renderer, Lasting.read(line))
    assert report.wrong == [], str(report)


async def test_players_are_told_that_their_board_comes_later(renderer: Renderer) -> None:
    line = "route=post failure=500 hours=1 board=new threads=False seed=1"
    report = await runs.lasting(renderer, Lasting.read(line))
    assert report.wrong == [], str(report)
    late = [text for text in report.told if text.startswith("responded: ")]
    assert late
    assert all("Discord isn't taking my messages right now." in text for text in late), late
