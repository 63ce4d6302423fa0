"""Tells Discord what the outbox holds of one match: its board, and what is announced."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import discord
import structlog

from bot import clip, ledger, looks, present
from bot.announcements import announcement, timely
from bot.jobs import BOARD_JOB
from bot.ledger import Ledger, Note
from bot.poster import Poster
from bot.replay import Reels
from bot.views import board as board_view
from bot.views.replay import film_file
from data import boards, outbox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.announcements import Announcement
    from bot.choices import Choices
    from bot.clip import Clip
    from bot.clock import Clock
    from bot.matches import Matches
    from bot.positions import MatchView
    from bot.present import BoardPost
    from bot.studio import Studio
    from bot.tongues import Tongues
    from bot.views.frame import Message
    from data.boards import Shown
    from data.outbox import Job
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Delivery:
    """Posts boards and announcements, and knows which of them may have arrived."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        matches: Matches,
        studio: Studio,
        *,
        choices: Choices,
        tongues: Tongues,
        clock: Clock,
    ) -> None:
        """Deliver through a client; see `bot.courier.Courier` for what the rest is."""
        self.ledger = Ledger(store, clock=clock)
        self._poster = Poster(client, choices)
        self._store = store
        self._choices = choices
        self._matches = matches
        self._studio = studio
        self._reels = Reels(store)
        self._tongues = tongues
        self._clock = clock
        self._uncertain: set[int] = set()

    def doubt(self, jobs: Iterable[Job]) -> None:
        """Take jobs for ones that Discord may have been told of already."""
        self._uncertain.update(job.id for job in jobs)

    def settled(self, view: MatchView, message_id: int, job: Job) -> None:
        """Take notice that a message, pressed and redrawn, shows what a job should show."""
        shown = _shown(view, message_id, view.match.channel_id, live=True)
        self.ledger.note(Note((job.id,), shown))

    async def bring(self, match_id: int, seen: MatchView | None, stripped: int | None) -> None:
        """Tell Discord everything about a match that is due. One at a time for each match.

        Args:
            match_id: the match.
            seen: the match as it was just committed, which spares looking it up.
            stripped: a message whose controls are gone already.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: not all was told;
                what was not is told when this is called again.

        """
        notes = self.ledger.unwritten
        done = {job for note in notes for job in note.jobs}
        now = self._clock()

        async def look(tx: Transaction) -> tuple[tuple[Job, ...], tuple[Shown, ...]]:
            return await outbox.pending(tx, match_id), await boards.live(tx, match_id)

        pending, stored = await self._store.read_at_once(look)
        live = ledger.live(stored, match_id, notes)
        jobs = [job for job in pending if job.id not in done and job.due(now)]
        if not jobs:
            return
        shows = [job for job in jobs if job.kind == BOARD_JOB]
        view = seen
        if view is None or len(shows) != 1 or not _shows(view, shows[0]):
            view = await self._matches.view(match_id)
        for job in jobs:
            if job.kind != BOARD_JOB:
                await self._announce(job, view)
            elif job is shows[-1]:  # only the last one matters: each shows the match as it stands
                await self._show(shows, view, live, stripped)

    async def _show(
        self, jobs: list[Job], view: MatchView, live: tuple[Shown, ...], stripped: int | None
    ) -> None:
        """Bring the board of a match up to date, in place of those that are still live."""
        job = next((job for job in reversed(jobs) if not job.payload.get("redraw")), jobs[-1])
        old = [shown for shown in live if shown.message_id != stripped]
        kept = self._to_edit(job, view, old)
        if kept is not None and await self._edit(view, kept):
            message_id, channel_id = kept.message_id, kept.channel_id
        else:
            kept = None
            channel_id = view.match.channel_id
            message_id = await self._post(job, view, channel_id)
        retired = [shown for shown in live if kept is None and shown.message_id != message_id]
        undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)
        for shown in retired:
            if shown.message_id != stripped:
                await self._strip(shown, view, undone=shown.ply < undone)
        self._done(
            Note(
                tuple(job.id for job in jobs),
                _shown(view, message_id, channel_id, live=view.to_move is not None),
                retired=tuple(shown.message_id for shown in retired),
            )
        )

    async def _announce(self, job: Job, view: MatchView) -> None:
        """Post an announcement, unless its turn has passed."""
        if timely(view, job):
            try:
                made = announcement(view, job)
            except Exception:  # what can never be said must not hold up the boards
                log.exception("an announcement cannot be made", job=job.id, kind=job.kind)
            else:
                made.message.tongue = await self._tongues.of_match(view.match)
                await self._post_announcement(job, made, view.match.channel_id)
        self._done(Note((job.id,)))

    async def _post_announcement(self, job: Job, made: Announcement, channel_id: int) -> None:
        if job.id in self._uncertain and await self._poster.find_mark(channel_id, job.id):
            return
        self._uncertain.add(job.id)
        made.message.mark(job.id)
        try:
            await self._poster.post(channel_id, made.message, nonce=job.nonce, pings=made.pings)
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            log.exception("Discord refuses an announcement", job=job.id, code=error.code)

    def _done(self, note: Note) -> None:
        self.ledger.note(note)
        self._uncertain.difference_update(note.jobs)

    @staticmethod
    def _to_edit(job: Job, view: MatchView, live: list[Shown]) -> Shown | None:
        """Return the board to change in place while the same player goes on, if there is one."""
        mover = view.to_move
        if not live or mover is None or job.payload.get("after") != mover.user_id:
            return None
        return live[-1]

    async def _post(self, job: Job, view: MatchView, channel_id: int) -> int:
        post = present.board(view)
        if job.id in self._uncertain:
            found = await self._poster.find_picture(channel_id, post.filename)
            if found is not None:
                return found
        self._uncertain.add(job.id)
        film = await self._film(view) if post.missed else None
        files = [await self._picture(view, post)]
        if film is not None:
            files.append(film_file(*film))
        return await self._poster.post(
            channel_id,
            await self._message(view, post, None if film is None else film[0]),
            nonce=job.nonce,
            pings=() if job.payload.get("quietly") else post.pings,
            files=files,
        )

    async def _film(self, view: MatchView) -> tuple[Clip, bytes] | None:
        """Return what the player to move has missed, if they like to see it with the board."""
        mover = view.to_move
        if mover is None or not (await self._choices.player(mover.user_id)).clips:
            return None
        reel = await self._reels.of_match(view.match.id)
        shown = clip.since(reel, mover.seat) if reel.view.version == view.version else None
        if shown is None:
            return None
        look = await looks.in_channel(self._choices, view)
        return shown, await clip.painted(
            self._studio, shown, most_bytes=clip.SINCE_BYTES, look=look
        )

    async def _edit(self, view: MatchView, shown: Shown) -> bool:
        post = present.board(view)
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
            post = present.taken_back(now, shown.ply)
        else:
            ply = shown.ply - 2 * now.match.takebacks
            view = await self._matches.view_at(shown.match_id, ply)
            following = await self._matches.entry_after(shown.match_id, ply)
            post = present.answered(view, following)
        try:
            await self._poster.edit(shown, await self._message(now, post))
        except discord.HTTPException as error:
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise
            log.info("old controls stay", message=shown.message_id, code=error.code)

    async def _message(self, view: MatchView, post: BoardPost, film: Clip | None = None) -> Message:
        message = board_view.message(post, film=film)
        message.tongue = await self._tongues.of_match(view.match)
        return message

    async def _picture(self, view: MatchView, post: BoardPost) -> discord.File:
        tongue = await self._tongues.of_match(view.match)
        look = await looks.in_channel(self._choices, view, tongue)
        return board_view.picture(post, await self._studio.picture(post.scene, look))


def _shows(view: MatchView, job: Job) -> bool:
    """Return whether a match as it was seen is the one that a job is to show."""
    version: int = job.payload["ply"]
    return view.version >= version


def _shown(view: MatchView, message_id: int, channel_id: int, *, live: bool) -> Shown:
    return boards.Shown(
        message_id=message_id,
        channel_id=channel_id,
        match_id=view.match.id,
        ply=view.version,
        live=live,
    )
