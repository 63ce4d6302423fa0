"""What the bot keeps in memory depends on what goes on now, not on how long it has been running."""

from __future__ import annotations

import gc
import random
from collections import Counter
from io import BytesIO
from typing import Final

import pytest
from cachetools import LRUCache, TTLCache

from bot.play.delivery.transport import OpenInteractions
from bot.play.matches.positions import Positions
from bot.play.pictures.rendering import Renderer
from tests.end_to_end.harness import Environment

OURS: Final = {"ai", "bot", "data", "engine", "render"}
KEPT: Final = 2
"""Matches whose positions and interactions are remembered, and pictures, instead of hundreds."""
MATCHES: Final = 5


def kept() -> Counter[str]:
    """Return how many objects of our classes there are, by class."""
    gc.collect()
    kinds = (type(one) for one in gc.get_objects())
    return Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if ours(kind))


def ours(kind: type) -> bool:
    """Return whether a class is one of ours; some of C's have no name of a module."""
    module: object = kind.__module__
    return isinstance(module, str) and module.partition(".")[0] in OURS


async def play(env: Environment, number: int) -> None:
    """Play the beginning of a match, always the same, with presses."""
    dice = random.Random(1)
    await env.begin("tablut")
    for _ in range(8):
        await env.turn(env.board(number), dice)


async def test_a_press_leaves_no_picture_to_the_garbage_collector(env: Environment) -> None:
    await play(env, 1)
    gc.collect()
    gc.disable()
    try:
        await play(env, 2)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = Counter(type(one) for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left[BytesIO], left
    assert not [kind for kind in left if ours(kind)], left


async def test_more_matches_leave_no_more_objects(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(env.app.get(Positions), "_cache", LRUCache(KEPT))
    interactions = env.app.get(OpenInteractions)
    for name in ("_answered", "_kept", "_expecting"):
        whole = getattr(interactions, name)
        monkeypatch.setattr(interactions, name, TTLCache(KEPT, whole.ttl, whole.timer))
    monkeypatch.setattr(env.app.get(Renderer), "_keep", KEPT)
    found = []
    for number in range(1, 5 * MATCHES + 1):
        await play(env, number)
        await env.settled()
        found.append(kept())
    # Among the first, names become known and threads begin. Of the others, the least counts: one
    # more board may be in hand.
    *_, few, _, many = (
        min(found[at : at + MATCHES], key=Counter.total) for at in range(0, len(found), MATCHES)
    )
    grown = many - few
    assert grown.total() < 2 * MATCHES, grown  # not one for each match, let alone for each press
