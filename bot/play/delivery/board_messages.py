"""The messages about one match: posts and edits them, and takes the controls off older ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.core.i18n.mentions import mention, message_link
from bot.core.interactions.layout import Upload, text_layout
from bot.core.requests.faults import SEARCH, UPLOAD, Fault, NoReply, fault_of
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import Requester
from bot.play.boards import board_message_views, board_text
from bot.play.boards.board_text import BoardPost, lines_about_end
from bot.play.delivery.match_requests import Post, Requests, in_time, refused
from bot.play.delivery.transport import ChannelTransport, InteractionTransport
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.pictures import rendering
from bot.play.pictures.rendering import Renderer
from bot.play.replays import animation
from bot.play.replays.animation import Animation
from bot.play.replays.service import Replays
from data.matches.boards import PostedMessage
from data.matches.outbox import Job
from data.matches.turn_calls import TurnCall
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


@dataclass(frozen=True, slots=True)
class BoardContents:
    """Makes what boards say, with pictures in the styles that players chose."""

    store: Store
    matches: Matches
    renderer: Renderer
    settings: SettingsStore

    def of(self, view: MatchView, locale: Tongue) -> BoardContent:
        """Return what the boards of a match say in a language."""
        return BoardContent(self, view, locale)


@dataclass(eq=False, repr=False)
class BoardContent:
    """What the boards of one match say now."""

    makers: BoardContents
    view: MatchView
    locale: Tongue

    async def current(self) -> BoardPost:
        """Return what a board says; once the match is over, all that is known of its end."""
        post = board_text.board(self.view)
        if not post.over:
            return post
        words = await lines_about_end(self.makers.store, self.view, "board")
        return board_text.with_words(post, words)

    async def past(self, posted: PostedMessage, *, undone: bool) -> BoardPost:
        """Return what an earlier board says; ``undone`` if its move was taken back since."""
        now = self.view
        ply = posted.ply - now.match.passed
        if posted.ply < now.match.restored:
            return board_text.lost(now, posted.ply)
        if undone or ply < 0:
            return board_text.taken_back(now, posted.ply)
        return board_text.answered(*await self.makers.matches.turn_at(now, ply))

    async def story(self) -> str:
        """Return the story of a finished match: what decided it, and its milestones."""
        return await lines_about_end(self.makers.store, self.view, "result")

    async def picture(self, post: BoardPost) -> Upload:
        """Return the picture of a board, in the look of its channel."""
        style = await rendering.in_channel(self.makers.settings, self.view, self.locale)
        return board_message_views.picture(await self.makers.renderer.picture(post.scene, style))

    async def film(self) -> tuple[Animation, bytes] | None:
        """Return a film of what the player to move has missed, if they want films."""
        view, makers = self.view, self.makers
        mover = view.to_move
        if mover is None or not (await makers.settings.player(mover.user_id)).clips:
            return None
        replay = animation.replay_since(view, mover.seat) or await Replays(makers.store).of_match(
            view.match.id
        )
        if replay.view.version != view.version:
            return None
        # Building its many scenes here would delay presses.
        shown = await asyncio.to_thread(animation.since, replay, mover.seat)
        if shown is None:
            return None
        style = await rendering.in_channel(makers.settings, view, self.locale)
        return shown, await makers.renderer.animation(
            shown,
            most_bytes=animation.SINCE_BYTES,
            style=style,
            # A match has at most one at a time, so there is no need to limit them.
            requester=Requester(view.match.guild_id or 0, 0),
        )


@dataclass(slots=True)
class Reach:
    """The current match, and the ways to reach its messages."""

    view: MatchView
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
        found = (one for one in reversed(self.earlier) if message_id in one.reached)
        return next(found, None)

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


async def in_sight(reach: Reach, posted: PostedMessage) -> bool:
    """Return whether players can see a board.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: Discord failed.

    """
    age = reach.now - discord.utils.snowflake_time(posted.message_id)
    return age < _OLD and not await reach.transport.more_below(posted, FAR_UP)


async def post(reach: Reach, content: BoardContent, job: Job) -> int:
    """Post the board of a match and return the message.

    Raises:
        NoReply: the post continues in the background.
        discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it failed.

    """
    view = reach.view
    post = Post(job.mark, view.match.channel_id, view.version)

    async def send() -> int:
        board_post = await content.current()
        send_message = partial(
            reach.transport.post,
            post.channel_id,
            locale=reach.locale,
            nonce=job.nonce,
            pings=_called(job, board_post.pings),
            by=job.payload.get("by"),
        )

        async def send_in_words() -> int:
            plain = board_message_views.message(board_post).in_words()
            return await send_message(plain.marked(post.mark))

        if _in_words(reach):
            return await send_in_words()
        film = await content.film() if board_post.missed else None
        files = [await content.picture(board_post)]
        if film is not None:
            files.append(Upload(film[0].filename, film[1]))
        message = board_message_views.message(board_post, film=None if film is None else film[0])
        tries = reach.requests.started(post.mark)
        try:
            # From the second time on, a request that hangs does not go on in the background.
            async with in_time() if tries > 1 else nullcontext():
                message_id = await send_message(message.marked(post.mark), files=files)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            if not _may_be_the_files(error, tries):
                raise
            message_id = await send_in_words()
            reach.requests.extras.failed(_UPLOAD, route=UPLOAD)
            return message_id
        reach.requests.extras.succeeded(_UPLOAD, UPLOAD)
        return message_id

    message_id = await reach.requests.post(post, send)
    if _in_words(reach):
        reach.requests.uncertain.add(message_id)  # so that it gets its picture later
    return message_id


async def rewrite(
    reach: Reach, content: BoardContent, posted: PostedMessage, job: Job | None
) -> bool:
    """Edit a board to show the current match; return whether Discord accepts it.

    Raises:
        NoReply: the edit continues in the background.
        discord.HTTPException, aiohttp.ClientError, OSError, StoreError: the outcome is
            uncertain.

    """
    key = (reach.view.version, None if job is None else job.id)
    try:
        shown = await _edit(reach, content, posted, key, await content.current(), picture=True)
    except discord.HTTPException as error:
        if not refused(error):
            raise
        log.info("a board cannot be edited", message=posted.message_id, code=error.code)
        return False
    if shown and _in_words(reach):
        reach.requests.uncertain.add(posted.message_id)  # so that it gets its picture later
    return shown


async def strip(
    reach: Reach, content: BoardContent, posted: PostedMessage, *, undone: bool
) -> None:
    """Take the controls off a board. While Discord refuses, its buttons still answer politely.

    Args:
        reach: the ways to its message.
        content: what it says.
        posted: the board.
        undone: whether the move it shows was taken back since.

    Raises:
        NoReply: the edit continues in the background.
        discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it was refused, or the
            outcome is uncertain.

    """
    post = await content.past(posted, undone=undone)
    # The film of what was missed goes with the controls, and the picture may differ.
    picture = posted.message_id in reach.requests.uncertain or any(
        offer.attachments > 1 for offer in reach.pressed.get(posted.message_id, ())
    )
    try:
        await _edit(reach, content, posted, ("old", posted.ply), post, picture=picture)
    except discord.NotFound:
        log.info("no message with old controls is left", message=posted.message_id)


async def call(reach: Reach, job: Job, board: int) -> TurnCall | None:
    """Notify the player to move of a board that was edited, as edits notify no one.

    Raises:
        NoReply: the post continues in the background.
        discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it failed.

    """
    view = reach.view
    match, mover = view.match, view.to_move
    by = job.payload.get("by")
    called = () if mover is None else _called(job, (mover.user_id,))
    if mover is None or not await reach.transport.pings.of(called, by=by):
        return None
    link = message_link(match.guild_id, match.channel_id, board)
    words = say("{player}, your turn: {link}", player=mention(mover.user_id), link=link)
    post = Post(job.call_mark, match.channel_id)
    message_id = await reach.requests.post(
        post,
        partial(
            reach.transport.post,
            post.channel_id,
            text_layout(words).marked(post.mark),
            reach.locale,
            nonce=f"{job.nonce}c"[-25:],
            pings=called,
            by=by,
        ),
    )
    return TurnCall(message_id, match.channel_id, match.id, view.version)


async def _edit(
    reach: Reach,
    content: BoardContent,
    posted: PostedMessage,
    key: object,
    post: BoardPost,
    *,
    picture: bool,
) -> bool:
    """Edit a board by its pending press, else as the bot; return whether there is a way to."""
    message = board_message_views.message(post)
    files = [await content.picture(post)] if picture else None
    if picture and _in_words(reach):
        message, files = message.in_words(), []
    offers = reach.pressed.pop(posted.message_id, [])  # an interaction edits once
    if offers:
        offer = offers[-1]
        try:
            edit = partial(offer.edit, posted, message, reach.locale, files=files)
            await reach.requests.edit(posted.message_id, key, edit, force=True)
        except (NoReply, discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("could not answer a press", message=posted.message_id, reason=repr(error))
        else:
            return True
    send = _edit_of(reach, posted)
    if send is None:
        return False
    edit = partial(send, posted, message, reach.locale, files=files)
    try:
        await reach.requests.edit(posted.message_id, key, edit, force=bool(offers))
    except discord.HTTPException as error:
        fault = fault_of(error.status, error.code)
        if files and fault is Fault.FILES_REFUSED:
            reach.requests.extras.failed(_UPLOAD, route=UPLOAD)
            return await _edit(reach, content, posted, key, post, picture=True)
        if fault is Fault.REFUSED and not picture:  # perhaps it was posted in words
            return await _edit(reach, content, posted, key, post, picture=True)
        raise
    if files:
        reach.requests.extras.succeeded(_UPLOAD, UPLOAD)
    return True


def _edit_of(reach: Reach, posted: PostedMessage) -> Callable[..., Any] | None:
    """Return how to edit a message without a press, if that is possible."""
    if reach.editable:
        return reach.transport.edit
    earlier = reach.reaching(posted.message_id)
    return None if earlier is None else earlier.edit_reached


def _in_words(reach: Reach) -> bool:
    """Return whether boards go out in words for now, as Discord refuses pictures."""
    return reach.requests.extras.waits(_UPLOAD)


def _may_be_the_files(error: Exception, tries: int) -> bool:
    """Return whether a message may be refused for its files, or fails with them for good."""
    if not isinstance(error, discord.HTTPException):
        return tries > 1
    fault = fault_of(error.status, error.code)
    return fault in {Fault.FILES_REFUSED, Fault.REFUSED} or (
        fault is Fault.NO_REPLY and tries >= _LASTING
    )


def _called(job: Job, users: Iterable[int]) -> tuple[int, ...]:
    """Return which of the players to move a board notifies: not the one who asked to post it."""
    if job.payload.get("quietly"):
        return ()
    return tuple(user for user in users if user != job.payload.get("by"))
