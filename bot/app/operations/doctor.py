"""``python -m bot doctor``: examines everything the bot needs and says what to do.

Nothing is changed: no table is created, no command sent, no gateway connection opened.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import structlog
from sqlalchemy import select

from bot.app.operations import discord_checks, machine_checks
from bot.app.operations.findings import Finding, Level, ok, written
from bot.app.roles.membership import database_of
from bot.core.config import Config
from bot.core.version import VERSION
from data.people.stored_settings import servers
from data.sql.errors import StoreError
from data.sql.key_values import key_values
from data.store.inspection import inspect
from data.store.store import Store
from playground.addresses import Addresses
from playground.connect import point_discord_here

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def run(settings: Config) -> int:
    """Print all findings.

    Returns:
        0 if the bot can work, 1 if something prevents that.

    """
    worst = 0
    async for finding in examine(settings):
        print(written([finding]), flush=True)  # noqa: T201 -- for the person at the terminal
        worst = max(worst, int(finding.level is Level.ERROR))
    print("\nThe bot cannot work like this." if worst else "\nThe bot can work.")  # noqa: T201 -- as above
    return worst


async def examine(settings: Config) -> AsyncIterator[Finding]:
    """Yield all findings."""
    yield ok("version", VERSION)
    async with AsyncExitStack() as stack:
        url = database_of(settings, stack)
        findings = await machine_checks.database(url)
        for one in (*findings, *machine_checks.disks(url), await machine_checks.kernels()):
            yield one
        usable = all(one.level is not Level.ERROR for one in findings)
        configured, pairs = await _stored(url) if usable else ({}, {})
        if settings.playground_url is not None:
            stack.enter_context(point_discord_here(Addresses(settings.playground_url)))
        elif settings.discord_token is None:
            yield ok("token", "none is set: the bot runs a Discord of its own on this machine")
            return
        token = settings.discord_token
        async for one in discord_checks.examine(
            "playground" if token is None else token.get_secret_value(),
            shards=settings.shards,
            configured=configured,
            pairs=pairs,
        ):
            yield one


async def _stored(url: str) -> tuple[dict[int, dict[str, Any]], dict[str, str]]:
    """Return the settings of servers and the key-value pairs, if there are tables."""
    inspection = await inspect(url)
    if inspection.revision != inspection.newest:
        return {}, {}
    try:
        store = await Store.open(url)  # it is up to date, so nothing is migrated
        try:
            async with store.read() as tx:
                chosen = await tx.rows(select(servers.c.guild_id, servers.c.settings))
                pairs = await tx.rows(select(key_values.c.key, key_values.c.value))
        finally:
            await store.close()
    except StoreError as failure:
        log.warning("could not read the servers' settings", reason=str(failure))
        return {}, {}
    return {row.guild_id: row.settings for row in chosen}, {row.key: row.value for row in pairs}
