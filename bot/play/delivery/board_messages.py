"""What boards say, and the messages about one match: posts, edits and strips them of controls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot.core.i18n.mentions import mention, message_link
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.members import Members
from bot.core.requests.faults import SEARCH, UPLOAD, Fault
from bot.core.requests.sending import FAILED, failure_of, refused
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import Requester
from bot.play.boards import board_message_views, board_text
from bot.play.boards.board_text import BoardPost, lines_about_end
from bot.play.delivery.match_requests import MarkedPost, Requests, in_time
from bot.play.delivery.transport import ChannelTransport, InteractionTransport
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.pictures import rendering
from bot.play.pictures.rendering import BoardStyle, Renderer
from bot.play.replays import animation
from bot.play.replays.animation import Animation
from bot.play.replays.replay import Replays
from data.matches.boards import PostedMessage, TurnCall
from data.matches.outbox import Job
from data.store.store import Store
from engine.phrase import Tongue, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
FAR_UP: Final = 30
"""Messages below a board that put it out of sight, so that the next one is a new post."""
_OLD: Final = timedelta(days=7)
"""Age at which a board is out of sight: its thread is archived, or it has scrolled far up."""
_UPLOAD: Final = "upload"
_SEARCH: Final = "search"
_LASTING: Final = 3
"""Failures in a row after which a board is tried in words."""
_LASTING_LATE: Final = 2
"""The same, where replies come late or not at all."""


@dataclass(frozen=True, slots=True)
class BoardContents:
    """Makes what boards say, with pictures in the styles that players chose."""

    store: Store
    matches: Matches
    renderer: Renderer
    settings: SettingsStore
    decisions: OwnerDecisions
    members: Members

    async def current(self, position: Position) -> BoardPost:
        """Return what a board says: what is announced, or once it is over, all that is known of that."""
        post = await self._on_its_occasion(board_text.board(position), position)
        if not post.over:
            return board_text.with_small_print(post, self.decisions.announcement)
        return board_text.with_words(post, await lines_about_end(self.store, position, "board"))

    async def past(self, now: Position, posted: PostedMessage, *, undone: bool) -> BoardPost:
        """Return what an earlier board says; ``undone`` if its move was taken back since."""
        ply = posted.ply - now.match.passed
        if posted.ply < now.match.restored:
            return board_text.lost(now, posted.ply)
        if undone or ply < 0:
            return board_text.taken_back(now, posted.ply)
        return await self._on_its_occasion(
            board_text.answered(*await self.matches.turn_at(now, ply)), now
        )

    async def _on_its_occasion(self, post: BoardPost, position: Position) -> BoardPost:
        return board_text.with_occasion(post, await board_text.occasion(self.store, position.match))

    def named(self, position: Position, locale: Tongue, post: BoardPost) -> BoardPost:
        """Return a board whose picture's description says who plays which seat."""
        names = rendering.player_names(self.members, position, locale)
        return replace(post, scene=rendering.with_names(post.scene, position, names))

    async def _style(self, position: Position, locale: Tongue) -> BoardStyle:
        names = rendering.player_names(self.members, position, locale)
        return await rendering.in_channel(self.settings, position, locale, names)

    async def picture(self, position: Position, locale: Tongue, post: BoardPost) -> Upload:
        """Return the picture of a board, in the look of its channel."""
        style = await self._style(position, locale)
        return board_message_views.picture(await self.renderer.picture(post.scene, style))

    async def film(self, position: Position, locale: Tongue) -> tuple[Animation, bytes] | None:
        """Return a film of what the player to move has missed, if they want films."""
        mover = position.to_move
        if mover is None or not (await self.settings.player(mover.user_id)).clips:
            return None
        replay = animation.replay_since(position, mover.seat)
        replay = replay or await Replays(self.store).of_match(position.match.id)
        if replay.position.version != position.version:
            return None
        # Building its many scenes here would delay presses.
        shown = await asyncio.to_thread(animation.since, replay, mover.seat)
        if shown is None:
            return None
        return shown, await self.renderer.animation(
            shown,
            most_bytes=animation.SINCE_BYTES,
            style=await self._style(position, locale),
            # A match has at most one at a time, so there is no need to limit them.
            requester=Requester(position.match.guild_id or 0, 0),
        )


