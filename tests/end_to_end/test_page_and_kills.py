"""One plays in chat and one on the page, while the program is killed: they see what the store holds.

`PAGE_MOVES=1000` plays as many moves of each game.
"""

from __future__ import annotations

import os

import pytest

from engine import registry
from tests.chaos.pages import played

MOVES = int(os.environ.get("PAGE_MOVES", "12"))
KILL_EVERY = 6 if MOVES < 100 else 20


@pytest.mark.long
@pytest.mark.timeout(max(300, 10 * MOVES))
@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_chat_page_and_store_agree_after_every_kill(slug: str) -> None:
    run = await played(slug, MOVES, 1, kill_every=KILL_EVERY)
    assert run.problems == []
    assert run.moves >= MOVES
    assert run.on_page > 0
    assert run.kills > 0
