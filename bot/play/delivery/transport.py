"""Posts, edits and finds messages where matches are played: as the bot, or through interactions.

A pressed message is best edited by answering the press: that counts against no rate limit of the
channel. Where the bot is present only by user install (direct messages between people, groups,
servers without the bot) it is the only way: the bot cannot post there by itself, so every board is
an answer, and what becomes due meanwhile waits for the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog
from cachetools import TTLCache

from bot.core.i18n.mentions import slash
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import EDITS, Reply
from bot.core.interactions.views import NOBODY, View, addresses, attached, kept, mark_of, only
from bot.core.permissions.channels import why_no_board
from bot.core.posts.kinds import Pings
from bot.core.requests.sending import FAILED, OneTry, refused
from bot.core.scheduling.scheduler import WallClock
from bot.play.boards.board_message_views import moves_of
from bot.play.delivery.match_requests import in_time
from bot.play.matches.positions import Position
from data.matches.boards import PostedMessage
from engine.phrase import Phrase, Tongue, lines, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_SEARCHES: Final = 2
"""How often a channel is searched before its messages count as unknown."""
_MAX_SEARCHED: Final = 50
"""Messages of a channel searched for a post that may have arrived."""
_MAX_SEARCHED_FOR_LOST: Final = 500
"""Messages searched for boards that a backup does not know: at most five requests."""
_MAX_FOLLOW_UPS: Final = 5
"""Maximum follow-ups Discord accepts from a bot present only by user install."""
_OPEN: Final = timedelta(minutes=14)
"""How long an interaction is used; Discord accepts answers for fifteen minutes."""
_SOON: Final = timedelta(minutes=1)
"""How long a player who has moved waits for the computer's answer."""
MANY: Final = 500
"""Maximum matches whose interactions are remembered, each with the pressed message; for others the
bot posts by itself, or with the next press."""
_MAX_REACHING: Final = 3
"""Earlier interactions kept per match, of those that can still edit a message."""


