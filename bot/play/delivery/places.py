"""Where a match is played: in its own thread, or in the channel where it was agreed.

Decided once, before its first board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from typing import Any, ClassVar, Final

import discord
import structlog

from bot.core import hourly_limits
from bot.core.computers import is_computer
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, timestamp
from bot.core.interactions.layout import say_in, text_layout
from bot.core.permissions.channels import lacking
from bot.core.permissions.members import Members
from bot.core.posts import kinds
from bot.core.posts.kinds import A_WEEK, PostKind, Rank
from bot.core.posts.poster import Poster
from bot.core.requests.sending import FAILED, OneTry, refused
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.delivery.match_requests import in_time
from bot.play.delivery.notices import Notice, announces
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches import jobs, match_text
from bot.play.matches.computer_players import playing
from bot.play.matches.jobs import RESTORED
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from data import locks, posts
from data.challenges import challenges
from data.challenges.challenge import Challenge
from data.matches import boards, matches, outbox
from data.matches.match import CHANNEL, THREAD
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import Tongue, lines, say

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
ATTEMPTS: Final = 2
"""How often a thread is tried before all goes to the channel."""
_A_WEEK: Final = 10080
"""The longest time Discord keeps an idle thread open, in minutes."""
MAX_NAME: Final = 100
"""Discord's limit for a thread's name, in characters."""
_SHORTER: Final = (32, 20, 12, 7)
"""Characters kept of each player's name, tried in turn while the name is too long."""


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
        poster: Poster,
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
            poster: posts what comes before a board.
            clock: the time of day.

        """
        self._client = client
        self._threads = Threads(client, transport, locales, names, shards)
        self._store = store
        self._matches = matches
        self._settings = settings
        self._shards = shards
        self._poster = poster
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
                await matches.show_result(tx, match, self._clock())
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
            await jobs.repost(tx, view.match, now, by=by)
            said = await jobs.notify(tx, match, MOVED, at=now, first=True, words=words, by=by)
        await self._poster.post_first([said], _MAX_WAIT)
        return await self._matches.view(match.id)

    async def tell_lost(self, view: MatchView) -> None:
        """Say once that moves of a restored match were lost, before its board is shown.

        Raises:
            StoreError: it could not be queued.

        """
        async with self._store.write() as tx:
            await locks.lock_match(tx, view.match.id)
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
        await self._poster.post_first(said, _MAX_WAIT)

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


@dataclass(eq=False, repr=False)
class Threads:
    """Opens threads."""

    client: discord.Client
    transport: ChannelTransport
    locales: Locales
    names: ThreadNames
    shards: Shards

    async def open(
        self, view: MatchView, channel_id: int, challenge: Challenge | None
    ) -> int | None:
        """Return the thread of a match, created if need be; ``None`` where that is impossible."""
        await self.shards.wait_ready(view.match.guild_id)
        channel = self.client.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel) or not may_open_threads(channel):
            return None
        for _ in range(ATTEMPTS):
            try:
                if challenge is not None and challenge.channel_id == channel_id:
                    thread = await self._open_from(view, channel_id, challenge.message_id)
                    if thread is not None:
                        return thread
                return await self._open_from(view, channel_id, await self._begin(view, channel_id))
            except FAILED as error:
                log.info("no thread could be opened", channel=channel_id, reason=repr(error))
                if refused(error):
                    break
        return None

    async def _open_from(
        self, view: MatchView, channel_id: int, message_id: int | None
    ) -> int | None:
        """Return the thread of a message; ``None`` if the message does not exist."""
        if message_id is None:
            return None
        name = await self.names.of(view)
        try:
            return await open_from(self.client, channel_id, message_id, name)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            return None

    async def _begin(self, view: MatchView, channel_id: int) -> int:
        """Return a message to make a thread from, posted if need be."""
        # No two places of a match share a mark, so it is never led back to one it left.
        left = 0 if view.match.place is None else view.match.channel_id
        number = (view.match.id * 31 + left) % len(kinds.THREAD_MARKS)
        mark = kinds.THREAD_MARKS[number]
        found = await self.transport.find(channel_id, [mark]) or {}
        if found:
            return found[mark]
        names = mention_all(player.user_id for player in view.match.players)
        message = text_layout(
            say("**{match}** between {players}", match=numbered(view), players=names)
        )
        locale = await self.locales.of_match(view.match)
        async with in_time():
            return await self.transport.post(
                channel_id, message.marked(mark), locale, nonce=f"m{view.match.id}s{number}"
            )


async def open_from(client: discord.Client, channel_id: int, message_id: int, name: str) -> int:
    """Return the thread of a message, opened if need be.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: it is not open.

    """
    try:
        async with OneTry():
            await client.http.start_thread_with_message(
                channel_id, message_id, name=name, auto_archive_duration=_A_WEEK
            )
    except discord.HTTPException as error:
        if error.code != _HAS_A_THREAD:
            raise
    return message_id


def may_open_threads(channel: discord.TextChannel) -> bool:
    """Return whether the bot may create threads in a channel and write in them."""
    allowed = channel.permissions_for(channel.guild.me)
    return allowed.create_public_threads and allowed.send_messages_in_threads


@dataclass(eq=False, repr=False)
class ThreadNames:
    """Names threads in the language of each match."""

    members: Members
    locales: Locales

    async def of(self, view: MatchView) -> str:
        """Return the current thread name of a match."""
        locale = await self.locales.of_match(view.match)
        ids = [player.user_id for player in view.match.players]
        names = {user_id: await self._name(view, user_id) for user_id in ids}
        known = {user_id: name for user_id, name in names.items() if name is not None}
        if len(known) < len(names):
            return say_in(locale, numbered(view), MAX_NAME)
        return _fitting(view, known, locale)

    async def _name(self, view: MatchView, user_id: int) -> str | None:
        if user_id < 0 or is_computer(user_id) or view.match.guild_id is None:
            return mention(user_id)
        return await self.members.name(view.match.guild_id, user_id)


def numbered(view: MatchView) -> str:
    """Return the name of a match whose players' names are unknown."""
    return say("{game} · match #{number}", game=view.game.title, number=view.match.id)


