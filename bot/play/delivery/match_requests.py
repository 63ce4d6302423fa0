"""Requests to Discord about one match, including those whose outcome is uncertain.

A request is done, refused or uncertain: after a broken connection, a server error or a timeout
there is no telling whether Discord has carried it out. An uncertain edit is repeated. An uncertain
post is searched for by its mark before it is repeated.

A request without a reply does not hold up later ones: it continues in the background, for half a
minute at most. If it ends after a newer edit of the same message it may have overwritten that edit,
so the message is uncertain again and is written once more. discord.py sends requests one by one
until it knows the rate limit of a route; an edit that a newer one would have to wait for is
cancelled. Discord may carry it out all the same, so the message is written once more after a while.
A post without a reply is cancelled once a search has found its message.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final

import structlog

from bot.core.background import cancel
from bot.core.posts.failing_routes import Extras
from bot.core.requests.faults import EDIT, POST, NoReply, Route
from bot.core.requests.sending import refused
from bot.core.shards.ownership import Shards
from bot.play.matches.jobs import REWRITE_JOB
from data.matches import matches, outbox
from data.matches.boards import PostedMessage
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
TIMEOUT: Final = 4.0
"""Seconds before a request without a reply continues in the background."""
LATE: Final = (5.0, 20.0)
"""Pauses in seconds before each rewrite of a message whose cancelled edit may still be carried out
late."""


@dataclass(frozen=True, slots=True)
class MarkedPost:
    """A post about a match."""

    mark: int
    """The number that finds the message again."""
    channel_id: int
    ply: int | None = None
    """The version a board shows; ``None`` for other messages."""


@dataclass(frozen=True, slots=True)
class _Edit:
    content: Hashable
    task: asyncio.Task[Any]
    again: bool
    """Whether it repeats a request in progress."""


def in_time() -> asyncio.Timeout:
    """Return a context that raises `TimeoutError` when Discord does not reply in time."""
    return asyncio.timeout(TIMEOUT)


@dataclass(eq=False, repr=False)
class Requests:
    """The requests about one match that are unfinished or uncertain."""

    wake: Callable[[], object]
    """Called when one that went on in the background ends."""
    extras: Extras
    tell_ended: Callable[[int | MarkedPost], object] = lambda _: None
    """Called when any ends, with the id of the edited message or the post."""
    _edits: dict[int, _Edit] = field(default_factory=dict, init=False)
    """The newest edit in progress of each message."""
    _shown: dict[int, Hashable] = field(default_factory=dict, init=False)
    _posting: dict[int, asyncio.Task[int]] = field(default_factory=dict, init=False)
    _started: Counter[int] = field(default_factory=Counter, init=False)
    _missed: set[int] = field(default_factory=set, init=False)
    """Marks of posts in progress that were searched for in vain."""
    _background: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _given_up: dict[int, asyncio.TimerHandle] = field(default_factory=dict, init=False)
    """Timers that rewrite messages whose edit was cancelled."""
    inherited: int = field(default=0, init=False)
    """The last job that an earlier run may have started."""
    seen: dict[int, PostedMessage] = field(default_factory=dict, init=False)
    """Boards that were pressed, by message: they exist, even if the reply to a post was lost."""
    uncertain: set[int] = field(default_factory=set, init=False)
    """Messages that may not show what was last written to them."""
    doubtful: dict[int, MarkedPost] = field(default_factory=dict, init=False)
    """Posts that may have arrived, by mark."""
    posted: dict[int, tuple[MarkedPost, int]] = field(default_factory=dict, init=False)
    """Posts that have arrived, by mark, each with its message id."""

    @property
    def settled(self) -> bool:
        """Whether nothing is in progress or in doubt."""
        return not (
            self._tasks
            or self._given_up
            or self.uncertain
            or self.doubtful
            or self.posted
            or self.seen
        )

    @property
    def under_way(self) -> bool:
        """Whether any request is in progress."""
        return bool(self._tasks)

    async def edit(
        self,
        message_id: int,
        content: Hashable,
        send: Callable[[], Coroutine[Any, Any, object]],
        *,
        force: bool = False,
    ) -> None:
        """Edit a message, unless it already shows this content, which any key identifies.

        ``force`` sends it even while a request for the same content is in progress.

        Raises:
            FAILED: it was refused, is uncertain, or continues in the background.

        """
        if message_id not in self.uncertain and self._shown.get(message_id) == content:
            return
        newest = self._edits.get(message_id)
        if newest is not None and newest.task in self._background and not newest.again:
            force = True  # the request may be lost, but repeating it once is enough
        if newest is None or newest.content != content or force:
            again = newest is not None and newest.content == content
            if newest is not None and newest.task in self._background:
                self._give_up(message_id, newest.task)
            self._shown.pop(message_id, None)
            task = self._start(send())
            newest = self._edits[message_id] = _Edit(content, task, again)
            task.add_done_callback(partial(self._edited, message_id, newest))
        await self._reply(newest.task, EDIT)

    def started(self, mark: int) -> int:
        """Return how often a post was started since it last arrived or was refused."""
        return self._started[mark]

    async def post(self, post: MarkedPost, send: Callable[[], Coroutine[Any, Any, int]]) -> int:
        """Post a message, unless it is posted already, and return its id; raise as `edit` does."""
        if post.mark in self.posted:
            return self.posted[post.mark][1]
        task = self._posting.get(post.mark)
        if task is not None and task in self._background and post.mark in self._missed:
            self._background.discard(task)
            task.cancel()  # the reply may never come; Discord knows the repeat by its nonce
            task = None
        if task is None:
            self._missed.discard(post.mark)
            self.doubtful[post.mark] = post
            self._started[post.mark] += 1
            task = self._posting[post.mark] = self._start(send())
            task.add_done_callback(partial(self._posted, post))
        message_id: int = await self._reply(task, POST)
        return message_id

    def found(self, searched: Mapping[int, MarkedPost], found: Mapping[int, int] | None) -> None:
        """Record the result of a search for posts, by mark; without one they stay doubtful."""
        for mark, post in searched.items():
            if found is None:
                self._missed.update({mark} & self._posting.keys())
                continue
            if mark in found:
                self.posted[mark] = (post, found[mark])
                request = self._posting.get(mark)
                if request in self._background:
                    request.cancel()  # discord.py would hold up the channel's next post for it
            if mark in found or mark not in self._posting:
                self.doubtful.pop(mark, None)
            else:
                self._missed.add(mark)

    async def close(self) -> None:
        """Cancel all requests in progress, and tidy up no more."""
        self.extras.close()
        for timer in self._given_up.values():
            timer.cancel()
        await cancel(*self._tasks)

    async def ended(self) -> None:
        """Wait until all requests have ended."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def _start(self, request: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(request)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _reply(self, task: asyncio.Task[Any], route: Route) -> Any:
        done, _ = await asyncio.wait({task}, timeout=TIMEOUT)
        if not done:
            self._background.add(task)
            raise NoReply(route)
        return task.result()

    def _give_up(self, message_id: int, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        task.cancel()
        if known := self._given_up.pop(message_id, None):
            known.cancel()
        self._write_later(message_id, LATE)

    def _write_later(self, message_id: int, waits: tuple[float, ...]) -> None:
        if waits:
            loop = asyncio.get_running_loop()
            again = partial(self._write_again, message_id, waits[1:])
            self._given_up[message_id] = loop.call_later(waits[0], again)

    def _write_again(self, message_id: int, waits: tuple[float, ...]) -> None:
        del self._given_up[message_id]
        self.uncertain.add(message_id)
        self._write_later(message_id, waits)
        self.wake()

    def _edited(self, message_id: int, edit: _Edit, task: asyncio.Task[Any]) -> None:
        self.tell_ended(message_id)
        if message_id in self._given_up and task.cancelled():
            return
        error = _error(task)
        newest = self._edits.get(message_id)
        if newest is not edit:
            if newest is not None or self._shown.get(message_id) != edit.content:
                self.uncertain.add(message_id)
        else:
            del self._edits[message_id]
            if error is None:
                self._shown[message_id] = edit.content
            if error is None or refused(error):
                self.uncertain.discard(message_id)
            else:
                self.uncertain.add(message_id)
        self._end(task)

    def _posted(self, post: MarkedPost, task: asyncio.Task[int]) -> None:
        self.tell_ended(post)
        if self._posting.get(post.mark) is not task:
            return  # it is being repeated
        error = _error(task)
        del self._posting[post.mark]
        self._missed.discard(post.mark)
        if error is None or refused(error):
            del self._started[post.mark]
        if error is None:
            self.posted[post.mark] = (post, task.result())
        if error is None or refused(error):
            self.doubtful.pop(post.mark, None)
        self._end(task)

    def _end(self, task: asyncio.Task[Any]) -> None:
        if task in self._background:
            self._background.discard(task)
            self.wake()


def _error(task: asyncio.Task[Any]) -> BaseException | None:
    return asyncio.CancelledError() if task.cancelled() else task.exception()


@dataclass(eq=False, repr=False)
class LateRequests:
    """The requests about matches that ended while this process may not have owned their shard.

    A process asks before each request whether it still owns its shards. But it may be suspended in
    the middle of one: the rest goes out when it resumes, perhaps over what the new owner has
    written meanwhile. So once it has a place again, it asks the owner to write these messages once
    more.
    """

    shards: Shards
    _ended: dict[tuple[int, int | MarkedPost], None] = field(default_factory=dict, init=False)
    """In order: their matches, and the edited message or the post."""

    def ended(self, match_id: int, request: int | MarkedPost) -> None:
        """Note that the edit of a message, or a post, has ended or was cancelled."""
        if self.shards.in_doubt:
            self._ended[match_id, request] = None
        else:  # then it was not in doubt before either
            self._ended.clear()

    @property
    def found(self) -> Sequence[int]:
        """The matches these requests are about, in order."""
        return sorted({match_id for match_id, _ in self._ended})

    async def report(self, store: Store, at: datetime) -> None:
        """Ask the owners of the shards to write these messages once more."""
        found = self.found
        async with store.write() as tx:
            for match_id in found:
                if await matches.get(tx, match_id) is not None:
                    await outbox.put(
                        tx,
                        match_id=match_id,
                        kind=REWRITE_JOB,
                        payload=self._payload(match_id),
                        # Nothing names the job: the same messages may be concerned again.
                        nonce=secrets.token_hex(8),
                        at=at,
                    )
        if found:
            log.warning("messages are written once more after a silence", matches=found)
        self._ended.clear()

    def _payload(self, match_id: int) -> dict[str, Any]:
        mine = [request for match, request in self._ended if match == match_id]
        return {
            "messages": sorted(one for one in mine if isinstance(one, int)),
            "posts": [
                [one.mark, one.channel_id, one.ply] for one in mine if isinstance(one, MarkedPost)
            ],
        }
