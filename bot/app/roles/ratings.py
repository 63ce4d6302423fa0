"""``python -m bot ratings recompute``."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from typing import Final

from bot.app.roles.membership import database_of
from bot.core.config import Config
from bot.play.ratings import recomputing
from data.store.process_lock import process_lock
from data.store.store import Store

_BAD_SETTINGS: Final = 2


async def recompute(settings: Config) -> int:
    """Recompute all ratings; nothing else may use the database meanwhile.

    Returns:
        0 when done, 2 if no database is configured.

    Raises:
        StoreError: the database cannot be used, or a bot is using it.

    """
    if settings.database_url is None and settings.in_playground:
        print(  # noqa: T201 -- for the person at the terminal
            "There is no database to compute ratings in: set DATABASE_URL, or DISCORD_TOKEN for "
            "the database of the bot.",
            file=sys.stderr,
        )
        return _BAD_SETTINGS
    async with AsyncExitStack() as stack:
        database = database_of(settings, stack)
        hold = await stack.enter_async_context(process_lock(database, max_wait=0))
        store = await Store.open(database, permitted=hold.confirm)
        stack.push_async_callback(store.close)
        results = await recomputing.recompute_everything(store)
    print(f"The ratings are computed again. Results: {results}")  # noqa: T201 -- as above
    return 0