def _fitting(view: MatchView, names: Mapping[int, str], locale: Tongue) -> str:
    """Return a name within the limit, with players' names shortened until it fits."""
    name = ""
    for most in _SHORTER:
        short = {user_id: _cut(one, most, locale) for user_id, one in names.items()}
        name = say_in(locale, title(view, short), 10 * MAX_NAME)
        if len(name) <= MAX_NAME:
            break
    return name[:MAX_NAME]


def _cut(name: str, limit: int, locale: Tongue) -> str:
    whole = say_in(locale, name, 10 * MAX_NAME)
    return whole if len(whole) <= limit else f"{whole[: limit - 1].rstrip()}…"


def title(view: MatchView, names: Mapping[int, str]) -> str:
    """Return the whole name of a thread with players under the given names."""
    challenger_first = sorted(view.match.players, key=lambda player: player.place)
    players = reduce(_versus, (names[player.user_id] for player in challenger_first))
    parts = [players, view.game.title]
    if view.match.finished:
        parts = [match_text.headline(view, names), view.game.title, players]
    return lines(parts, " · ")


def _versus(one: str, other: str) -> str:
    # Translators: the players of a match in the name of its thread: "Ann vs Ben".
    return say("{one} vs {other}", one=one, other=other)


@dataclass(eq=False, repr=False)
class ThreadNamePost(PostKind):
    """Names the thread of a match, by its result once the match is over."""

    kind: ClassVar[str] = matches.THREAD_NAME
    rank: ClassVar[Rank] = Rank.EXTRA
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK

    client: discord.Client
    matches: Matches
    names: ThreadNames
    hold: Callable[[int], AbstractAsyncContextManager[None]]

    async def content(self, post: Post) -> None:
        """Rename the thread: there is no message."""
        async with self.hold(post.subject):
            view = await self.matches.view(post.subject)
        if view.match.place == THREAD:
            name = await self.names.of(view)
            await self.client.http.edit_channel(view.match.channel_id, name=name)
