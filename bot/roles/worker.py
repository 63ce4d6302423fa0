"""The process that thinks: computers' moves, hints, analyses, ratings. It needs no Discord."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bot.roles.database import database_of
from data.store import Store

if TYPE_CHECKING:
    from bot.config import Config


async def run(settings: Config) -> None:
    """Run until a signal to stop.

    Raises:
        StoreError: the database cannot be used.

    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        store = await Store.open(database_of(settings, stack))
        stack.push_async_callback(store.close)
        await stopped.wait()