@dataclass(slots=True)
class BoardMessages:
    """The messages about one match, and the ways to reach them.

    Its methods raise what `FAILED` lists, or StoreError, if something was not done, may not have
    been done, or continues in the background.
    """

    position: Position
    contents: BoardContents
    transport: ChannelTransport
    locale: Tongue
    requests: Requests
    now: datetime
    """The time of day."""
    in_place: bool = False
    """Whether one board is edited from turn to turn."""
    editable: bool = True
    """Whether messages can be edited without a press."""
    earlier: Sequence[InteractionTransport] = ()
    """Other interactions that can still edit what they have said, newest last."""
    pressed: dict[int, list[InteractionTransport]] = field(default_factory=dict)
    """Interactions that can still edit the pressed message, by that message."""
    closed: discord.HTTPException | None = None
    """Why nothing new can be posted for now."""

    def reaching(self, message_id: int) -> InteractionTransport | None:
        """Return the newest open interaction that can edit a message, if any."""
        return next((one for one in reversed(self.earlier) if message_id in one.reached), None)

    async def search(self) -> None:
        """Search for posts that may have arrived; where that fails, again later."""
        extras = self.requests.extras
        if extras.waits(_SEARCH):
            return
        doubtful = dict(self.requests.doubtful)
        for channel in {post.channel_id for post in doubtful.values()}:
            searched = {mark: p for mark, p in doubtful.items() if p.channel_id == channel}
            found = await self.transport.find(channel, searched.keys())
            self.requests.found(searched, found)
            if found is None:
                extras.failed(_SEARCH, route=SEARCH)
            else:
                extras.succeeded(_SEARCH)

    async def in_sight(self, posted: PostedMessage) -> bool:
        """Return whether players can see a board."""
        age = self.now - discord.utils.snowflake_time(posted.message_id)
        return age < _OLD and not await self.transport.more_below(posted, FAR_UP)

    async def post(self, job: Job) -> int:
        """Post the board of the match and return the message."""
        post = MarkedPost(job.mark, self.position.match.channel_id, self.position.version)
        message_id = await self.requests.post(post, partial(self._send, post, job))
        if self._in_words():
            self.requests.uncertain.add(message_id)  # so that it gets its picture later
        return message_id

    async def _send(self, post: MarkedPost, job: Job) -> int:
        board = await self.contents.current(self.position)
        send_message = partial(
            self.transport.post,
            post.channel_id,
            locale=self.locale,
            nonce=job.nonce,
            pings=_called(job, board.pings),
            by=job.payload.get("by"),
        )

        async def send_in_words() -> int:
            plain = board_message_views.message(board).in_words()
            return await send_message(plain.marked(post.mark))

        if self._in_words():
            return await send_in_words()
        film = await self.contents.film(self.position, self.locale) if board.missed else None
        files = [await self.contents.picture(self.position, self.locale, board)]
        if film is not None:
            files.append(Upload(film[0].filename, film[1]))
        board = self.contents.named(self.position, self.locale, board)
        message = board_message_views.message(board, film=None if film is None else film[0])
        tries = self.requests.started(post.mark)
        try:
            # From the second time on, a request that hangs does not go on in the background.
            async with in_time() if tries > 1 else nullcontext():
                message_id = await send_message(message.marked(post.mark), files=files)
        except FAILED as error:
            if not self._tries_words(error, tries, job):
                raise
            message_id = await send_in_words()
            self.requests.extras.failed(_UPLOAD, route=UPLOAD)
        else:
            self.requests.extras.succeeded(_UPLOAD, UPLOAD)
        return message_id

    def _tries_words(self, error: Exception, tries: int, job: Job) -> bool:
        """Return whether to post in words, as a message may fail for its files."""
        fault, _ = failure_of(error)
        if fault is Fault.REFUSED:  # once the words were refused, too, ever more seldom
            return job.attempts & (job.attempts - 1) == 0
        late = not isinstance(error, discord.HTTPException)
        if fault is Fault.NO_REPLY and tries >= (_LASTING_LATE if late else _LASTING):
            return not self.requests.extras.failing.take()
        return fault is Fault.FILES_REFUSED

    async def rewrite(self, posted: PostedMessage, job: Job | None) -> bool:
        """Edit a board to show the current match; return whether Discord accepts it."""
        key = (self.position.version, None if job is None else job.id)
        board = await self.contents.current(self.position)
        try:
            shown = await self._edit(posted, key, board, picture=True)
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.info("a board cannot be edited", message=posted.message_id, code=error.code)
            return False
        if shown and self._in_words():
            self.requests.uncertain.add(posted.message_id)  # so that it gets its picture later
        return shown

    async def strip(self, posted: PostedMessage, *, undone: bool) -> None:
        """Take the controls off a board, ``undone`` if the move it shows was taken back since.

        While Discord refuses, its buttons still answer politely.
        """
        board = await self.contents.past(self.position, posted, undone=undone)
        # The film of what was missed goes with the controls, and the picture may differ.
        picture = posted.message_id in self.requests.uncertain or any(
            interaction.attachments > 1 for interaction in self.pressed.get(posted.message_id, ())
        )
        try:
            await self._edit(posted, ("old", posted.ply), board, picture=picture)
        except discord.NotFound:
            log.info("no message with old controls is left", message=posted.message_id)

    async def call(self, job: Job, board: int) -> TurnCall | None:
        """Notify the player to move of a board that was edited, as edits notify no one."""
        match, mover = self.position.match, self.position.to_move
        by = job.payload.get("by")
        called = () if mover is None else _called(job, (mover.user_id,))
        if mover is None or not await self.transport.pings.of(called, by=by):
            return None
        link = message_link(match.guild_id, match.channel_id, board)
        words = say("{player}, your turn: {link}", player=mention(mover.user_id), link=link)
        post = MarkedPost(job.call_mark, match.channel_id)
        send = partial(
            self.transport.post,
            post.channel_id,
            text_layout(words).marked(post.mark),
            self.locale,
            nonce=f"{job.nonce}c"[-25:],
            pings=called,
            by=by,
        )
        message_id = await self.requests.post(post, send)
        return TurnCall(message_id, match.channel_id, match.id, self.position.version)

    async def _edit(
        self, posted: PostedMessage, key: object, board: BoardPost, *, picture: bool
    ) -> bool:
        """Edit a board by its pending press, else as the bot; return whether there is a way to."""
        message, files = await self._message(board, picture=picture)
        transports = self.pressed.pop(posted.message_id, [])  # an interaction edits once
        if transports:
            edit = partial(transports[-1].edit, posted, message, self.locale, files=files)
            try:
                await self.requests.edit(posted.message_id, key, edit, force=True)
            except (*FAILED, discord.DiscordException) as error:
                log.info("could not answer a press", message=posted.message_id, reason=repr(error))
            else:
                return True
        earlier = None if self.editable else self.reaching(posted.message_id)
        if earlier is None and not self.editable:
            return False
        send = self.transport.edit if earlier is None else earlier.edit_reached
        edit = partial(send, posted, message, self.locale, files=files)
        try:
            await self.requests.edit(posted.message_id, key, edit, force=bool(transports))
        except discord.HTTPException as error:
            fault, _ = failure_of(error)
            if files and fault is Fault.FILES_REFUSED:
                self.requests.extras.failed(_UPLOAD, route=UPLOAD)
            elif picture or fault is not Fault.REFUSED:  # else perhaps it was posted in words
                raise
            return await self._edit(posted, key, board, picture=True)
        if files:
            self.requests.extras.succeeded(_UPLOAD, UPLOAD)
        return True

    async def _message(
        self, board: BoardPost, *, picture: bool
    ) -> tuple[Layout, list[Upload] | None]:
        """Return what a board's message becomes; ``None`` leaves its files as they are."""
        if picture and self._in_words():
            return board_message_views.message(board).in_words(), []
        message = board_message_views.message(
            self.contents.named(self.position, self.locale, board)
        )
        if not picture:
            return message, None
        return message, [await self.contents.picture(self.position, self.locale, board)]

    def _in_words(self) -> bool:
        """Return whether boards go out in words for now, as Discord refuses pictures."""
        return self.requests.extras.waits(_UPLOAD)


def _called(job: Job, users: Iterable[int]) -> tuple[int, ...]:
    """Return which of the players to move a board notifies: not the one who asked to post it."""
    if job.payload.get("quietly"):
        return ()
    return tuple(user for user in users if user != job.payload.get("by"))
