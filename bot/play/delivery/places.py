"""Where a match is played: in its own thread, or in the channel where it was agreed.

Decided once, before its first board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

import discord
import structlog

from bot.core import hourly_limits
from bot.core.computers import is_person
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, timestamp
from bot.core.interactions.layout import text_layout
from bot.core.permissions.members import Members
from bot.core.posts import kinds
from bot.core.posts.kinds import A_WEEK, PostKind
from bot.core.posts.poster import Poster
from bot.core.requests.sending import FAILED, OneTry, Urgency, refused
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.boards import board_text
from bot.play.delivery.match_requests import in_time
from bot.play.delivery.notices import Notice, announces
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches import jobs, match_names, match_text
from bot.play.matches.computer_players import playing
from bot.play.matches.jobs import RESTORED, HoldMatch
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import locks, posts
from data.challenges import challenges
from data.challenges.challenges import Challenge
from data.matches import boards, matches, outbox
from data.matches.match import CHANNEL, THREAD
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import lines, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
MAX_MOVES: Final = 30
"""Maximum matches a player may move to another channel per hour."""
MOVED: Final = "moved"
"""The notice that a match continues in another place."""
UNKNOWN_CHANNEL: Final = 10003
_MAX_WAIT: Final = 3.0
"""Seconds that a board waits for the notice before it."""
_UNKNOWN_MESSAGE: Final = 10008
_HAS_A_THREAD: Final = 160004
_ATTEMPTS: Final = 2
"""How often a thread is tried before all goes to the channel."""
_A_WEEK: Final = 10080
"""The longest time Discord keeps an idle thread open, in minutes."""


@dataclass(eq=False, repr=False)
class Threads:
    """Opens threads of matches, and names them in the language of each.

    A thread is made from a message, the challenge's or one posted for it, and shares its id. So
    whatever fails in between, there is only one thread.
    """

    client: discord.Client
    store: Store
    transport: ChannelTransport
    members: Members
    locales: Locales
    shards: Shards

    async def open(
        self, position: Position, channel_id: int, challenge: Challenge | None
    ) -> int | None:
        """Return the thread of a match, created if need be; ``None`` where that is impossible."""
        await self.shards.wait_ready(position.match.guild_id)
        channel = self.client.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel):
            return None
        here = challenge is not None and challenge.channel_id == channel_id
        begun = challenge.message_id if challenge is not None and here else None

        async def attempt() -> int | None:
            name, thread = await self.name(position), None
            if begun is not None:
                thread = await open_from(self.client, channel_id, begun, name)
            return thread or await open_from(
                self.client, channel_id, await self._begin(position, channel_id), name
            )

        return await open_thread(channel, attempt)

    async def name(self, position: Position) -> str:
        """Return the current thread name of a match, by its players and result."""
        locale = await self.locales.of_match(position.match)
        people = [one.user_id for one in position.match.players if is_person(one.user_id)]
        names = await self.members.names(position.match.guild_id, people)
        return match_names.of_thread(position, names, locale)

    async def _begin(self, position: Position, channel_id: int) -> int:
        """Return a message to make a thread from, posted if need be."""
        # No two places of a match share a mark, so it is never led back to one it left.
        left = 0 if position.match.channel_kind is None else position.match.channel_id
        number = (position.match.id * 31 + left) % len(kinds.THREAD_MARKS)
        mark = kinds.THREAD_MARKS[number]
        found = await self.transport.find(channel_id, [mark]) or {}
        if found:
            return found[mark]
        names = mention_all(match_names.in_order(position.match))
        between = say(
            "**{match}** between {players}", match=match_text.named(position), players=names
        )
        occasion = await board_text.occasion(self.store, position.match)
        message = text_layout(lines(filter(None, (between, occasion))))
        locale = await self.locales.of_match(position.match)
        async with in_time():
            return await self.transport.post(
                channel_id, message.marked(mark), locale, nonce=f"m{position.match.id}s{number}"
            )


async def open_thread(
    channel: discord.TextChannel, attempt: Callable[[], Awaitable[int | None]]
) -> int | None:
    """Return a thread, tried once more if Discord fails; ``None`` where that is impossible."""
    allowed = channel.permissions_for(channel.guild.me)
    if not (allowed.create_public_threads and allowed.send_messages_in_threads):
        return None
    for _ in range(_ATTEMPTS):
        try:
            return await attempt()
        except FAILED as error:
            log.info("no thread could be opened", channel=channel.id, reason=repr(error))
            if refused(error):
                break
    return None


async def open_from(
    client: discord.Client, channel_id: int, message_id: int, name: str
) -> int | None:
    """Return the thread of a message, opened if need be; ``None`` if the message does not exist."""
    try:
        async with OneTry():
            await client.http.start_thread_with_message(
                channel_id, message_id, name=name, auto_archive_duration=_A_WEEK
            )
    except discord.HTTPException as error:
        if error.code == _UNKNOWN_MESSAGE:
            return None
        if error.code != _HAS_A_THREAD:
            raise
    return message_id


@dataclass(eq=False, repr=False)
class Places:
    """Finds a place for each match. What fails raises `FAILED` or StoreError."""

    client: discord.Client
    threads: Threads
    store: Store
    matches: Matches
    settings: SettingsStore
    shards: Shards
    poster: Poster
    clock: WallClock

    async def settle(self, position: Position) -> None:
        """Decide where to play a match that has no place yet."""
        match = position.match
        async with self.store.read() as tx:
            begun = await boards.latest(tx, match.id) is not None
            challenge = None if begun else await challenges.of_match(tx, match.id)
        thread = None if begun else await self._thread(position, match.channel_id, challenge)
        async with self.store.write() as tx:
            await _put(tx, match.id, match.channel_id, thread)
            if match.finished:
                await matches.show_result(tx, match, self.clock())
            elif thread is not None and challenge is not None and challenge.message_id is not None:
                await challenges.show(tx, challenge, self.clock())

    async def leave(self, position: Position) -> bool:
        """Find another place for a match whose channel is gone; return whether there is one."""
        now = await self.matches.position(position.match.id)
        if now.match.channel_id != position.match.channel_id:
            return True
        parent = now.match.parent_id
        await self.shards.wait_ready(now.match.guild_id)
        if parent is None or self.client.get_channel(parent) is None:
            return False
        await self.move(now, parent, words="gone")
        return True

    async def move(
        self, position: Position, channel_id: int, *, words: str, by: int | None = None
    ) -> None:
        """Move a match to another channel, and say so there before its board is shown.

        Args:
            position: the current match; nothing else may write about it meanwhile.
            channel_id: the channel; the match gets its own thread there if possible.
            words: the reason, one of those in `moved`.
            by: the player who moves it.

        Raises:
            TooMany: they have moved too many within an hour.

        """
        match = position.match
        if by is not None:
            await hourly_limits.take(self.store, by, "move", self.clock(), MAX_MOVES)
        thread = await self._thread(position, channel_id, None)
        async with self.store.write() as tx:
            now = self.clock()
            await _put(tx, match.id, channel_id, thread)
            # What could not be posted in the old place comes along.
            await outbox.unblock_match(tx, match.id, now)
            tx.announce(outbox.TOPIC, match.id)
            await posts.retry_about(tx, jobs.NOTICE_POST, match.id, now)
            await jobs.repost(tx, position.match, now, by=by)
            said = await jobs.notify(tx, match, MOVED, at=now, first=True, words=words, by=by)
        await self.poster.post_first([said], _MAX_WAIT)

    async def tell_lost(self, position: Position) -> None:
        """Say once that moves of a restored match were lost, before its board is shown."""
        async with self.store.write() as tx:
            await locks.lock_match(tx, position.match.id)
            pending = await outbox.pending(tx, position.match.id)
            lost = [job for job in pending if job.payload.get("known")]
            for job in lost:
                await outbox.amend(tx, job, known=None)
            now = self.clock()
            said = [
                await jobs.notify(
                    tx, position.match, RESTORED, at=now, first=True, known=job.payload["known"]
                )
                for job in lost[-1:]
            ]
        await self.poster.post_first(said, _MAX_WAIT)

    async def _thread(
        self, position: Position, channel_id: int, challenge: Challenge | None
    ) -> int | None:
        """Return a thread for a match in a channel, where its server wants threads."""
        guild_id = position.match.guild_id
        if guild_id is None or not (await self.settings.server(guild_id)).threads:
            return None
        return await self.threads.open(position, channel_id, challenge)


async def _put(tx: Transaction, match_id: int, channel_id: int, thread: int | None) -> None:
    await matches.set_channel(
        tx,
        match_id,
        kind=CHANNEL if thread is None else THREAD,
        channel_id=thread or channel_id,
        parent_id=None if thread is None else channel_id,
    )


@announces(RESTORED)
def restored(position: Position, payload: Mapping[str, Any]) -> Notice:
    """Say that moves were lost."""
    words = say(
        "I had to be restored from a backup. Everything in match #{number} after {moment} "
        "is lost. The game goes on from here.",
        number=position.match.id,
        moment=timestamp(datetime.fromisoformat(payload["known"])),
    )
    return Notice(text_layout(words))


@announces(MOVED)
def moved(position: Position, payload: Mapping[str, Any]) -> Notice:
    """Say that a match continues here, and why."""
    number, by = position.match.id, payload["by"]
    if payload["words"] == "gone":
        words = say(
            "The thread of match #{number} was deleted, so the game goes on here. Nothing is lost.",
            number=number,
        )
        return Notice(text_layout(words))
    others = tuple(player.user_id for player in playing(position.match) if player.user_id != by)
    words = say(
        "{others}, {player} moved match #{number} here. It goes on below.",
        player=mention(by),
        number=number,
        others=mention_all(others),
    )
    return Notice(text_layout(words), others, by=by)


@dataclass(eq=False, repr=False)
class ThreadNamePost(PostKind):
    """Names the thread of a match, by its result once the match is over."""

    kind: ClassVar[str] = matches.THREAD_NAME
    urgency: ClassVar[Urgency] = Urgency.EXTRA
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK

    client: discord.Client
    matches: Matches
    threads: Threads
    hold: HoldMatch

    async def content(self, post: Post) -> None:
        """Rename the thread: there is no message."""
        async with self.hold(post.subject):
            position = await self.matches.position(post.subject)
        if position.match.channel_kind == THREAD:
            name = await self.threads.name(position)
            await self.client.http.edit_channel(position.match.channel_id, name=name)
