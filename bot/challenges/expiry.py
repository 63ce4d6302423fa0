"""Closes challenges whose time is over, and takes the buttons off the messages of closed ones.

A closed challenge keeps the number of its message until that message has been put right, so a
program that dies in between goes on where it stopped, and changes each message once.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.challenges import buttons as challenge_view
from data import challenges, errors, seeking
from data.challenges import State

if TYPE_CHECKING:
    from datetime import datetime

    from bot.client import Bot
    from bot.scheduling.wall_clock import Clock
    from data.challenges import Challenge
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_AT_ONCE = 5
"""So many messages are changed before others have their turn: Discord takes them slowly."""
_BREATH = timedelta(seconds=10)
_PAUSE = timedelta(minutes=1)
_GRACE = timedelta(minutes=1)
"""So long whoever closes a challenge by a press may take to change its message."""


class Expiry:
    """What is to be done for challenges when a moment has come."""

    def __init__(self, client: Bot, store: Store, *, clock: Clock) -> None:
        """Work on a store and change messages as a client, with the time of day from ``clock``."""
        self._client = client
        self._store = store
        self._clock = clock
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when there is something to do next, ``None`` for never."""
        moments = [await seeking.next_end(tx)]
        closed = await seeking.first_untold(tx, self._clock())
        if closed is not None:
            moments.append(max(closed + _GRACE, self._not_before or closed))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Doing it again does no harm."""
        ended = []
        async with self._store.write() as tx:
            for one in await seeking.expired(tx, now):
                with suppress(errors.NotOpen):  # somebody was faster
                    ended.append(await challenges.close(tx, one.id, State.EXPIRED, now))
        if self._not_before is not None and now < self._not_before:
            return
        async with self._store.read() as tx:
            left = [
                one
                for one in await seeking.untold(tx, now)
                if one.closed_at is not None and one.closed_at + _GRACE <= now
            ]
        todo = [*ended, *left]
        if len(todo) > _AT_ONCE:
            self._not_before = now + _BREATH
        for one in todo[:_AT_ONCE]:
            if not await self.show(one):
                self._not_before = now + _PAUSE
                return

    async def show(self, challenge: Challenge) -> bool:
        """Show in the message of a challenge how it stands; return whether that is settled.

        What is not settled of a closed challenge is tried again later.
        """
        if challenge.message_id is None:
            return True
        # Where the bot is only while somebody uses it, nothing that was said can be changed.
        settled = challenge.guild_id is None or await self._edit(challenge, challenge.message_id)
        if settled and challenge.state not in {State.OPEN, State.STARTED}:
            try:
                async with self._store.write() as tx:
                    await challenges.forget_message(tx, challenge.id)
            except errors.StoreError as error:
                log.warning("could not note that a challenge is shown closed", why=str(error))
                settled = False
        if not settled:
            self._client.timekeeper.wake()
        return settled

    async def _edit(self, challenge: Challenge, message_id: int) -> bool:
        channel = self._client.get_partial_messageable(challenge.channel_id)
        view = await challenge_view.shown(self._client, challenge)
        view.tongue = await self._client.tongues.of_guild(challenge.guild_id)
        try:
            await channel.get_partial_message(message_id).edit(
                view=view,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                log.warning("a challenge could not be shown, trying again", status=error.status)
                return False
            # Deleted, or closed to the bot: a press on it is answered all the same.
            log.info("a closed challenge keeps its buttons", code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("a challenge could not be shown, trying again", why=str(error))
            return False
        return True
