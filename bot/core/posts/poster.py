"""Carries out posts: brings each message up to date, and tries again by a clock.

It works from state: a post is due while it was wanted more often than its message was brought up
to date, so lost events and repeated calls do no harm. Every post is tried by itself, so a fault in
one channel, or of one person's direct messages, delays no other. `bot.core.requests.faults` decides what
follows a failure.

A message that may have arrived, because its reply was lost or an earlier run may have sent it, is
searched for once. Where the search fails, it is posted with the same nonce, by which Discord
recognises it for some minutes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot.core.background import KeyedBackground
from bot.core.errors import NoSuchMatch
from bot.core.interactions.layout import Layout
from bot.core.interactions.views import NOBODY, View, attached, mark_of, only
from bot.core.posts import kinds
from bot.core.posts.failing_routes import FailingRoutes, failed_route
from bot.core.posts.kinds import Content, Later, Pings, PostKind
from bot.core.requests import faults
from bot.core.requests.faults import EDIT, POST, UPLOAD, Attempt, Fault, Route
from bot.core.requests.sending import FAILED, OneTry, Urgency, failure_of, urgency
from bot.core.scheduling.scheduler import BETWEEN_BATCHES, WallClock
from bot.core.shards.ownership import Shards
from data import posts
from data.posts import Post
from data.sql.errors import StoreError
from data.sql.statements import Scope
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BATCH: Final = 100
"""Posts begun at a time."""
_IN_ORDER: Final = timedelta(seconds=10)
"""A post waits for older ones that are due within this time."""
_LOOK: Final = timedelta(seconds=2)
"""How soon a post that waits for an older one looks again."""
_SEARCHED: Final = 50
"""Messages of a channel searched for one that may have arrived."""
_COPIES: Final = 8
"""Successive messages of a post that have different marks."""

_ROUTES: Final = {"edit": EDIT, "post": POST}
_ARCHIVED: Final = 50083


@dataclass(slots=True)
class _Try:
    """An attempt at a post, as far as it got."""

    kind: PostKind
    post: Post
    now: datetime
    content: Content | None = None
    request: str = "read"
    """The last request that was begun: ``read``, ``post`` or ``edit``."""


@dataclass(eq=False, repr=False)
class Poster:
    """The only sender of posts. A source of the scheduler."""

    client: discord.Client
    store: Store
    pings: Pings
    failing: FailingRoutes
    shards: Shards
    clock: WallClock
    _kinds: dict[str, PostKind] = field(default_factory=dict, init=False)
    _inherited: int = field(default=0, init=False)
    """The newest post that an earlier run or owner may have started."""
    _tried: set[int] = field(default_factory=set, init=False)
    """Posts whose first message this run has tried to send."""
    _doubtful: set[int] = field(default_factory=set, init=False)
    """Posts whose message may have arrived."""
    _without_files: set[int] = field(default_factory=set, init=False)
    """Posts whose files Discord refuses."""
    _woken: set[int] = field(default_factory=set, init=False)
    """Posts to try before they are due, as their route may work again."""
    _closed: dict[int, datetime] = field(default_factory=dict, init=False)
    """Until when channels are not tried that the bot may not post in."""
    _under_way: frozenset[int] = field(default=frozenset(), init=False)
    """Posts that `next` leaves to the work on them."""
    work: KeyedBackground = field(init=False)

    def __post_init__(self) -> None:
        """Prepare to work on single posts."""
        self.work = KeyedBackground("posts", self._work, (StoreError,))

    def declare(self, kinds: Iterable[PostKind]) -> None:
        """Register the kinds of posts."""
        for kind in kinds:
            assert kind.kind not in self._kinds, kind.kind
            self._kinds[kind.kind] = kind

    async def recover(self, scope: Scope | None) -> None:
        """Doubt what an earlier run, or the earlier owner of some shards, may have sent.

        What it could not post is tried at once.
        """
        async with self.store.write() as tx:
            self._inherited = await posts.newest(tx)
            with tx.limited_to(scope):
                await posts.retry_in(tx, None, self.clock())

    async def retry(self, guild_id: int) -> None:
        """Try at once what waits in a server, as something has changed there."""
        guild = self.client.get_guild(guild_id)
        for channel in () if guild is None else (*guild.channels, *guild.threads):
            self._closed.pop(channel.id, None)
        async with self.store.write() as tx:
            await posts.retry_in(tx, guild_id, self.clock())

    async def post_first(self, ids: Iterable[int], max_wait: float) -> None:
        """Begin posts at once, and wait for them, but no longer than ``max_wait`` seconds."""
        begun = list(ids)
        for post_id in begun:
            self.work.wake(post_id)
        with suppress(TimeoutError):
            async with asyncio.timeout(max_wait):
                for post_id in begun:
                    await self.work.idle_with(post_id)

    def before_next(self) -> None:
        """Note what is under way, as `next` runs in another thread."""
        self._under_way = self.work.leave()

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next post falls due; those that are due now are begun."""
        now = self.clock()
        found = await posts.due(tx, now, limit=BATCH, without=self._under_way)
        for post in sorted(found, key=self._urgency):
            self.work.wake_from_thread(post.id)
        later = await posts.next_due(tx, now)
        if len(found) == BATCH:
            return now + BETWEEN_BATCHES
        return later

    def _urgency(self, post: Post) -> Urgency:
        kind = self._kinds.get(post.kind)
        return Urgency.EXTRA if kind is None else kind.urgency  # it may be of another version

    async def due(self, now: datetime, /) -> None:
        """Do nothing: `next` begins what is due."""

    async def _work(self, post_id: int) -> None:
        while True:
            now = self.clock()
            async with self.store.read() as tx:
                post = await posts.get(tx, post_id)
            if post is None or post.try_at is None:
                break
            if post.try_at > now and post_id not in self._woken:
                break
            self._woken.discard(post_id)
            if not self.shards.owns(post.guild_id):
                return
            await self._attempt(post, now)
        if post is None or not post.failures:
            self.failing.forget(post_id)
            for known in (self._woken, self._tried, self._doubtful, self._without_files):
                known.discard(post_id)

    async def _attempt(self, post: Post, now: datetime) -> None:
        """Bring one post up to date, or schedule the next attempt."""
        kind = self._kinds.get(post.kind)
        if kind is None:  # of another version
            await self._postpone(post, now + faults.MAX_PAUSE)
            return
        if self._is_out_of_reach(post.guild_id):
            await self._postpone(post, now + faults.pause_after(post.failures, refused=True))
            return
        if kind.follows and not post.done and await self._waits(kind, post, now):
            return
        tried = _Try(kind, post, now)
        late = kind.tried_for is not None and now - post.created_at > kind.tried_for
        if late and post.failures:
            await self._record(tried)
            return
        if post.failures and (wait := self.failing.take()):
            await self._put_off(post, now + wait)
            return
        try:
            with urgency(kind.urgency):
                await self._show(tried)
        except Later as later:
            await self._put_off(post, later.at)
        except FAILED as error:
            await self._failed(tried, error)
            return
        if post.failures:
            self.failing.succeeded()

    def _is_out_of_reach(self, guild_id: int | None) -> bool:
        """Return whether nothing is known of a server for now, not even whether the bot is in it."""
        guild = None if guild_id is None else self.client.get_guild(guild_id)
        if guild is None:
            return guild_id is not None and not self.shards.is_ready(guild_id)
        return guild.unavailable

    async def _waits(self, kind: PostKind, post: Post, now: datetime) -> bool:
        """Put a post off while an older one comes first; return whether it was put off."""
        async with self.store.read() as tx:
            if not await posts.waits(tx, post, kind.follows, now + _IN_ORDER):
                return False
        async with self.store.write() as tx:
            # The older one may have been recorded since, and hastened what was put off by then.
            waits = await posts.waits(tx, post, kind.follows, now + _IN_ORDER, lock=True)
            if waits:
                await posts.put_off(tx, post, now + _LOOK)
        return waits

    async def _show(self, tried: _Try) -> None:
        """Post or edit the message, and record it."""
        post, kind = tried.post, tried.kind
        with suppress(NoSuchMatch):  # it is gone, and nothing is left to say
            async with OneTry():
                tried.content = await kind.content(post)
        content = tried.content
        if content is None:
            if not self._is_out_of_reach(post.guild_id):  # as it may be since it was asked
                await self._record(tried)
            return
        if wait := self._wait(post, content, tried.now):
            counted = not post.failures or content.channel_id not in self._closed
            await (self._postpone if counted else self._put_off)(post, tried.now + wait)
            return
        if post.message_id is not None and content.channel_id not in {None, post.channel_id}:
            await self._post_anew(tried, failed=False)
            return
        async with OneTry():
            channel = await self._channel(post, content)
            message_id = content.message_id
            if message_id is None and post.channel_id == channel.id:
                message_id = post.message_id
            if message_id is not None:
                tried.request = "edit"
                await self._edit(post, content, channel.get_partial_message(message_id))
            else:
                tried.request = "post"
                message_id = await self._post(post, content, channel)
        if tried.request == "post":
            await kind.sent(post, content, message_id)
        self._closed.pop(channel.id, None)
        lacks_files = bool(content.layout.files) and post.id in self._without_files
        if lacks_files:
            self._wait_for(UPLOAD, post, faults.wake_after(post.failures, Fault.NO_REPLY))
        elif content.layout.files:
            self.failing.works(UPLOAD)
        await self._record(tried, (channel.id, message_id), lacks_files=lacks_files)

    def _wait(self, post: Post, content: Content, now: datetime) -> timedelta:
        """Return how long a post must wait without a request."""
        if content.channel_id is not None:
            if post.guild_id is not None and self.client.get_guild(post.guild_id) is None:
                return faults.pause_after(post.failures, refused=True)
            closed = self._closed.get(content.channel_id, now)
            if post.message_id is None and closed > now:
                self._wait_for(POST._replace(channel_id=content.channel_id), post, timedelta())
                return closed - now
        return timedelta()

    def _wait_for(self, route: Route | None, post: Post, pause: timedelta) -> None:
        """Try a post again once a route may work again, if that is before it is due."""

        def wake() -> None:
            if route is not None and route.channel_id is not None:
                self._closed.pop(route.channel_id, None)
            self._woken.add(post.id)
            self.work.wake(post.id)

        self.failing.wait(route, post.id, wake, pause)

    async def _channel(
        self, post: Post, content: Content
    ) -> discord.PartialMessageable | discord.DMChannel:
        if content.channel_id is not None:
            return self.client.get_partial_messageable(content.channel_id)
        return await self.client.create_dm(discord.Object(content.user_id or post.user_id))

    async def _edit(self, post: Post, content: Content, message: discord.PartialMessage) -> None:
        layout = self._shown(post, content)
        view = View(layout.marked(_mark(post)), content.locale)
        change = partial(message.edit, view=view, allowed_mentions=NOBODY)
        try:
            await change(attachments=attached(layout.files))
        except discord.HTTPException as error:
            if error.code != _ARCHIVED:
                raise
            await self.client.http.edit_channel(message.channel.id, archived=False)
            await change(attachments=attached(layout.files))

    async def _post(
        self, post: Post, content: Content, channel: discord.PartialMessageable | discord.DMChannel
    ) -> int:
        doubt = post.id in self._doubtful or (
            post.id not in self._tried and post.id <= self._inherited
        )
        self._tried.add(post.id)
        if doubt:
            found = await self._search(channel, _mark(post))
            self._doubtful.discard(post.id)
            if found is not None:
                return found
        layout = self._shown(post, content)
        direct = content.channel_id is None
        pinged = await self.pings.of(
            [content.user_id or post.user_id] if direct else content.pings, by=content.by
        )
        sent = await channel.send(
            view=View(layout.marked(_mark(post)), content.locale),
            files=attached(layout.files),
            nonce=f"post{post.id}c{post.copies}",
            silent=direct and not pinged,
            allowed_mentions=NOBODY if direct else only(pinged),
        )
        return sent.id

    async def answer(self, channel_id: int, content: Content, *, nonce: str) -> bool:
        """Post something that is of use only now; return whether Discord has taken it.

        It is no post: its nonce keeps two processes from saying it twice, without a record of
        each message that was answered.
        """
        try:
            async with OneTry():
                await self.client.get_partial_messageable(channel_id).send(
                    view=View(content.layout, content.locale),
                    files=attached(content.layout.files),
                    nonce=nonce,
                    allowed_mentions=NOBODY,
                )
        except FAILED as error:
            log.info("could not answer a message", channel=channel_id, reason=repr(error))
            return False
        return True

    def _shown(self, post: Post, content: Content) -> Layout:
        return content.layout.in_words() if post.id in self._without_files else content.layout

    async def _search(
        self, channel: discord.PartialMessageable | discord.DMChannel, mark: int
    ) -> int | None:
        """Return the bot's message with a mark; ``None`` if it is not there or cannot be searched."""
        me = self.client.user
        try:
            async for message in channel.history(limit=_SEARCHED):
                if me is not None and message.author.id == me.id and mark_of(message) == mark:
                    return message.id
        except discord.HTTPException as error:
            log.info("could not search for a post", mark=mark, reason=repr(error))
        return None

    async def _failed(self, tried: _Try, error: Exception) -> None:
        """Decide how to go on after a failed request."""
        post, content, now = tried.post, tried.content, tried.now
        fault, wait = failure_of(error)
        log.info("a post failed", post=post.id, kind=post.kind, reason=repr(error))
        if not post.failures:
            self.failing.failed()
        attempt = Attempt(
            post.failures,
            edits=tried.request == "edit",
            has_files=content is not None and bool(self._shown(post, content).files),
            replaces=tried.kind.replaces,
            renews=tried.kind.renews,
        )
        todo = faults.after(attempt, fault, wait=wait, jitter=random.random())  # noqa: S311
        if todo is None:
            if fault is not Fault.MESSAGE_GONE:
                there = None if content is None else content.channel_id
                try:
                    with suppress(NoSuchMatch):
                        await tried.kind.ended(replace(post, channel_id=there or post.channel_id))
                except Later as later:
                    await self._postpone(post, later.at)
                    return
            await self._record(tried)
            return
        if todo.doubt:
            self._doubtful.add(post.id)
        if todo.without_files:
            self._without_files.add(post.id)
        if todo.anew:
            await self._post_anew(tried, failed=True, deleted=fault is Fault.MESSAGE_GONE)
        else:
            await self._postpone(post, now + todo.pause)
            route = failed_route(error, _ROUTES.get(tried.request))
            self._wait_for(route, post, faults.wake_after(post.failures, fault, wait=wait))
        if fault in {Fault.FORBIDDEN, Fault.REFUSED} and content is not None:
            refused = fault is Fault.FORBIDDEN and tried.request == "post"
            if refused and content.channel_id is not None:
                self._closed[content.channel_id] = now + todo.pause
            await tried.kind.refused(post, content)

    async def _postpone(self, post: Post, at: datetime) -> None:
        async with self.store.write() as tx:
            await posts.postpone(tx, post, at)

    async def _put_off(self, post: Post, at: datetime) -> None:
        async with self.store.write() as tx:
            await posts.put_off(tx, post, at)

    async def _post_anew(self, tried: _Try, *, failed: bool, deleted: bool = False) -> None:
        """Give up a post's message, so that a new one is posted at once."""
        schedule = posts.postpone if failed else posts.schedule
        async with self.store.write() as tx:
            if not deleted:
                await tried.kind.left(tx, tried.post)
            await schedule(tx, tried.post, tried.now, copies=1)

    async def _record(
        self, tried: _Try, shown: tuple[int, int] | None = None, *, lacks_files: bool = False
    ) -> None:
        """Record that a message shows what was wanted, or all but its files, or nothing is left to.

        ``shown`` are its channel and id.
        """
        post, kind, content, now = tried.post, tried.kind, tried.content, self.clock()
        channel_id, message_id = shown or (post.channel_id, post.message_id)
        pause = faults.pause_after(post.failures, refused=True) if lacks_files else None
        async with self.store.write() as tx:
            if lacks_files or kind.kept or not await posts.remove(tx, post):
                await posts.record(
                    tx,
                    post,
                    channel_id=channel_id,
                    message_id=message_id,
                    try_at=None if pause is None else now + pause,
                    again=content.again if shown and content else None,
                )
            if message_id is not None and message_id != post.message_id:
                await kind.posted(tx, post, message_id)
            if kind.follows and not post.done:
                await posts.hasten(tx, post, kind.follows, now, now + _LOOK)
        self._without_files.discard(post.id)  # the next attempt uploads them again


def _mark(post: Post) -> int:
    return kinds.POST_MARKS[(post.id * _COPIES + post.copies % _COPIES) % len(kinds.POST_MARKS)]
