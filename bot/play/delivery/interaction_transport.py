"""Reaches Discord through an interaction that is still open.

A pressed message is best edited by answering the press: that counts against no rate limit of the
channel. Where the bot is present only by user install (direct messages between people, groups,
servers without the bot) it is the only way: the bot cannot post there by itself, so every board is
an answer, and what becomes due meanwhile waits for the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import aiohttp
import discord
import structlog

from bot.core.i18n.slash import slash
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import EDITS, Reply
from bot.core.interactions.views import addresses
from bot.core.permissions.channels import why_no_board
from bot.core.posts.pings import Pings
from bot.play.delivery.requests import in_time
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches.positions import MatchView
from data.matches.boards import PostedMessage
from engine.phrase import Phrase, Tongue, lines, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_FOLLOW_UPS: Final = 5
"""Maximum follow-ups Discord accepts from a bot present only by user install."""


class InteractionTransport(ChannelTransport):
    """Edits the pressed message, once; posts follow-ups, for fifteen minutes."""

    def __init__(self, reply: Reply, pings: Pings) -> None:
        """Answer an interaction; notify players as they have chosen."""
        super().__init__(reply.interaction.client, pings)
        self.reply = reply
        message = reply.interaction.message
        self.attachments = 0 if message is None else len(message.attachments)
        """Attachments of the message when it was pressed."""
        self.posted: set[int] = set()
        """Public messages this interaction has sent, which it can edit while it is open."""
        self._edited = False

    @property
    def pressed(self) -> int | None:
        """The message to edit, if it is public and this interaction can edit it."""
        message, response = self.reply.interaction.message, self.reply.response
        if self._edited or message is None or message.flags.ephemeral:
            return None
        return message.id if response.type in EDITS else None

    @property
    def message_id(self) -> int | None:
        """The pressed message, if any."""
        message = self.reply.interaction.message
        return None if message is None else message.id

    @property
    def reached(self) -> Collection[int]:
        """The messages this interaction can edit while it is open, any number of times."""
        message, response = self.reply.interaction.message, self.reply.response
        if message is None or message.flags.ephemeral or response.type not in EDITS:
            return self.posted
        return self.posted if response.type is None else {*self.posted, message.id}

    @property
    def spent(self) -> bool:
        """Whether Discord accepts no more follow-ups; earlier ones can still be edited."""
        return self.reply.by_user_install and self.reply.follow_ups >= _MAX_FOLLOW_UPS

    @property
    def live(self) -> bool:
        """Whether the message still has the pressed control, as far as Discord knows."""
        message, data = self.reply.interaction.message, self.reply.interaction.data
        if message is None or data is None:
            return False
        return data.get("custom_id") in set(addresses(message.components))

    @property
    def channel_id(self) -> int:
        """The channel to post in."""
        return self.reply.channel_id

    def board(self, match_id: int, version: int) -> PostedMessage:
        """Return the pressed board, which shows a version of a match as its address says."""
        assert self.message_id is not None
        return PostedMessage(self.message_id, self.channel_id, match_id, version, live=True)

    async def locale(self) -> Tongue:
        """Return the language of answers to this person: the place's own is unknown."""
        return await self.reply.locale(public=True)

    async def edit(
        self,
        posted: PostedMessage,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit the pressed message; see `ChannelTransport.edit`."""
        await self.reply.confirm()
        if posted.message_id != self.pressed:  # something else was answered meanwhile
            raise discord.InteractionResponded(self.reply.interaction)
        self._edited = True
        await self.reply.edit(message, locale, files=files)

    async def edit_reached(
        self,
        posted: PostedMessage,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit a message this interaction reaches; see `ChannelTransport.edit`."""
        await self.reply.confirm()
        if posted.message_id in self.posted:
            await self.reply.edit_sent(posted.message_id, message, locale, files=files)
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
        """Answer publicly; see `ChannelTransport.post`."""
        mentions = await self.pings.of(pings, by=by)
        await self.reply.confirm()
        sent = await self.reply.send(message, files=files, public=True, mentions=mentions)
        assert sent is not None
        self.posted.add(sent)
        return sent

    async def refused(self, view: MatchView, error: discord.HTTPException) -> None:
        """Tell the player why the board is not shown in its channel."""
        interaction, match = self.reply.interaction, view.match
        await self._tell(view, why_no_board(interaction, match.channel_id, match.parent_id, error))

    async def late(self, view: MatchView) -> None:
        """Tell the player that the board comes later, as Discord fails."""
        await self._tell(view, say("Discord isn't taking my messages right now. I'll keep trying."))

    async def _tell(self, view: MatchView, words: Phrase) -> None:
        command = slash(view.game.slug, "board")
        receipt = say("Your move is saved. See the board with `{command}`.", command=command)
        try:
            await self.reply.send(text_layout(lines((words, receipt))), public=False)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as second:
            log.info(
                "could not say why a board is waiting", match=view.match.id, reason=str(second)
            )

    async def find(self, channel_id: int, marks: Collection[int]) -> Mapping[int, int]:  # noqa: ARG002
        """Find nothing: the bot may not read here."""
        return {}

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Do nothing: only answers to the same interaction could be deleted."""

    async def exists(self, posted: PostedMessage) -> bool:
        """Return whether a message this interaction reaches still exists.

        Others count as gone: asking for a board here always posts one.
        """
        interaction = self.reply.interaction
        if posted.message_id not in self.reached:
            return False
        try:
            async with in_time():
                if posted.message_id in self.posted:
                    await interaction.followup.fetch_message(posted.message_id)
                else:
                    await interaction.original_response()
        except discord.NotFound:
            return False
        return True

    async def more_below(self, posted: PostedMessage, number: int) -> bool:  # noqa: ARG002
        """Treat the board as out of sight."""
        return True
