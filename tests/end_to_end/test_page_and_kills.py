"""One plays in chat and one on the page, while processes are killed: they see what the store holds.

`PAGE_MOVES=1000` plays as many moves of each game.
"""

from __future__ import annotations

import os
from functools import partial

import pytest

from engine import registry
from tests.chaos.beside import BesideWorld
from tests.chaos.pages import agreed, played

MOVES = int(os.environ.get("PAGE_MOVES", "12"))
SHORT = MOVES < 100
KILL_EVERY = 6 if SHORT else 20

pytestmark = [pytest.mark.long, pytest.mark.timeout(max(300, 10 * MOVES))]


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_chat_page_and_store_agree_after_every_kill(slug: str) -> None:
    agreed(await played(slug, MOVES, 1, kill_every=KILL_EVERY), MOVES)


@pytest.mark.parametrize("slug", ["thaayam"] if SHORT else sorted(registry.games()))
async def test_they_agree_whichever_of_two_processes_is_killed(
    slug: str, postgresql_url: str
) -> None:
    places = partial(BesideWorld, database=postgresql_url)
    run = await played(slug, MOVES, 3, kill_every=KILL_EVERY, places=places)
    agreed(run, MOVES)
    assert run.killed.keys() >= {"gateway", "web"}
