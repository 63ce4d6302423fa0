"""Sends direct messages: the outbox jobs that belong to no match.

If a player's direct messages are closed, the end of their vacation is announced in one of
their matches instead; private notices are dropped.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot.delivery import jobs
from bot.delivery.private_notices import builder_of
from bot.errors import NoSuchMatch
from bot.i18n.mentions import timestamp
from bot.i18n.slash import slash
from bot.interactions.layout import text_layout
from bot.scheduling.vacations import DIRECT_MESSAGE_JOB
from data import clocks, matches, outbox, vacations
from engine.phrase import say

if TYPE_CHECKING:
    from datetime import datetime

    from bot.delivery.private_notices import Builder
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.interactions.layout import Layout
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from data.outbox import Job
    from data.store import Store, Transaction
    from data.vacations import Vacation

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_CLOSED: Final = {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}


class DirectMessages:
    """Sends the direct messages in the outbox when they are due."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        transport: ChannelTransport,
        locales: Locales,
        matches_: Matches,
        *,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Send through a client, if this process owns direct messages."""
        self._shards = shards
        self._client = client
        self._store = store
        self._transport = transport
        self._locales = locales
        self._matches = matches_
        self._clock = clock
        self._posted: set[int] = set()
        """Jobs that this run has started to post; any others may have arrived already."""

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next direct message is due."""
        if not self._shards.has_direct_messages:
            return None
        return await outbox.next_direct_message(tx)

    async def due(self, now: datetime, /) -> None:
        """Send the direct messages that are due."""
        last = 0
        while True:
            async with self._store.read() as tx:
                waiting = await outbox.direct_messages(tx, now, after=last)
            for job in waiting:
                await self._write(job, now)
            if not waiting:
                return
            last = waiting[-1].id

    async def _write(self, job: Job, now: datetime) -> None:
        if (builder := builder_of(job.kind)) is not None:
            await self._write_alone(builder, job, now)
            return
        user = int(job.payload["user"])
        async with self._store.read() as tx:
            away = await vacations.present(tx, user, now)
        current = away is not None and away.id == job.payload.get("vacation")
        if job.kind == DIRECT_MESSAGE_JOB and current and away is not None:
            try:
                await self._send(job, user, away)
            except discord.HTTPException as error:
                if error.status not in _CLOSED:
                    raise
                log.info("a direct message cannot be delivered", code=error.code)
                if await self._queue_in_match(job, away, now):
                    return
        async with self._store.write() as tx:
            await outbox.mark_done(tx, job.id, now)

    async def _write_alone(self, builder: Builder, job: Job, now: datetime) -> None:
        """Send a private notice of a feature; drop it if the player cannot be reached."""
        view = await self._view(int(job.payload["match"]))
        message = None
        if view is not None:
            async with self._store.read() as tx:
                message = await builder(tx, view, job.payload)
        if message is not None:
            try:
                await self._post(job, int(job.payload["user"]), message)
            except discord.HTTPException as error:
                if error.status not in _CLOSED:
                    raise
                log.info("a direct message cannot be delivered", code=error.code)
        async with self._store.write() as tx:
            await outbox.mark_done(tx, job.id, now)

    async def _view(self, match_id: int) -> MatchView | None:
        try:
            return await self._matches.view(match_id)
        except NoSuchMatch:
            return None

    async def _send(self, job: Job, user: int, away: Vacation) -> None:
        message = text_layout(
            say(
                "Your vacation ends {distance}, {moment}. Then your clocks run again, with "
                "at least a day each. End it early with {back}.",
                back=slash("me", "back"),
                moment=timestamp(away.ends_at),
                distance=timestamp(away.ends_at, "R"),
            )
        )
        await self._post(job, user, message)

    async def _post(self, job: Job, user: int, message: Layout) -> None:
        """Post a message, unless an earlier run has done so."""
        channel = await self._client.create_dm(discord.Object(user))
        if job.id not in self._posted and await self._transport.find(channel.id, [job.mark]):
            return
        self._posted.add(job.id)
        locale = await self._locales.of_player(user)
        await self._transport.post(channel.id, message.marked(job.mark), locale, nonce=job.nonce)

    async def _queue_in_match(self, job: Job, away: Vacation, now: datetime) -> bool:
        """Queue a notice in one of the player's matches instead; return whether there is one."""
        async with self._store.write() as tx:
            for clock in await clocks.of_player(tx, away.user_id):
                match = await matches.get(tx, clock.match_id)
                if match is None:
                    continue
                await jobs.notify(
                    tx,
                    match,
                    "returning",
                    nonce=f"n{job.nonce}",
                    at=now,
                    user=away.user_id,
                    until=away.ends_at.timestamp(),
                )
                await outbox.mark_done(tx, job.id, now)
                return True
        return False
