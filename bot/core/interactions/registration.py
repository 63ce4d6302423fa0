"""Registers the commands with Discord.

It may fail for however long: starting never depends on it.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.core.background import cancel, until
from bot.core.i18n.locales import Locales
from bot.core.interactions import entry_point
from bot.core.interactions.tree import Tree, digest
from bot.core.metrics import Metrics
from bot.core.requests.faults import MAX_PAUSE, pause_after
from bot.core.requests.sending import OneTry, failure_of
from bot.core.scheduling.scheduler import WallClock
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store
from engine.plain_text import one_line

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FIRST_WAIT: Final = 5.0
"""Seconds that connecting waits for the first attempt, so that usually no one finds the bot online
without its commands."""
_TIMEOUT: Final = 60.0
"""Seconds for one request."""
_MAX_REASON: Final = 300
"""Characters."""


@dataclass(eq=False, repr=False)
class CommandRegistration:
    """Sends the commands to Discord, in every language, until it has them."""

    tree: Tree
    """The commands."""
    store: Store
    locales: Locales
    """The languages of the commands."""
    metrics: Metrics
    """Say whether Discord has the commands."""
    clock: WallClock
    always: bool = False
    """Send them at every start, to a Discord that forgets them."""
    activity: bool = False
    """Whether the bot has an Activity, and so answers the command that opens it."""
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    async def start(self) -> None:
        """Register the commands, in the background if that takes long; call this after the login."""
        key, hashed, payload = await self.tree.described(self.locales)
        attempted = asyncio.Event()
        opens = entry_point.texts(self.locales) if self.activity else None
        work = self._register(key, hashed, payload, attempted, opens)
        self._task = asyncio.create_task(work, name="registers-commands")
        await until(attempted)(_FIRST_WAIT)

    async def close(self) -> None:
        """Stop trying."""
        await cancel(self._task)

    async def _register(
        self,
        key: str,
        hashed: str,
        payload: list[dict[str, Any]],
        attempted: asyncio.Event,
        opens: dict[str, Any] | None = None,
    ) -> None:
        described = digest(opens)
        first: list[str | None] = []
        failures = 0
        while True:
            try:
                async with self.store.read() as tx:
                    known = await key_values.get(tx, key)
                    opened_by = await key_values.get(tx, _entry_key(key))
                first = first or [known]
                if known != first[0]:
                    break  # another process has registered its commands meanwhile
                if known != hashed or self.always or (opens and opened_by != described):
                    there = await self._send(payload, opens)
                    async with self.store.write() as tx:
                        await key_values.set(tx, key, hashed)
                        # Without Activities in the portal there is none yet: the next start looks again.
                        await key_values.set(tx, _entry_key(key), described if there else "")
                        await key_values.remove(tx, failure_key(key))
                    log.info("commands synced", commands=len(payload))
                self.metrics.commands_registered(yes=True)
                break
            except Exception as error:  # noqa: BLE001 -- whatever it is, players can play meanwhile
                if self.tree.client.is_closed():
                    return  # it was stopped meanwhile: that is no failure
                refused = isinstance(error, discord.HTTPException) and error.status < 500
                pause = pause_after(failures, refused=refused, jitter=random.random())  # noqa: S311 -- no secret
                _, wait = failure_of(error)
                pause = max(pause, min(timedelta(seconds=wait), MAX_PAUSE))
                failures += 1
                reason = _reason(error)
                await self._failed(key, reason)
                log.warning(
                    "commands are not registered, trying again later",
                    reason=reason,
                    seconds=round(pause.total_seconds()),
                )
            finally:
                attempted.set()
            await self.clock.until(self.clock() + pause)

    async def _send(self, payload: list[dict[str, Any]], opens: dict[str, Any] | None) -> bool:
        """Send the commands; return whether one of them opens the Activity."""
        http, application_id = self.tree.client.http, self.tree.client.application_id
        assert application_id is not None, "commands are registered after the login"
        kept: list[dict[str, Any]] = []
        route = discord.http.Route(
            "GET", "/applications/{application_id}/commands", application_id=application_id
        )
        try:
            async with asyncio.timeout(_TIMEOUT), OneTry(limited=False):
                there = await http.request(route, params={"with_localizations": "true"})
            kept = entry_point.kept(there, opens)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            # Without it, Discord refuses what would remove that command.
            log.info("Discord does not say which commands it has", reason=_reason(error))
        async with asyncio.timeout(_TIMEOUT), OneTry(limited=False):
            # `sync` would translate them all a second time.
            await http.bulk_upsert_global_commands(application_id, payload=[*payload, *kept])
        return bool(kept)

    async def _failed(self, key: str, reason: str) -> None:
        """Keep the reason of the last failure for the doctor."""
        self.metrics.commands_registered(yes=False)
        with suppress(StoreError):
            async with self.store.write() as tx:
                text = f"{self.clock():%Y-%m-%d %H:%M} UTC, {reason}"
                await key_values.set(tx, failure_key(key), text)


def _reason(error: BaseException) -> str:
    return one_line(str(error) or type(error).__name__)[:_MAX_REASON].rstrip(".")


def _entry_key(key: str) -> str:
    """Return the key of the hash of the command that opens the Activity, from that of the others."""
    return f"launch {key}"


def failure_key(key: str) -> str:
    """Return the key of the last failure, from the key of the commands' hash."""
    return f"failed {key}"
