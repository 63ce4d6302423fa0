"""Posts, edits and finds messages in the channels where matches are played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot.delivery.requests import in_time, refused
from bot.interactions.views import NOBODY, View, attachment, mark_of, only
from bot.matches.board_message_views import moves_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bot.delivery.pings import Pings
    from bot.interactions.layout import Layout, Upload
    from data.boards import PostedMessage
    from engine.phrase import Tongue


log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

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
        sent = await self._channel(channel_id).send(
            view=View(message, locale),
            files=[attachment(file) for file in files],
            nonce=nonce,
            allowed_mentions=only(await self.pings.of(pings, by=by)),
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
        await (
            self._channel(posted.channel_id)
            .get_partial_message(posted.message_id)
            .edit(
                view=View(message, locale),
                attachments=kept,
                allowed_mentions=NOBODY,
            )
        )

    async def write(self, user_id: int, message: Layout, locale: Tongue) -> None:
        """Send a direct message; do nothing if the user's are closed.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(view=View(message, locale), allowed_mentions=NOBODY)
        except discord.Forbidden as error:
            log.info("direct messages are closed", user=user_id, code=error.code)

    async def find(self, channel_id: int, marks: Collection[int]) -> Mapping[int, int]:
        """Return the ids of the bot's latest messages in a channel that have these marks.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        me, found = self._client.user, dict[int, int]()
        try:
            async with in_time():
                async for message in self._channel(channel_id).history(limit=_MAX_SEARCHED):
                    mark = mark_of(message)
                    ours = me is not None and message.author.id == me.id
                    if ours and mark is not None and mark in marks:
                        found[mark] = message.id
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.info("the history of a channel is closed", channel=channel_id, code=error.code)
        return found

    async def boards(self, channel_id: int, match_id: int) -> Mapping[int, int]:
        """Return the version that each live board of a match shows, by its message.

        Only the latest messages of a channel are searched.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        me, found = self._client.user, dict[int, int]()
        try:
            async for message in self._channel(channel_id).history(limit=_MAX_SEARCHED_FOR_LOST):
                if me is not None and message.author.id == me.id:
                    moves = (m for m in moves_of(message) if m.match_id == match_id)
                    found.update((message.id, move.ply) for move in moves)
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.info("the history of a channel is closed", channel=channel_id, code=error.code)
        return found

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Delete one of the bot's messages; a refusal is only logged.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            async with in_time():
                await self._channel(channel_id).get_partial_message(message_id).delete()
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.info("a message cannot be deleted", message=message_id, code=error.code)

    async def exists(self, posted: PostedMessage) -> bool:
        """Return whether a message still exists, as far as the bot can see.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            async with in_time():
                await self._channel(posted.channel_id).fetch_message(posted.message_id)
        except discord.NotFound:
            return False
        except discord.Forbidden:
            return True
        return True

    async def more_below(self, posted: PostedMessage, number: int) -> bool:
        """Return whether at least ``number`` messages follow one."""
        below = self._channel(posted.channel_id).history(
            after=discord.Object(posted.message_id), limit=number
        )
        try:
            async with in_time():
                return len([message.id async for message in below]) >= number
        except discord.Forbidden:
            return False

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
