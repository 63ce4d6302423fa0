"""Posts and edits ladder messages, and alerts those who can help if that fails."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final, NamedTuple

import aiohttp
import discord
import structlog

from bot.delivery import marks
from bot.delivery.places import UNKNOWN_CHANNEL
from bot.delivery.requests import in_time, refused
from bot.interactions.layout import text_layout
from bot.interactions.reply import UNKNOWN_MESSAGE
from bot.ladder import challenge_text, text
from bot.ladder.buttons import post_layout
from bot.ladder.challenge_buttons import challenge_layout
from bot.ladder.view import fresh_view
from bot.matches import links
from data import ladder_challenges, ladder_posts, ladders, matches
from data.boards import PostedMessage

if TYPE_CHECKING:
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.interactions.layout import Layout
    from bot.ladder.source import Posted
    from bot.permissions.alerts import PermissionAlerts
    from data.ladder_posts import LadderPost
    from data.ladders import Ladder
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_TOO_MANY_EDITS: Final = 30046
"""Too many edits to a message older than an hour; clears up with time."""


class _Content(NamedTuple):
    """A message to post."""

    layout: Layout
    pings: tuple[int, ...] = ()
    """Users to ping, if their settings allow."""
    by: int | None = None
    """The player waiting for them; see `Pings.of`."""


class LadderPosts:
    """Posts and edits ladder messages."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        transport: ChannelTransport,
        locales: Locales,
        alerts: PermissionAlerts,
    ) -> None:
        """Post through a transport."""
        self._client = client
        self._store = store
        self._transport = transport
        self._locales = locales
        self._alerts = alerts

    def is_here(self, guild_id: int) -> bool:
        """Return whether the bot can reach a server now."""
        guild = self._client.get_guild(guild_id)
        return guild is not None and not guild.unavailable

    async def post(self, post: LadderPost) -> Posted:
        """Post or edit a message, first searching for one posted earlier."""
        async with self._store.read() as tx:
            ladder = await ladders.get(tx, post.ladder_id)
        assert ladder is not None, "a ladder is never removed"
        if not self.is_here(ladder.guild_id):
            return "refused"
        try:
            async with in_time():
                if post.kind == "moved":
                    return await self._leave(post, ladder)
                return await self._update_post(post, ladder)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("a ladder cannot be shown", ladder=ladder.id, reason=repr(error))
            if (
                not isinstance(error, discord.HTTPException)
                or not refused(error)
                or error.code == _TOO_MANY_EDITS
            ):
                return "later"
            if error.code == UNKNOWN_CHANNEL:
                return "gone"
            if post.kind != "moved":
                await self._alerts.ask_owner(ladder.guild_id, post.channel_id)
            return "refused"

    async def notify_lost(self, ladder_id: int) -> None:
        """Tell who opened a ladder, or the server's owner, that its channel is gone."""
        async with self._store.read() as tx:
            ladder = await ladders.get(tx, ladder_id)
        assert ladder is not None, "a ladder is never removed"
        words = text.channel_gone(ladder)
        key = f"lost:l{ladder.id}:{ladder.channel_id}"
        log.warning("the channel of a ladder is gone", ladder=ladder.id)
        await self._alerts.notify_organiser(ladder.created_by, ladder.guild_id, words, key)

    async def _update_post(self, post: LadderPost, ladder: Ladder) -> int | None:
        """Post or edit a message and return its id; ``None`` if it isn't needed."""
        content = await self._message(post)
        if content is None:
            return post.message_id
        layout, pings, by = content
        locale = await self._locales.of_guild(ladder.guild_id)
        if post.message_id is not None:
            posted = PostedMessage(post.message_id, post.channel_id, 0, 0, live=False)
            try:
                await self._transport.edit(posted, layout, locale)
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                if post.kind != "ladder":
                    return post.message_id  # deleted on purpose
                async with self._store.write() as tx:
                    post = await ladder_posts.mark_lost(tx, post)
            else:
                return post.message_id
        mark = marks.LADDERS[post.id]
        found = await self._transport.find(post.channel_id, [mark])
        if mark in found:
            return await self._update_found(post, ladder, found[mark], layout)
        return await self._transport.post(
            post.channel_id,
            layout.marked(mark),
            locale,
            nonce=f"ladder{post.id}l{post.lost}",
            pings=pings,
            by=by,
        )

    async def _leave(self, post: LadderPost, ladder: Ladder) -> int | None:
        """Remove the buttons from a message in a channel the ladder has left."""
        assert post.message_id is not None, "it was posted"
        async with self._store.read() as tx:
            if await ladder_posts.is_current(tx, ladder.id, post.message_id):
                return None  # the ladder has come back and uses it again
        posted = PostedMessage(post.message_id, post.channel_id, 0, 0, live=False)
        locale = await self._locales.of_guild(ladder.guild_id)
        with contextlib.suppress(discord.NotFound):  # the message or its channel is deleted
            await self._transport.edit(posted, text_layout(text.moved(ladder)), locale)
        return None

    async def _update_found(
        self, post: LadderPost, ladder: Ladder, message: int, layout: Layout
    ) -> int:
        """Update a message posted by an earlier run that failed to record it."""
        locale = await self._locales.of_guild(ladder.guild_id)
        posted = PostedMessage(message, post.channel_id, 0, 0, live=False)
        await self._transport.edit(posted, layout.marked(marks.LADDERS[post.id]), locale)
        return message

    async def _message(self, post: LadderPost) -> _Content | None:
        """Return a message's content; ``None`` if it is no longer needed."""
        async with self._store.read() as tx:
            view = await fresh_view(tx, post.ladder_id)
            if post.challenge_id is None:
                last = await ladders.events(tx, view.id, limit=1)
                return _Content(post_layout(view, last[0] if last else None))
            challenge = await ladder_challenges.get(tx, post.challenge_id)
            assert challenge is not None, "a challenge is never removed"
            match = (
                None if challenge.match_id is None else await matches.get(tx, challenge.match_id)
            )
            board = None if match is None else await links.board(tx, match)
        if post.kind == "outcome":
            answered = challenge.outcome in {"declined", "passed", "lapsed"}
            outcome_layout = text_layout(challenge_text.outcome(view, challenge))
            return _Content(
                outcome_layout, (challenge.challenger_id,) if answered else challenge.both
            )
        if post.message_id is None and not challenge.waiting:
            return None
        if post.kind == "reminder":
            layout = text_layout(challenge_text.reminder(view, challenge))
        else:
            layout = challenge_layout(view, challenge, board)
        return _Content(layout, (challenge.challenged_id,), challenge.challenger_id)
