"""Posts, edits and finds messages in the channels where matches are played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import aiohttp
import discord
import structlog

from bot.core.interactions.layout import Layout, Upload
from bot.core.interactions.views import NOBODY, View, attachment, mark_of, only
from bot.core.posts.pings import Pings
from bot.core.requests.one_try import OneTry
from bot.play.boards.board_message_views import moves_of
from bot.play.delivery.requests import refused
from data.matches.boards import PostedMessage
from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FAILED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
_SEARCHES: Final = 2
"""How often a channel is searched before its messages count as unknown."""
_MAX_SEARCHED: Final = 50
"""Messages of a channel searched for a post that may have arrived."""
_MAX_SEARCHED_FOR_LOST: Final = 500
"""Messages searched for boards that a backup does not know: at most five requests."""


class ChannelTransport:
    """Reaches messages as the bot itself, under its own permissions and rate limits."""

    def __init__(self, client: discord.Client, pings: Pings) -> None:
        """Use the connection of a client; notify players as they have chosen."""
        self._client = client
        self.pings = pings

    async def post(
        self,
        channel_id: int,
        message: Layout,
        locale: Tongue,
        *,
        nonce: str,
        pings: Iterable[int] = (),
        by: int | None = None,
        files: Sequence[Upload] = (),
    ) -> int:
        """Post a message and return its id.

        Args:
            channel_id: where to post.
            message: its content.
            locale: its language.
            nonce: lets Discord recognise a repeat for some minutes.
            pings: the players to notify, if they want pings.
            by: the player who caused it, see `Pings.of`.
            files: its attachments.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: it may not have been posted.
            StoreError: the players' ping settings could not be read.

        """
        mentions = only(await self.pings.of(pings, by=by))
        async with OneTry(limited=False):
            sent = await self._channel(channel_id).send(
                view=View(message, locale),
                files=[attachment(file) for file in files],
                nonce=nonce,
                allowed_mentions=mentions,
            )
        return sent.id

    async def edit(
        self,
        posted: PostedMessage,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit a message, notifying no one. Without ``files`` it keeps its attachments.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: it may not have been edited.

        """
        kept = discord.utils.MISSING if files is None else [attachment(file) for file in files]
        partial = self._channel(posted.channel_id).get_partial_message(posted.message_id)
        async with OneTry(limited=False):
            await partial.edit(
                view=View(message, locale), attachments=kept, allowed_mentions=NOBODY
            )

    async def find(self, channel_id: int, marks: Collection[int]) -> Mapping[int, int] | None:
        """Return the ids of the bot's latest messages in a channel that have these marks.

        ``None`` if Discord fails; where the bot may not search, nothing is found.
        """
        found = dict[int, int]()

        def look(message: discord.Message) -> None:
            mark = mark_of(message)
            if mark is not None and mark in marks:
                found[mark] = message.id

        searched = await self._search(channel_id, _MAX_SEARCHED, look)
        return found if searched else None

    async def boards(self, channel_id: int, match_id: int) -> Mapping[int, int]:
        """Return the version that each live board of a match shows, by its message.

        Only the latest messages of a channel are searched. Where it cannot be searched, there are
        none.
        """
        found = dict[int, int]()

        def look(message: discord.Message) -> None:
            moves = (move for move in moves_of(message) if move.match_id == match_id)
            found.update((message.id, move.ply) for move in moves)

        await self._search(channel_id, _MAX_SEARCHED_FOR_LOST, look)
        return found

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Delete one of the bot's messages, unless it is gone.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed or refused.

        """
        with suppress(discord.NotFound):
            async with OneTry():
                await self._channel(channel_id).get_partial_message(message_id).delete()

    async def exists(self, posted: PostedMessage) -> bool:
        """Return whether a message still exists, as far as the bot can see."""
        try:
            async with OneTry():
                await self._channel(posted.channel_id).fetch_message(posted.message_id)
        except discord.NotFound:
            return False
        except _FAILED as error:
            log.info("could not look for a message", message=posted.message_id, reason=repr(error))
        return True

    async def more_below(self, posted: PostedMessage, number: int) -> bool:
        """Return whether at least ``number`` messages follow one, as far as the bot can see."""
        below = self._channel(posted.channel_id).history(
            after=discord.Object(posted.message_id), limit=number
        )
        try:
            async with OneTry():
                return len([message.id async for message in below]) >= number
        except _FAILED as error:
            log.info("could not look below a message", reason=repr(error))
            return False

    async def _search(
        self, channel_id: int, limit: int, look: Callable[[discord.Message], None]
    ) -> bool:
        """Look at the bot's latest messages in a channel; once more if Discord fails.

        Returns:
            Whether it could be searched, or never can.
        """
        me = self._client.user
        for _ in range(_SEARCHES):
            try:
                async with OneTry():
                    async for message in self._channel(channel_id).history(limit=limit):
                        if me is not None and message.author.id == me.id:
                            look(message)
            except _FAILED as error:
                log.info("could not search a channel", channel=channel_id, reason=repr(error))
                if refused(error) or isinstance(error, TimeoutError):
                    return refused(error)
            else:
                return True
        return False

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
