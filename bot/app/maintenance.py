"""``python -m bot backup FILE``, ``restore FILE`` and ``ratings recompute``.

A backup is one moment of the database, taken while the bot runs: nothing has to stop for it, so
there is no reason to put it off. What was written is read again and compared with that moment
before the file gets its name. Restoring needs the database to itself.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from bot.app import CannotWork, backups, moving
from bot.app.membership import kept_database
from bot.core.config import Config
from bot.play.matches import jobs
from bot.play.ratings import recomputing
from data.matches import matches
from data.sql.errors import InUse, StoreError
from data.store import restoring
from data.store.address import file_of
from data.store.inspection import inspect
from data.store.process_lock import process_lock
from data.store.restoring import Traces
from data.store.store import Store


async def backup(settings: Config, file: Path) -> None:
    """Write a backup.

    Raises CannotWork if no database is configured, and StoreError if the database cannot be read,
    and OSError if the file cannot be written.
    """
    counts = await backups.write(required_database(settings), file)
    total = sum(counts.values())
    print(f"{file}: {total} rows of {len(counts)} tables, read again and compared.")  # noqa: T201 -- for the person at the terminal


async def restore(settings: Config, file: Path | None) -> None:
    """Restore a database from a backup, if not yet restored by other means, and let the bot know.

    Raises CannotWork if no database is configured or the file is missing, StoreError if a bot runs or
    the database cannot be used, and OSError if the file cannot be read.
    """
    known, open_matches = await restore_database(required_database(settings), file)
    moment = "nothing" if known is None else f"everything until {known:%Y-%m-%d %H:%M:%S} UTC"
    print(  # noqa: T201 -- as above
        f"The database knows {moment}. When the bot starts it shows {open_matches} open matches as "
        "they were then, and takes the controls off newer boards."
    )


async def recompute_ratings(settings: Config) -> None:
    """Recompute all ratings; nothing else may use the database meanwhile.

    Raises CannotWork if no database is configured, and StoreError if the database cannot be used,
    or a bot is using it.
    """
    url = required_database(settings)
    async with process_lock(url, max_wait=0) as hold:
        store = await Store.open(url, permitted=hold.confirm)
        try:
            results = await recomputing.recompute_everything(store)
        finally:
            await store.close()
    print(f"The ratings are computed again. Results: {results}")  # noqa: T201 -- as above


def required_database(settings: Config) -> str:
    """Return the address of the bot's database; raise CannotWork if none is configured."""
    url = kept_database(settings)
    if url is None:
        raise CannotWork(
            "There is no database: set DATABASE_URL, or DISCORD_TOKEN for the database of the bot.",
            restart_helps=False,
        )
    return url


async def restore_database(url: str, file: Path | None) -> tuple[datetime | None, int]:
    """Restore a database; return the last moment it knows, and the number of matches that continue.

    Raises like `restore`.
    """
    if file is not None and not await asyncio.to_thread(file.is_file):
        raise CannotWork(f"There is no file {file}, so nothing has been restored. Check its name.")
    async with process_lock(url, max_wait=0) as hold:
        before = Traces() if file is None else await _traces(url)
        if (place := file_of(url)) is not None:
            backups.check_not_replicated(place)
            if file is not None:
                await backups.restore_sqlite(place, file)
        else:
            if others := await backups.other_connections(url):
                raise InUse(
                    f"Other programs are connected to it ({others}). Stop all gateways and workers "
                    "first."
                )
            if file is not None and await asyncio.to_thread(moving.is_sqlite, file):
                before = before.joined(await moving.restore_from_sqlite(url, file))
            elif file is not None:
                await backups.restore_postgresql(url, file)
        store = await Store.open(url, permitted=hold.confirm)
        try:
            return await _prepare(store, before)
        finally:
            await store.close()


async def _traces(url: str) -> Traces:
    """Return what the replaced database has given out, as far as it can be read."""
    try:
        inspection = await inspect(url)
        if not inspection.usable:
            return Traces()
        store = await Store.open(url)
        try:
            async with store.read() as tx:
                return await restoring.traces(tx)
        finally:
            await store.close()
    except StoreError:
        return Traces()


async def _prepare(store: Store, before: Traces) -> tuple[datetime | None, int]:
    """Prepare a restored database for the bot: see `data.store.restoring`."""
    now = datetime.now(UTC)
    async with store.write() as tx:
        known = await restoring.last_known(tx)
        await restoring.skip_numbers(tx, before, known, now)
        going_on = await restoring.advance_versions(tx, before, now)
        for number, step in going_on.items():
            match = await matches.get_existing(tx, number)
            await jobs.show_restored(tx, match, step, known or now, now)
    return known, len(going_on)
