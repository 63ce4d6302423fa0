"""Messages about a match other than its boards: results, closed offers, and notices.

Each kind of notice, such as a reminder, has a builder, registered by the feature that owns it::

    @announces("reminder")
    def reminder(position: Position, payload: Mapping[str, Any]) -> Notice: ...

A notice is wanted with `jobs.notify`, in the transaction of the event it reports. It is posted
exactly once, where the match is played by then, and after a board that is being written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final, TypeAlias

import structlog

from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import USER_INSTALL
from bot.core.posts.kinds import A_WEEK, Content, Later, Pings, PostKind
from bot.core.requests.faults import pause_after
from bot.core.requests.sending import Urgency
from bot.core.scheduling.scheduler import WallClock
from bot.play.boards import board_message_views, board_text
from bot.play.boards.board_text import lines_about_end
from bot.play.delivery.board_messages import BoardContents
from bot.play.delivery.permission_posts import PermissionAlerts
from bot.play.delivery.transport import OpenInteractions
from bot.play.matches import jobs, match_text, offer_text
from bot.play.matches.jobs import HoldMatch
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import posts
from data.matches import boards, matches, offers
from data.matches.boards import PostedMessage
from data.matches.match import CHANNEL, THREAD
from data.posts import Post
from data.store.store import Store
from engine.phrase import lines

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FOR_A_BOARD: Final = 3.0
"""Seconds that a notice waits for a board that is being written."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One message, and the users it notifies."""

    message: Layout
    pings: tuple[int, ...] = ()
    """Users to notify, if they want pings; other mentions notify no one."""
    private: Layout | None = None
    """The version sent to a single player, in a direct message."""
    recipients: tuple[int, ...] = ()
    """Who gets direct messages where the bot cannot post, besides the users to notify."""
    by: int | None = None
    """The player who caused it; users with a block between them are not notified."""


Builder: TypeAlias = "Callable[[Position, Mapping[str, Any]], Notice]"
"""Makes a notice from the current match and the payload of its post, with a link to the ``board``."""

_BUILDERS: Final[dict[str, Builder]] = {}


def announces(kind: str) -> Callable[[Builder], Builder]:
    """Register the builder of one kind of notice."""

    def register(builder: Builder) -> Builder:
        assert _BUILDERS.get(kind) in {None, builder}, kind
        _BUILDERS[kind] = builder
        return builder

    return register


@dataclass(eq=False, repr=False)
class NoticePost(PostKind):
    """Posts a notice beside the boards of its match.

    Where the bot is present only by user install, it cannot post by itself: there the players get
    direct messages.
    """

    kind: ClassVar[str] = jobs.NOTICE_POST
    kept: ClassVar[bool] = False
    follows: ClassVar[Collection[str]] = (jobs.NOTICE_POST,)
    tried_for: ClassVar[timedelta | None] = A_WEEK

    store: Store
    matches: Matches
    pings: Pings
    locales: Locales
    alerts: PermissionAlerts
    hold: HoldMatch
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the notice; ``None`` if its turn has passed, or players get it themselves."""
        if self.follows:  # a first notice comes before its board instead
            with suppress(TimeoutError):
                async with asyncio.timeout(_FOR_A_BOARD), self.hold(post.subject):
                    pass
        position = await self.matches.position(post.subject)
        notice = _notice(position, post, await self.matches.link(position.match))
        if notice is None:
            return None
        if post.user_id:
            locale = await self.locales.of_player(post.user_id)
            return Content(notice.private or notice.message, locale, by=notice.by)
        if position.match.channel_kind == USER_INSTALL:
            await self._address(post, notice)
            return None
        locale = await self.locales.of_match(position.match)
        there = position.match.channel_id
        return Content(notice.message, locale, there, pings=notice.pings, by=notice.by)

    async def ended(self, post: Post) -> None:
        """Have another place found for a match whose channel is gone, and post it there later."""
        if post.user_id:
            return
        position = await self.matches.position(post.subject)
        now = self.clock()
        if position.match.channel_id == post.channel_id:
            async with self.store.write() as tx:
                await jobs.repost(tx, position.match, now)
        raise Later(now + pause_after(post.failures, refused=True))

    async def refused(self, post: Post, content: Content) -> None:
        """Ask the server's owner for what the bot may not do there."""
        match = (await self.matches.position(post.subject)).match
        if match.guild_id is not None and content.channel_id == match.channel_id:
            await self.alerts.ask_owner(match.guild_id, match.channel_id, match.parent_id)

    async def _address(self, post: Post, notice: Notice) -> None:
        """Turn a notice into direct messages to those players who may be notified now."""
        users = dict.fromkeys((*notice.pings, *notice.recipients))
        recipients = await self.pings.of(users, by=notice.by)
        async with self.store.write() as tx:
            if not await posts.remove(tx, post):
                return
            for user_id in recipients:
                await posts.want(
                    tx,
                    post.kind,
                    post.subject,
                    part=post.part,
                    user_id=user_id,
                    at=self.clock(),
                    guild_id=post.guild_id,
                    payload=post.payload,
                )


