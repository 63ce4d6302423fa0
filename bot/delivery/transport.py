"""Posts, changes and finds messages in the channels where matches are played."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import discord
import structlog

from bot.interactions.layouts import marked
from bot.matches.computers import is_person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bot.interactions.layouts import Message
    from bot.settings.service import Choices
    from data.boards import Shown
    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_SEARCHED = 50
"""How many messages of a channel are searched for a post that may have arrived."""


class ChannelTransport:
    """The bot's hand in Discord's channels."""

    edits: bool = True
    """Whether messages that are there already can be changed."""

    def __init__(self, client: discord.Client, choices: Choices) -> None:
        """Post through the connection of a client and call players as they have chosen."""
        self._client = client
        self._choices = choices

    async def tongue(self) -> Tongue | None:
        """Return the language in which all is posted; ``None`` for that of each match."""
        return None

    async def post(
        self,
        channel_id: int,
        message: Message,
        *,
        nonce: str,
        pings: Iterable[int] = (),
        files: Sequence[discord.File] = (),
    ) -> int:
        """Post a message and return its id.

        Args:
            channel_id: where.
            message: what it says.
            nonce: by which Discord knows a repetition for some minutes.
            pings: the players who are called, those of them who want to be.
            files: what is attached.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: it may not have been posted.
            StoreError: whether players want to be called could not be looked up.

        """
        called = [user for user in pings if await self.may_call(user)]
        sent = await self._channel(channel_id).send(
            view=message,
            files=list(files),
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(
                everyone=False,
                roles=False,
                replied_user=False,
                users=[discord.Object(user) for user in called],
            ),
        )
        return sent.id

    async def write(self, user_id: int, message: Message) -> None:
        """Write a direct message to somebody; who takes none is not told.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(view=message, allowed_mentions=discord.AllowedMentions.none())
        except discord.Forbidden as error:
            log.info("somebody takes no direct messages", user=user_id, code=error.code)

    async def find_picture(self, channel_id: int, filename: str) -> int | None:
        """Return the message of ours with a picture, if it is among the last of a channel."""
        return await self._find(
            channel_id, lambda message: any(a.filename == filename for a in message.attachments)
        )

    async def find_mark(self, channel_id: int, number: int) -> int | None:
        """Return the message of ours with a number, if it is among the last of a channel."""
        return await self._find(channel_id, lambda message: marked(message, number))

    async def edit(
        self, shown: Shown, message: Message, *, files: Sequence[discord.File] | None = None
    ) -> None:
        """Change a message; nobody is called. Without ``files`` it keeps those it has.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: it may not have been changed.

        """
        kept = discord.utils.MISSING if files is None else list(files)
        await (
            self._channel(shown.channel_id)
            .get_partial_message(shown.message_id)
            .edit(view=message, attachments=kept, allowed_mentions=discord.AllowedMentions.none())
        )

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours; what cannot be deleted stays, or is gone already.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            await self._channel(channel_id).get_partial_message(message_id).delete()
        except discord.HTTPException as error:
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            log.info("a message cannot be deleted", message=message_id, code=error.code)

    async def there(self, shown: Shown) -> bool:
        """Return whether a message is still there, as far as can be seen.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

        """
        try:
            await self._channel(shown.channel_id).fetch_message(shown.message_id)
        except discord.NotFound:
            return False
        except discord.Forbidden:
            return True
        return True

    async def more_below(self, shown: Shown, number: int) -> bool:
        """Return whether at least so many messages stand below one."""
        below = self._channel(shown.channel_id).history(
            after=discord.Object(shown.message_id), limit=number
        )
        try:
            return len([message.id async for message in below]) >= number
        except discord.Forbidden:
            return False

    async def may_call(self, user_id: int) -> bool:
        """Return whether a player is there and wants to be called.

        Raises:
            StoreError: it could not be looked up.

        """
        return is_person(user_id) and (await self._choices.player(user_id)).pings

    async def _find(self, channel_id: int, fits: Callable[[discord.Message], bool]) -> int | None:
        me = self._client.user
        try:
            async for message in self._channel(channel_id).history(limit=_SEARCHED):
                if me is not None and message.author.id == me.id and fits(message):
                    return message.id
        except discord.Forbidden:
            log.info("the history of a channel is closed to me", channel=channel_id)
        return None

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id)
