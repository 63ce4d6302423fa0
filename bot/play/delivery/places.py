"""Where a match is played: in its own thread, or in the channel where it was agreed.

Decided once, before its first board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

import discord
import structlog

from bot.core import hourly_limits
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, timestamp
from bot.core.interactions.layout import text_layout
from bot.core.permissions.channels import lacking
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.delivery.notices import Notice, announces
from bot.play.delivery.threads import ThreadNames, Threads
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches import jobs
from bot.play.matches.jobs import RESTORED
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.matches.stand_ins import playing
from data.challenges import challenges
from data.matches import boards, matches, outbox, result_posts
from data.matches.match import CHANNEL, THREAD
from data.posts import posts
from data.store.store import Store, Transaction
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MAX_MOVES: Final = 30
"""Maximum matches a player may move to another channel per hour."""
MOVED: Final = "moved"
"""The notice that a match continues in another place."""

UNKNOWN_CHANNEL: Final = 10003
_MAX_WAIT: Final = 3.0
"""Seconds that a board waits for the notice before it."""


class Places:
    """Finds a place for each match."""

    def __init__(
        self,
        client: discord.Client,
        transport: ChannelTransport,
        store: Store,
        matches: Matches,
        *,
        settings: SettingsStore,
        locales: Locales,
        names: ThreadNames,
        shards: Shards,
        post_first: Callable[[Iterable[int], float], Awaitable[None]],
        clock: WallClock,
    ) -> None:
        """Create threads through a client, in servers that want them.

        Args:
            client: the bot.
            transport: posts messages to make threads from.
            store: records places.
            matches: the matches.
            settings: what servers have chosen.
            locales: the languages of servers.
            names: names threads.
            shards: knows when Discord has sent the channels of a server.
            post_first: posts what comes before a board, and waits for it so many seconds at most.
            clock: the time of day.

        """
        self._client = client
        self._threads = Threads(client, transport, locales, names, shards)
        self._store = store
        self._matches = matches
        self._settings = settings
        self._shards = shards
        self._post_first = post_first
        self._clock = clock

    async def settle(self, view: MatchView) -> None:
        """Decide where to play a match that has no place yet.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: still undecided.

        """
        match = view.match
        async with self._store.read() as tx:
            begun = await boards.latest(tx, match.id) is not None
            challenge = None if begun else await challenges.of_match(tx, match.id)
        thread = None
        if not begun and await self._wants_thread(match.guild_id):
            thread = await self._threads.open(view, match.channel_id, challenge)
        async with self._store.write() as tx:
            await self._put(tx, match.id, match.channel_id, thread)
            if match.finished:
                await result_posts.want(tx, match, self._clock())
            elif thread is not None and challenge is not None and challenge.message_id is not None:
                await challenges.show(tx, challenge, self._clock())

    def open(self, channel_id: int, parent_id: int | None) -> bool:
        """Return whether boards can be shown in a channel or thread, as far as known."""
        return not lacking(self._client, channel_id, parent_id)

    async def leave(self, view: MatchView) -> MatchView | None:
        """Find another place for a match whose channel is gone.

        Returns:
            The match in a place it was not seen in before; ``None`` if there is none.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: still undecided.

        """
        now = await self._matches.view(view.match.id)
        if now.match.channel_id != view.match.channel_id:
            return now
        parent = now.match.parent_id
        await self._shards.wait_ready(now.match.guild_id)
        if parent is None or self._client.get_channel(parent) is None:
            return None
        return await self.move(now, parent, words="gone")

    async def move(
        self, view: MatchView, channel_id: int, *, words: str, by: int | None = None
    ) -> MatchView:
        """Move a match to another channel, and say so there before its board is shown.

        Args:
            view: the current match; nothing else may write about it meanwhile.
            channel_id: the channel; the match gets its own thread there if possible.
            words: the reason, one of those in `moved`.
            by: the player who moves it.

        Raises:
            TooMany: they have moved too many within an hour.
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it was not moved.

        """
        match = view.match
        if by is not None:
            await hourly_limits.take(self._store, by, "move", self._clock(), MAX_MOVES)
        thread = None
        if await self._wants_thread(match.guild_id):
            thread = await self._threads.open(view, channel_id, None)
        async with self._store.write() as tx:
            now = self._clock()
            await self._put(tx, match.id, channel_id, thread)
            # What could not be posted in the old place comes along.
            await outbox.unblock_match(tx, match.id, now)
            tx.announce(outbox.TOPIC, match.id)
            await posts.retry_about(tx, jobs.NOTICE_POST, match.id, now)
            await jobs.repost(tx, view, now, by=by)
            said = await jobs.notify(tx, match, MOVED, at=now, first=True, words=words, by=by)
        await self._post_first([said], _MAX_WAIT)
        return await self._matches.view(match.id)

    async def tell_lost(self, view: MatchView) -> None:
        """Say once that moves of a restored match were lost, before its board is shown.

        Raises:
            StoreError: it could not be queued.

        """
        async with self._store.write() as tx:
            await matches.lock(tx, view.match.id)
            restored = [
                job for job in await outbox.pending(tx, view.match.id) if job.payload.get("known")
            ]
            for job in restored:
                await outbox.amend(tx, job, known=None)
            said = [
                await jobs.notify(
                    tx,
                    view.match,
                    RESTORED,
                    at=self._clock(),
                    first=True,
                    known=job.payload["known"],
                )
                for job in restored[-1:]
            ]
        await self._post_first(said, _MAX_WAIT)

    async def _wants_thread(self, guild_id: int | None) -> bool:
        return guild_id is not None and (await self._settings.server(guild_id)).threads

    @staticmethod
    async def _put(tx: Transaction, match_id: int, channel_id: int, thread: int | None) -> None:
        await matches.set_place(
            tx,
            match_id,
            place=CHANNEL if thread is None else THREAD,
            channel_id=thread or channel_id,
            parent_id=None if thread is None else channel_id,
        )


@announces(RESTORED)
def restored(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Say that moves were lost."""
    return Notice(
        text_layout(
            say(
                "I had to be restored from a backup. Everything in match #{number} after {moment} "
                "is lost. The game goes on from here.",
                number=view.match.id,
                moment=timestamp(datetime.fromisoformat(payload["known"])),
            )
        )
    )


@announces(MOVED)
def moved(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Say that a match continues here, and why."""
    number, by = view.match.id, payload["by"]
    if payload["words"] == "gone":
        return Notice(
            text_layout(
                say(
                    "The thread of match #{number} was deleted, so the game goes on here. "
                    "Nothing is lost.",
                    number=number,
                )
            )
        )
    others = tuple(player.user_id for player in playing(view.match) if player.user_id != by)
    words = say(
        "{others}, {player} moved match #{number} here. It goes on below.",
        player=mention(by),
        number=number,
        others=mention_all(others),
    )
    return Notice(text_layout(words), others, by=by)