@dataclass(eq=False, repr=False)
class ChannelTransport:
    """Reaches messages as the bot itself, under its own permissions and rate limits.

    What Discord refuses, or may not have done, raises `FAILED`.
    """

    client: discord.Client
    pings: Pings

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

        ``nonce`` lets Discord recognise a repeat for some minutes. It notifies those of ``pings``
        who want to be notified of what ``by`` has caused, see `Pings.of`.
        """
        mentions = only(await self.pings.of(pings, by=by))
        async with OneTry(limited=False):
            sent = await self._channel(channel_id).send(
                view=View(message, locale),
                files=attached(files),
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
        """Edit a message, notifying no one. Without ``files`` it keeps its attachments."""
        partial = self._channel(posted.channel_id).get_partial_message(posted.message_id)
        async with OneTry(limited=False):
            await partial.edit(
                view=View(message, locale), attachments=kept(files), allowed_mentions=NOBODY
            )

    async def find(self, channel_id: int, marks: Collection[int]) -> Mapping[int, int] | None:
        """Return the ids of the bot's latest messages in a channel that have these marks.

        ``None`` if Discord fails; where the bot may not search, nothing is found.
        """
        messages = await self._latest(channel_id, _MAX_SEARCHED)
        if messages is None:
            return None
        marked = ((mark_of(one), one.id) for one in messages)
        return {mark: found for mark, found in marked if mark is not None and mark in marks}

    async def boards(self, channel_id: int, match_id: int) -> Mapping[int, int]:
        """Return the version that each live board of a match shows, by its message.

        Only the latest messages of a channel are searched; where they cannot be, there are none.
        """
        messages = await self._latest(channel_id, _MAX_SEARCHED_FOR_LOST) or ()
        moves = ((one.id, move) for one in messages for move in moves_of(one))
        return {message_id: move.ply for message_id, move in moves if move.match_id == match_id}

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Delete one of the bot's messages, unless it is gone."""
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
        except FAILED as error:
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
        except FAILED as error:
            log.info("could not look below a message", reason=repr(error))
            return False

    async def _latest(self, channel_id: int, limit: int) -> Sequence[discord.Message] | None:
        """Return the bot's latest messages in a channel; ``None`` if Discord fails, even twice."""
        me = self.client.user
        for _ in range(_SEARCHES):
            try:
                async with OneTry():
                    history = self._channel(channel_id).history(limit=limit)
                    return [one async for one in history if me and one.author.id == me.id]
            except FAILED as error:
                log.info("could not search a channel", channel=channel_id, reason=repr(error))
                if refused(error):
                    return ()
                if isinstance(error, TimeoutError):
                    break
        return None

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(channel_id)


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
        return None if self._edited else self._message

    @property
    def reached(self) -> Collection[int]:
        """The messages this interaction can edit while it is open, any number of times."""
        if self._message is None or self.reply.response.type is None:
            return self.posted
        return {*self.posted, self._message}

    @property
    def _message(self) -> int | None:
        message = self.reply.interaction.message
        if message is None or message.flags.ephemeral or self.reply.response.type not in EDITS:
            return None
        return message.id

    @property
    def spent(self) -> bool:
        """Whether Discord accepts no more follow-ups; earlier ones can still be edited."""
        return self.reply.by_user_install and self.reply.follow_ups >= _MAX_FOLLOW_UPS

    def board(self, match_id: int, version: int) -> PostedMessage | None:
        """Return the pressed board, which shows a version of a match as its address says.

        ``None`` if its message no longer has the pressed control, as far as Discord knows.
        """
        message, data = self.reply.interaction.message, self.reply.interaction.data
        if message is None or data is None:
            return None
        if data.get("custom_id") not in set(addresses(message.components)):
            return None
        return PostedMessage(message.id, self.reply.channel_id, match_id, version, live=True)

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
        said = message.with_files(*files)
        sent = await self.reply.send(said, public=True, mentions=mentions)
        assert sent is not None
        self.posted.add(sent)
        return sent

    async def refused(self, position: Position, error: discord.HTTPException) -> None:
        """Tell the player why the board is not shown in its channel."""
        interaction, match = self.reply.interaction, position.match
        await self._tell(
            position, why_no_board(interaction, match.channel_id, match.parent_id, error)
        )

    async def late(self, position: Position) -> None:
        """Tell the player that the board comes later, as Discord fails."""
        await self._tell(
            position, say("Discord isn't taking my messages right now. I'll keep trying.")
        )

    async def _tell(self, position: Position, words: Phrase) -> None:
        command = slash(position.game.slug, "board")
        receipt = say("Your move is saved. See the board with `{command}`.", command=command)
        try:
            await self.reply.send(text_layout(lines((words, receipt))), public=False)
        except FAILED as second:
            log.info(
                "could not say why a board is waiting", match=position.match.id, reason=str(second)
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


class OpenInteractions:
    """The latest interactions about each match, while Discord still accepts answers to them.

    Where the bot is present only by user install, nothing else can edit the messages they produced.
    """

    def __init__(self, pings: Pings, clock: WallClock) -> None:
        """Notify players as ``pings`` allows; expire by the time of day."""
        self._pings = pings
        self._clock = clock
        opened, soon = _OPEN.total_seconds(), _SOON.total_seconds()
        self._answered = TTLCache[int, list[tuple[datetime, InteractionTransport]]](
            MANY, opened, self._now
        )
        self._kept = TTLCache[int, list[InteractionTransport]](MANY, opened, self._now)
        self._expecting = TTLCache[int, list[InteractionTransport]](MANY, soon, self._now)

    def _now(self) -> float:
        return self._clock().timestamp()

    def transport(self, match_id: int, reply: Reply) -> InteractionTransport:
        """Return the transport of an interaction about a match, always the same for a reply."""
        now, known = self._clock(), self._answered.get(match_id, [])
        for _, transport in known:
            if transport.reply is reply:
                return transport
        here = reply.by_user_install
        reaching = [pair for pair in known if here and pair[1].reached][-_MAX_REACHING:]
        transport = InteractionTransport(reply, self._pings)
        self._answered[match_id] = [*reaching, (now + _OPEN, transport)]
        return transport

    def keep(self, match_id: int, reply: Reply) -> None:
        """Keep a press that was answered privately, to edit the pressed board later.

        Where the bot is present only by user install, nothing else could edit that board.
        """
        self._kept[match_id] = [InteractionTransport(reply, self._pings)]

    def remember(self, match_id: int, reply: Reply, message_id: int) -> None:
        """Remember that an interaction can edit a public message, which it has sent, for a while."""
        if reply.in_discord:
            self.transport(match_id, reply).posted.add(message_id)

    def expect(self, match_id: int, transport: InteractionTransport) -> None:
        """Keep an interaction whose player waits for a computer's move."""
        self._expecting[match_id] = [transport]

    def expecting(self, match_id: int) -> list[InteractionTransport]:
        """Return the interaction whose player waits for a computer in a match, if any."""
        return self._expecting.get(match_id, [])

    def kept(self, match_id: int) -> list[InteractionTransport]:
        """Return the press kept for a match, if it is still open."""
        return self._kept.get(match_id, [])

    def reaching(self, match_id: int, message_id: int | None = None) -> list[InteractionTransport]:
        """Return the latest open interactions about a match, newest last; which reach a message."""
        now = self._clock()
        found = [one for until, one in self._answered.get(match_id, ()) if until > now]
        return [one for one in found if message_id is None or message_id in one.reached]

    def follow_up(self, match_id: int) -> list[InteractionTransport]:
        """Return the latest interaction about a match that still takes a follow-up, if any."""
        found = self.reaching(match_id)[-1:]
        return [one for one in found if one.reached or not one.spent]
