"""A program that plays some matches: also that of the last release, so it imports nothing newer.

python tests/data/old_program.py URL
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from bot.app import demo as seeding
from bot.core.scheduling.scheduler import WallClock
from data.store.store import Store

PEOPLE = {"Ann": 11, "Ben": 12, "Carol": 13, "Dan": 14}


def main(arguments: Sequence[str]) -> None:
    """Play in a database, given by its URL."""
    # Both games, ends by the rules and by resigning, and the one that is left unfinished.
    some = seeding.recorded()[:5]
    seeding.recorded = lambda: some
    asyncio.run(_play(arguments[0]))


async def _play(url: str) -> None:
    store = await Store.open(url)
    await seeding.Seeding(store, clock=WallClock()).seed(1, 2, PEOPLE)
    await store.close()


if __name__ == "__main__":
    main(sys.argv[1:])
