"""An interaction that is still open, as a way to reach Discord.

What a person has pressed is best edited by the answer to the press: that counts against no rate
limit of the channel. And where the bot is only while somebody uses it, in direct messages between
people, groups and servers without the bot, it is the only way: the bot can post nothing there by
itself, so every board is an answer, and what becomes due meanwhile waits for the next one.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog

from bot.delivery.requests import in_time
from bot.delivery.transport import ChannelTransport
from bot.i18n.slash import slash
from bot.interactions.layout import text_layout
from bot.interactions.reply import EDITS
from bot.interactions.views import addresses
from bot.permissions.channels import why_no_board
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bot.delivery.pings import Pings
    from bot.interactions.layout import Layout, Upload
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from data.boards import Shown
    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

USER_INSTALL: Final = "lent"
"""The place of a match that is played where the bot is only while somebody uses it."""


def by_user_install(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot is in a place only because somebody uses it there."""
    if interaction.guild_id is not None:
        return not interaction.is_guild_integration()
    return interaction.context.private_channel


def home_of(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server that a match begun here belongs to; a server without the bot has none."""
    return None if by_user_install(interaction) else interaction.guild_id


def place_of(interaction: discord.Interaction[Any]) -> str | None:
    """Return the place of a match begun here, if it is known before its first board."""
    return USER_INSTALL if by_user_install(interaction) else None


_MAX_FOLLOW_UPS: Final = 5
"""How many follow-ups Discord takes of a bot that is there only by a user install."""


class InteractionTransport(ChannelTransport):
    """Edits the message that was pressed, once; posts by follow-ups, for fifteen minutes."""

    def __init__(self, reply: Reply, pings: Pings) -> None:
        """Answer an interaction; call players as they have chosen."""
        super().__init__(reply.interaction.client, pings)
        self.reply = reply
        self.board: Shown | None = None
        """The board that was pressed, as its address tells it."""
        message = reply.interaction.message
        self.attachments = 0 if message is None else len(message.attachments)
        """How many attachments the message had when it was pressed."""
        self.posted: set[int] = set()
        """What this interaction has said for everybody to see, and can edit while it is open."""
        self._edited = False
        self._done = asyncio.Event()

    @property
    def pressed(self) -> int | None:
        """The message to be edited, if it is for everybody to see and can be edited by this."""
        message, response = self.reply.interaction.message, self.reply.response
        if self._edited or self._done.is_set() or message is None or message.flags.ephemeral:
            return None
        return message.id if response.type in EDITS else None

    @property
    def message_id(self) -> int | None:
        """The message that was pressed, if any."""
        message = self.reply.interaction.message
        return None if message is None else message.id

    @property
    def reached(self) -> Collection[int]:
        """The messages that this can edit while it is open, as often as it likes."""
        message, response = self.reply.interaction.message, self.reply.response
        if message is None or message.flags.ephemeral or response.type not in EDITS:
            return self.posted
        return self.posted if response.type is None else {*self.posted, message.id}

    @property
    def spent(self) -> bool:
        """Whether Discord takes no more follow-ups: what was said can still be edited."""
        return by_user_install(self.reply.interaction) and self.reply.follow_ups >= _MAX_FOLLOW_UPS

    @property
    def live(self) -> bool:
        """Whether the message still has the control that was pressed, as far as Discord knows."""
        message, data = self.reply.interaction.message, self.reply.interaction.data
        if message is None or data is None:
            return False
        return data.get("custom_id") in set(addresses(message.components))

    @property
    def channel_id(self) -> int:
        """Where it may post."""
        return self.reply.channel_id

    def done(self) -> None:
        """Take note that the message will not be edited by this any more."""
        self._done.set()

    async def wait(self) -> None:
        """Wait until the message was edited, or will not be edited by this."""
        await self._done.wait()

    async def answered(self) -> None:
        """Wait until whoever answers this has done so, though not for long."""
        with suppress(TimeoutError):
            async with in_time():
                await self.reply.finished()

    async def locale(self) -> Tongue:
        """Return the language of answers to this person: that of the place is not known."""
        return await self.reply.locale(public=True)

    async def edit(
        self,
        shown: Shown,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit the message that was pressed; see `ChannelTransport.edit`."""
        if shown.message_id != self.pressed:  # something else was told meanwhile
            raise discord.InteractionResponded(self.reply.interaction)
        self._edited = True
        await self.reply.edit(message, locale, files=files)

    async def edit_again(
        self,
        shown: Shown,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit a message that this reaches; see `ChannelTransport.edit`."""
        if shown.message_id in self.posted:
            await self.reply.edit_said(shown.message_id, message, locale, files=files)
        else:
            await self.reply.edit(message, locale, files=files)

    async def post(
        self,
        channel_id: int,  # noqa: ARG002 -- an answer goes where it was asked for
        message: Layout,
        locale: Tongue,  # noqa: ARG002 -- a reply knows its own
        *,
        nonce: str,  # noqa: ARG002 -- answers have none
        pings: Iterable[int] = (),
        by: int | None = None,
        files: Sequence[Upload] = (),
    ) -> int:
        """Answer for everybody to see; see `ChannelTransport.post`."""
        mentions = await self.pings.of(pings, by=by)
        await self.answered()
        sent = await self.reply.tell(message, files=files, public=True, mentions=mentions)
        assert sent is not None
        self.posted.add(sent)
        return sent

    async def refused(self, view: MatchView, error: discord.HTTPException) -> None:
        """Tell the person why the board is not shown in its channel."""
        interaction, match = self.reply.interaction, view.match
        words = why_no_board(interaction, match.channel_id, match.parent_id, error)
        command = slash(view.game.slug, "board")
        go_on = say("Your move is saved. See the board with `{command}`.", command=command)
        await self.answered()
        try:
            await self.reply.tell(text_layout(lines((words, go_on))), public=False)
        except (discord.HTTPException, aiohttp.ClientError) as second:
            log.info("could not tell why a board waits", match=match.id, why=str(second))

    async def find(self, channel_id: int, marks: Collection[int]) -> Mapping[int, int]:  # noqa: ARG002
        """Find nothing: the bot may not read here."""
        return {}

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Leave it there: only answers to the same interaction could be removed."""

    async def exists(self, shown: Shown) -> bool:
        """Return whether a message that this reaches is still there.

        Others are taken for gone: whoever asks for a board here gets one.
        """
        interaction = self.reply.interaction
        if shown.message_id not in self.reached:
            return False
        try:
            async with in_time():
                if shown.message_id in self.posted:
                    await interaction.followup.fetch_message(shown.message_id)
                else:
                    await interaction.original_response()
        except discord.NotFound:
            return False
        return True

    async def more_below(self, shown: Shown, number: int) -> bool:  # noqa: ARG002
        """Take it for out of sight."""
        return True
