"""Animations: users take turns, each may have a few waiting, and each film is painted once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.core.errors import TooMany
from bot.core.workers.fair_queue import MAX_WAITING, Requester
from bot.play.pictures.rendering import Renderer
from bot.play.replays.animation import Animation
from engine import registry
from engine.phrase import lines

ANN, BEN = Requester(1, 11), Requester(1, 22)
SMALL = 1_000_000


class Counting(Renderer):
    """Counts the animations it paints."""

    painted = 0

    def _animate(self, *arguments: Any) -> bytes:
        self.painted += 1
        return super()._animate(*arguments)


@pytest.fixture
def renderer() -> Iterator[Counting]:
    made = Counting(width=200)
    yield made
    made.close()


def film(name: str) -> Animation:
    """Return an animation of two pictures."""
    game = registry.game("tablaaza")
    state = game.initial()
    after = game.after(state, game.legal_moves(state)[0])
    scenes = (game.scene(state), game.scene(after))
    return Animation(name, scenes, (100, 100), lines([name]), lines([name]), sampled=False)


async def test_one_users_twenty_films_delay_another_user_by_two_at_most(renderer: Counting) -> None:
    order: list[str] = []

    async def ask(name: str, requester: Requester) -> None:
        await renderer.animation(film(name), most_bytes=SMALL, requester=requester)
        order.append(name)

    many = [asyncio.create_task(ask(f"ann {n}", ANN)) for n in range(20)]
    await asyncio.sleep(0)
    mine = asyncio.create_task(ask("ben", BEN))
    results = await asyncio.gather(*many, mine, return_exceptions=True)
    assert order.index("ben") <= 2, "after the current one and the next in turn"
    assert [type(one) for one in results if one] == [TooMany] * (20 - MAX_WAITING)
    assert renderer.painted == MAX_WAITING + 1
    await ask("ann again", ANN)


async def test_ten_requests_for_one_film_paint_it_once(renderer: Counting) -> None:
    asked = (
        renderer.animation(film("one"), most_bytes=SMALL, requester=Requester(1, user))
        for user in range(1, 11)
    )
    outputs = await asyncio.gather(*asked)
    assert len(set(outputs)) == 1
    assert renderer.painted == 1


async def test_a_film_with_a_larger_size_limit_is_made_separately(renderer: Counting) -> None:
    await renderer.animation(film("one"), most_bytes=SMALL, requester=ANN)
    await renderer.animation(film("one"), most_bytes=2 * SMALL, requester=ANN)
    assert renderer.painted == 2


async def test_giving_up_waiting_does_not_cancel_the_film_for_others(renderer: Counting) -> None:
    tasks = [
        asyncio.create_task(renderer.animation(film("one"), most_bytes=SMALL, requester=one))
        for one in (ANN, BEN)
    ]
    await asyncio.sleep(0)
    tasks[0].cancel()
    assert (await tasks[1]).startswith(b"GIF")
    assert renderer.painted == 1
