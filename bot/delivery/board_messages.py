"""Shows boards: posts them, changes them in place, and takes the controls off older ones.

A server chooses between a new message for each turn and one message that changes, beside which a
short one calls whoever is to move; the short one goes away when the turn is played.
"""

from __future__ import annotations

import io
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot.delivery.log import Note
from bot.i18n.mentions import who
from bot.interactions import layouts
from bot.matches import board_message as board_view
from bot.matches import board_text
from bot.matches import text as matches_text
from bot.pictures import styles
from bot.replays import animation
from bot.replays.service import Replays
from data import boards
from data.pings import Ping
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.interactions.layouts import Message
    from bot.matches.board_text import BoardPost
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.pictures.rendering import Renderer
    from bot.replays.animation import Animation
    from bot.scheduling.wall_clock import Clock
    from bot.settings.service import Choices
    from data.boards import Shown
    from data.outbox import Job
    from data.store import Store
    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FAR_UP: Final = 30
"""With so many messages below it a board is out of sight, and the next one is posted anew."""
_OLD: Final = timedelta(days=7)
"""A board of this age lies in a thread at rest, or hardly anybody would find it."""


@dataclass(frozen=True, slots=True)
class Known:
    """The messages about a match, as far as is known."""

    live: Sequence[Shown]
    """Those that have controls, oldest first."""
    calls: Sequence[Ping] = ()
    """The short ones that call somebody."""
    stripped: int | None = None
    """One whose controls are gone already."""
    redrawn: int | None = None
    """One that was pressed and shows the match as it stands already."""


