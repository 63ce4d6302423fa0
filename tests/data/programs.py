"""Programs that tests of the store run as processes, forked by `tests.end_to_end.forking`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from data.matches import match_log, outbox
from data.store.process_lock import process_lock
from data.store.store import Store, Transaction
from tests.data import people


def say(text: object) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hold_lock(arguments: Sequence[str]) -> None:
    """Hold the lock of a database until killed.

    Args:
        arguments: the database's URL.
    """

    async def hold() -> None:
        async with process_lock(arguments[0]):
            say("held")
            await asyncio.Event().wait()

    asyncio.run(hold())


def play_until_killed(arguments: Sequence[str]) -> None:
    """Commit a turn and begin the next one, and print the match to be killed there.

    Args:
        arguments: the database's URL, and whether to be killed "after the commit" of that turn.
    """

    async def turn(tx: Transaction, number: int, ply: int) -> None:
        await match_log.append(tx, number, people.entries(ply, 3))
        await outbox.put(
            tx, match_id=number, kind="board", payload={}, nonce=f"n{ply}", at=people.NOW
        )

    async def play() -> None:
        url, moment = arguments
        store = await Store.open(url)
        async with store.write() as tx:
            number = await people.match(tx)
            await turn(tx, number, 1)
        if moment == "after the commit":
            async with store.write() as tx:
                await turn(tx, number, 4)
            say(number)
            await asyncio.Event().wait()
        async with store.write() as tx:
            await turn(tx, number, 4)
            say(number)
            await asyncio.Event().wait()

    asyncio.run(play())


def open_at_once(arguments: Sequence[str]) -> None:
    """Open a database as soon as a file exists.

    Args:
        arguments: the database's URL, and the file.
    """
    import alembic.command  # noqa: F401, PLC0415 -- loading it should not delay one of several

    url, file = arguments
    say("ready")
    while not Path(file).exists():
        time.sleep(0.001)

    async def opened() -> None:
        await (await Store.open(url, max_wait=60)).close()

    asyncio.run(opened())