class FirstNoticePost(NoticePost):
    """Posts a notice before the next board of its match, which waits for it, though not for long."""

    kind: ClassVar[str] = jobs.FIRST_NOTICE_POST
    follows: ClassVar[Collection[str]] = ()


def _notice(position: Position, post: Post, board: str | None) -> Notice | None:
    """Return the notice of a post; ``None`` if its turn has passed or it cannot be built."""
    turn = (post.payload.get("ply"), post.payload.get("takebacks", 0))
    now = (position.ply, position.match.takebacks)
    if turn[0] is not None and (turn != now or position.to_move is None):
        return None  # a notice tied to a turn expires with it
    try:
        return _BUILDERS[post.payload["kind"]](position, {**post.payload, "board": board})
    except Exception:  # it can never be built
        log.exception("an announcement failed", post=post.id, kind=post.payload.get("kind"))
        return None


@dataclass(eq=False, repr=False)
class ResultPost(PostKind):
    """Tells the parent channel of a thread how its match ended.

    A match played in the channel itself has told it on its last board, which gets the turning point
    once an analysis has found it.
    """

    kind: ClassVar[str] = matches.RESULT
    tried_for: ClassVar[timedelta | None] = A_WEEK

    store: Store
    matches: Matches
    contents: BoardContents
    locales: Locales
    hold: HoldMatch

    async def content(self, post: Post) -> Content | None:
        """Return the result, or the last board, with the turning point if known."""
        async with self.hold(post.subject), self.store.read() as tx:
            position = await self.matches.position_in(tx, post.subject)
            last = await boards.latest(tx, post.subject)
        match, locale = position.match, await self.locales.of_match(position.match)
        if match.channel_kind == THREAD:
            if post.message_id is None and not match_text.judged(position):
                return None
            shown = self.contents.named(position, locale, board_text.board(position))
            about_end = await lines_about_end(self.store, position, "result")
            occasion = await board_text.occasion(self.store, match)
            told = lines(filter(None, (about_end, occasion)))
            layout = board_message_views.result(shown, position, told)
            there, message_id = post.channel_id or match.parent_id, post.message_id
        elif match.channel_kind == CHANNEL and last is not None and last.ply == match.version:
            shown = await self.contents.current(position)
            shown = self.contents.named(position, locale, shown)
            layout = board_message_views.message(shown)
            there, message_id = last.channel_id, last.message_id
        else:
            return None  # its board is yet to come, and tells it
        picture = await self.contents.picture(position, locale, shown)
        return Content(layout.with_files(picture), locale, there, message_id=message_id)


@dataclass(eq=False, repr=False)
class OfferPost(PostKind):
    """Says on the message of an offer what became of it, and takes its buttons away."""

    kind: ClassVar[str] = offers.CLOSED
    urgency: ClassVar[Urgency] = Urgency.EXTRA
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK

    store: Store
    matches: Matches
    interactions: OpenInteractions
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return what became of the offer."""
        async with self.store.read() as tx:
            offer = await offers.get(tx, post.subject)
        if offer is None or offer.channel_id is None or offer.message_id is None:
            return None
        position = await self.matches.position(offer.match_id)
        layout = text_layout(offer_text.closed(offer, position))
        if position.match.channel_kind != USER_INSTALL:
            locale = await self.locales.of_match(position.match)
            return Content(layout, locale, offer.channel_id, message_id=offer.message_id)
        there = PostedMessage(offer.message_id, offer.channel_id, offer.match_id, 0, live=False)
        for one in self.interactions.reaching(offer.match_id, offer.message_id)[-1:]:
            await one.edit_reached(there, layout, await one.locale())
        return None