class BoardMessages:
    """Shows the boards of matches."""

    def __init__(
        self,
        poster: ChannelTransport,
        store: Store,
        matches: Matches,
        studio: Renderer,
        *,
        choices: Choices,
        tongues: Locales,
        clock: Clock,
    ) -> None:
        """Show through a poster what a studio paints, as servers and players have chosen."""
        self._poster = poster
        self._matches = matches
        self._studio = studio
        self._choices = choices
        self._tongues = tongues
        self._reels = Replays(store)
        self._clock = clock

    def by(self, poster: ChannelTransport) -> BoardMessages:
        """Return an easel that shows the same through another poster."""
        other = copy(self)
        other._poster = poster  # noqa: SLF001 -- an easel of the same class
        return other

    async def show(
        self, jobs: Sequence[Job], view: MatchView, known: Known, *, doubtful: bool
    ) -> Note:
        """Bring the board of a match up to date, in place of those that are still live.

        Args:
            jobs: the jobs to show it; the last one tells who moved last.
            view: the match as it stands.
            known: the messages about it.
            doubtful: whether Discord may have been told already.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: not all was told.

        """
        # What was merely to be drawn anew must not pass for the move that it came after.
        job = next((job for job in reversed(jobs) if not job.payload.get("redraw")), jobs[-1])
        mover = view.to_move
        passed = mover is None or job.payload.get("after") != mover.user_id
        in_place = (await self._choices.server(view.match.guild_id)).board == "edit"
        kept = await self._kept(view, known, passed=passed, in_place=in_place, doubtful=doubtful)
        posted = kept is None
        if kept is None:
            kept = await self._posted(job, view, doubtful=doubtful)
        retired = [s for s in known.live if s.message_id != kept]
        undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)
        for shown in retired:
            if shown.message_id != known.stripped and self._poster.edits:
                await self._strip(shown, view, undone=shown.ply < undone)
        called = None
        if in_place and passed and not posted:
            called = await self._call(job, view, kept, doubtful=doubtful)
        answered = known.calls if passed else ()
        for call in answered:
            await self._poster.remove(call.channel_id, call.message_id)
        return Note(
            tuple(job.id for job in jobs),
            shown_by(view, kept, live=mover is not None),
            retired=tuple(shown.message_id for shown in retired),
            called=called,
            answered=tuple(call.message_id for call in answered),
        )

    async def _kept(
        self, view: MatchView, known: Known, *, passed: bool, in_place: bool, doubtful: bool
    ) -> int | None:
        """Return the message that was changed to show a match, ``None`` to post another one."""
        live = [shown for shown in known.live if shown.message_id != known.stripped]
        if not live or view.to_move is None:
            return None
        newest = live[-1]
        if newest.channel_id != view.match.channel_id:
            return None
        if newest.message_id == known.redrawn:
            return newest.message_id
        if passed and not (in_place and await self._in_sight(newest)):
            return None
        if passed and doubtful and await self._find(view) not in {None, newest.message_id}:
            return None  # it could not be changed the last time, so that another one was posted
        return newest.message_id if await self._change(newest, view) else None

    async def _in_sight(self, shown: Shown) -> bool:
        age = self._clock() - discord.utils.snowflake_time(shown.message_id)
        return age < _OLD and not await self._poster.more_below(shown, FAR_UP)

    async def _posted(self, job: Job, view: MatchView, *, doubtful: bool) -> int:
        """Return the message that was posted to show a match, now or when that was in doubt."""
        found = await self._find(view) if doubtful else None
        if found is not None:
            return found
        post = board_text.with_ratings(
            board_text.board(view), await self._matches.rating_changes(view)
        )
        film = await self._film(view) if post.missed else None
        files = [await self._picture(view, post)]
        if film is not None:
            files.append(discord.File(io.BytesIO(film[1]), filename=film[0].filename))
        return await self._poster.post(
            view.match.channel_id,
            await self._message(view, post, None if film is None else film[0]),
            nonce=job.nonce,
            pings=() if job.payload.get("quietly") else post.pings,
            files=files,
        )

    async def _film(self, view: MatchView) -> tuple[Animation, bytes] | None:
        """Return what the player to move has missed, if they like to see it with the board."""
        mover = view.to_move
        if mover is None or not (await self._choices.player(mover.user_id)).clips:
            return None
        reel = animation.reel_since(view, mover.seat) or await self._reels.of_match(view.match.id)
        shown = animation.since(reel, mover.seat) if reel.view.version == view.version else None
        if shown is None:
            return None
        look = await styles.in_channel(self._choices, view, await self._tongue(view))
        return shown, await animation.painted(
            self._studio, shown, most_bytes=animation.SINCE_BYTES, look=look
        )

    async def _find(self, view: MatchView) -> int | None:
        filename = board_text.board(view).filename
        return await self._poster.find_picture(view.match.channel_id, filename)

    async def _change(self, shown: Shown, view: MatchView) -> bool:
        if not self._poster.edits:
            return False
        post = board_text.board(view)
        try:
            await self._poster.edit(
                shown, await self._message(view, post), files=[await self._picture(view, post)]
            )
        except discord.HTTPException as error:
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            log.info("a board cannot be changed, posting a new one", code=error.code)
            return False
        return True

    async def _strip(self, shown: Shown, now: MatchView, *, undone: bool) -> None:
        """Take the controls off an older board. Its buttons are answered politely if it fails.

        Args:
            shown: the board.
            now: the match as it stands.
            undone: whether the move that it shows was taken back since.

        """
        if undone:
            post = board_text.taken_back(now, shown.ply)
        else:
            ply = shown.ply - 2 * now.match.takebacks
            view = await self._matches.view_at(shown.match_id, ply)
            following = await self._matches.entry_after(shown.match_id, ply)
            post = board_text.answered(view, following)
        try:
            await self._poster.edit(shown, await self._message(now, post))
        except discord.HTTPException as error:
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            log.info("old controls stay", message=shown.message_id, code=error.code)

    async def _call(self, job: Job, view: MatchView, board: int, *, doubtful: bool) -> Ping | None:
        """Call the player who is to move to a board that was changed without calling anybody."""
        match, mover = view.match, view.to_move
        quietly = job.payload.get("quietly")
        if mover is None or quietly or not await self._poster.may_call(mover.user_id):
            return None
        channel = match.channel_id
        message_id = await self._poster.find_mark(channel, job.id) if doubtful else None
        if message_id is None:
            link = matches_text.message_link(match.guild_id, channel, board)
            message = layouts.text(
                say("{player}, your turn: {link}", player=who(mover.user_id), link=link)
            )
            message.tongue = await self._tongue(view)
            message.mark(job.id)
            message_id = await self._poster.post(
                channel, message, nonce=job.nonce, pings=[mover.user_id]
            )
        return Ping(message_id, channel, match.id, view.version)

    async def _message(
        self, view: MatchView, post: BoardPost, film: Animation | None = None
    ) -> Message:
        message = board_view.message(post, film=film)
        message.tongue = await self._tongue(view)
        return message

    async def _picture(self, view: MatchView, post: BoardPost) -> discord.File:
        look = await styles.in_channel(self._choices, view, await self._tongue(view))
        return board_view.picture(post, await self._studio.picture(post.scene, look))

    async def _tongue(self, view: MatchView) -> Tongue:
        """Return the language of a board, its words and what is written on its picture."""
        return await self._poster.tongue() or await self._tongues.of_match(view.match)


def shown_by(view: MatchView, message_id: int, *, live: bool) -> Shown:
    """Return the fact that a message in the place of a match shows it."""
    return boards.Shown(
        message_id=message_id,
        channel_id=view.match.channel_id,
        match_id=view.match.id,
        ply=view.version,
        live=live,
    )
