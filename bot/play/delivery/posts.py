"""Posts about matches besides their boards: results, names of threads, and offers that have closed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

import discord

from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import USER_INSTALL
from bot.core.posts.kinds import A_WEEK, Content, PostKind, Rank
from bot.play.boards import board_message_views, board_text
from bot.play.delivery.board_contents import BoardContents
from bot.play.delivery.open_interactions import OpenInteractions
from bot.play.delivery.threads import ThreadNames
from bot.play.matches import offer_text, results
from bot.play.matches.service import Matches
from data.matches import boards, offers, result_posts
from data.matches.boards import PostedMessage
from data.matches.match import CHANNEL, THREAD
from data.posts.posts import Post
from data.store.store import Store


@dataclass(eq=False, repr=False)
class ResultPost(PostKind):
    """Tells the parent channel of a thread how its match ended.

    A match played in the channel itself has told it on its last board, which gets the turning point
    once an analysis has found it.
    """

    kind: ClassVar[str] = result_posts.RESULT
    tried_for: ClassVar[timedelta | None] = A_WEEK

    store: Store
    matches: Matches
    contents: BoardContents
    locales: Locales
    hold: Callable[[int], AbstractAsyncContextManager[None]]

    async def content(self, post: Post) -> Content | None:
        """Return the result, or the last board, with the turning point if known."""
        async with self.hold(post.subject), self.store.read() as tx:
            view = await self.matches.view_in(tx, post.subject)
            last = await boards.latest(tx, post.subject)
        match, locale = view.match, await self.locales.of_match(view.match)
        content = self.contents.of(view, locale)
        if match.place == THREAD:
            if post.message_id is None and not results.judged(view):
                return None
            shown = board_text.board(view)
            layout = board_message_views.result(shown, view, await content.story())
            there, message_id = post.channel_id or match.parent_id, post.message_id
        elif match.place == CHANNEL and last is not None and last.ply == match.version:
            shown = await content.current()
            layout = board_message_views.message(shown)
            there, message_id = last.channel_id, last.message_id
        else:
            return None  # its board is yet to come, and tells it
        picture = await content.picture(shown)
        return Content(layout, locale, there, [picture], message_id=message_id)


@dataclass(eq=False, repr=False)
class ThreadNamePost(PostKind):
    """Names the thread of a match, by its result once the match is over."""

    kind: ClassVar[str] = result_posts.THREAD_NAME
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


@dataclass(eq=False, repr=False)
class OfferPost(PostKind):
    """Says on the message of an offer what became of it, and takes its buttons away."""

    kind: ClassVar[str] = offers.CLOSED
    rank: ClassVar[Rank] = Rank.EXTRA
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
        view = await self.matches.view(offer.match_id)
        layout = text_layout(offer_text.closed(offer, view))
        if view.match.place != USER_INSTALL:
            locale = await self.locales.of_match(view.match)
            return Content(layout, locale, offer.channel_id, message_id=offer.message_id)
        there = PostedMessage(offer.message_id, offer.channel_id, offer.match_id, 0, live=False)
        reaching = self.interactions.reaching(offer.match_id)
        for one in [one for one in reaching if offer.message_id in one.reached][-1:]:
            await one.edit_reached(there, layout, await one.locale())
        return None
