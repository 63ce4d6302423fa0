"""Tells Discord what the outbox holds of one match: its board, and what is announced."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias

import discord
import structlog

from bot.delivery import log as delivery_log
from bot.delivery.board_messages import BoardMessages, Known, shown_by
from bot.delivery.interaction_transport import LENT
from bot.delivery.jobs import BOARD_JOB
from bot.delivery.log import DeliveryLog, Note
from bot.delivery.notices import announcement, timely
from bot.delivery.places import MOVED, UNKNOWN_CHANNEL, again
from data import boards, outbox, pings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.notices import Notice
    from bot.delivery.places import Places
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.pictures.rendering import Renderer
    from bot.scheduling.wall_clock import Clock
    from bot.settings.service import Choices
    from data.boards import Shown
    from data.outbox import Job
    from data.pings import Ping
    from data.store import Store, Transaction

    Calls: TypeAlias = tuple[Ping, ...]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Delivery:
    """Posts boards and announcements, and knows which of them may have arrived."""

    def __init__(
        self,
        poster: ChannelTransport,
        store: Store,
        matches: Matches,
        studio: Renderer,
        places: Places,
        *,
        choices: Choices,
        tongues: Locales,
        clock: Clock,
    ) -> None:
        """Deliver through a poster; see `bot.delivery.outbox_worker.OutboxWorker` for what the rest is."""
        self.ledger = DeliveryLog(store, clock=clock)
        self._poster = poster
        self._easel = BoardMessages(
            poster, store, matches, studio, choices=choices, tongues=tongues, clock=clock
        )
        self._places = places
        self._store = store
        self._tongues = tongues
        self._matches = matches
        self._clock = clock
        self._uncertain: set[int] = set()
        self._calling: bool | None = None
        """Whether any message may be there that calls a player, as far as that is known."""

    def doubt(self, jobs: Iterable[Job]) -> None:
        """Take jobs for ones that Discord may have been told of already."""
        self._uncertain.update(job.id for job in jobs)

    def settled(self, view: MatchView, message_id: int, job: Job) -> None:
        """Take notice that a message, pressed and redrawn, shows what a job should show."""
        self.ledger.note(Note((job.id,), shown_by(view, message_id, live=True)))

    async def bring(
        self,
        match_id: int,
        seen: MatchView | None = None,
        *,
        stripped: int | None = None,
        redrawn: int | None = None,
        restore: bool = False,
        visitor: InteractionTransport | None = None,
    ) -> None:
        """Tell Discord everything about a match that is due. One at a time for each match.

        Args:
            match_id: the match.
            seen: the match as it was just committed, which spares looking it up.
            stripped: a message whose controls are gone already.
            redrawn: a message that shows the match as it was seen already.
            restore: whether to look if the last board is still there, and else to post another.
            visitor: posts where the bot is only because somebody uses it, if that is so.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: not all was told;
                what was not is told when this is called again.

        """
        if restore:
            await self._restore(match_id, visitor or self._poster)
        notes = self.ledger.unwritten
        done = {job for note in notes for job in note.jobs}
        now = self._clock()

        async def look(tx: Transaction) -> tuple[tuple[Job, ...], tuple[Shown, ...], Calls]:
            return (
                await outbox.pending(tx, match_id),
                await boards.live(tx, match_id),
                await self._calls(tx, match_id),
            )

        pending, stored, called = await self._store.run_read(look)
        live = delivery_log.live(stored, match_id, notes)
        calls = delivery_log.calls(called, match_id, notes)
        jobs = [job for job in pending if job.id not in done and job.due(now)]
        if not jobs:
            return
        shows = [job for job in jobs if job.kind == BOARD_JOB]
        view = seen
        if view is None or len(shows) != 1 or not self._current(view, shows[0]):
            view = await self._matches.view(match_id)
        if view.match.place is None:
            view = await self._places.settle(view)
        known = Known(live, calls, stripped, redrawn if view is seen else None)
        poster: ChannelTransport = self._poster
        if view.match.place == LENT:
            if visitor is None or visitor.channel_id != view.match.channel_id:
                await self._write(jobs, view)
                return
            poster = visitor
        try:
            await self._tell(sorted(jobs, key=_is_no_move), view, known, poster)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or await self._places.leave(view) is None:
                raise
            await self.bring(match_id)

    def _current(self, view: MatchView, job: Job) -> bool:
        """Return whether a match as it was seen is the one to show, and in its place."""
        held = self._matches.positions.held(view.match.id)
        version: int = job.payload["ply"]
        if held is None or held is view:
            return view.version >= version
        known, seen = held.match, view.match
        same = (known.channel_id, known.finished) == (seen.channel_id, seen.finished)
        return view.version >= version and same

    async def _restore(self, match_id: int, poster: ChannelTransport) -> None:
        """Let the board of a match be posted again if its message was deleted."""
        await self.ledger.write()
        async with self._store.read() as tx:
            jobs = await outbox.pending(tx, match_id)
            last = await boards.latest(tx, match_id)
        view = await self._matches.view(match_id)
        if view.to_move is None or any(job.kind == BOARD_JOB for job in jobs):
            return
        if last is not None and await poster.there(last):
            return
        async with self._store.write() as tx:
            if last is not None:
                await boards.forget(tx, last.message_id)
            await again(tx, view, self._clock())

    async def _calls(self, tx: Transaction, match_id: int) -> Calls:
        if self._calling is None:
            self._calling = await pings.some(tx)
        if not self._calling:
            return ()
        return await pings.of(tx, match_id)

    async def _tell(
        self, jobs: Sequence[Job], view: MatchView, known: Known, poster: ChannelTransport
    ) -> None:
        easel = self._easel if poster is self._poster else self._easel.by(poster)
        shows = [job for job in jobs if job.kind == BOARD_JOB]
        for job in jobs:
            doubtful = job.id in self._uncertain
            if job.kind != BOARD_JOB:
                await self._announce(job, view, poster, doubtful=doubtful)
            elif job is shows[-1]:  # only the last one matters: each shows the match as it stands
                self._uncertain.add(job.id)
                self._done(await easel.show(shows, view, known, doubtful=doubtful))

    async def _announce(
        self, job: Job, view: MatchView, poster: ChannelTransport, *, doubtful: bool
    ) -> None:
        """Post an announcement, unless its turn has passed."""
        made = await self._made(job, view)
        if made is not None:
            channel_id = view.match.channel_id
            if not doubtful or not await poster.find_mark(channel_id, job.id):
                await self._post_announcement(job, made, channel_id, poster)
        self._done(Note((job.id,)))

    async def _made(self, job: Job, view: MatchView) -> Notice | None:
        """Return what a job announces; ``None`` if its turn has passed or it cannot be said."""
        if not timely(view, job):
            return None
        try:
            made = announcement(view, job)
        except Exception:  # what can never be said must not hold up the boards
            log.exception("an announcement cannot be made", job=job.id, kind=job.kind)
            return None
        made.message.tongue = await self._tongues.of_match(view.match)
        return made

    async def _post_announcement(
        self, job: Job, made: Notice, channel_id: int, poster: ChannelTransport
    ) -> None:
        self._uncertain.add(job.id)
        made.message.mark(job.id)
        try:
            await poster.post(channel_id, made.message, nonce=job.nonce, pings=made.pings)
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            log.exception("Discord refuses an announcement", job=job.id, code=error.code)

    async def _write(self, jobs: Sequence[Job], view: MatchView) -> None:
        """Tell players alone what is announced, where nothing can be posted; boards wait."""
        for job in jobs:
            if job.kind == BOARD_JOB:
                continue
            made = await self._made(job, view)
            for user_id in () if made is None else made.pings:
                if made is not None and await self._poster.may_call(user_id):
                    made.message.tongue = await self._tongues.of_player(user_id)
                    await self._poster.write(user_id, made.message)
            self._done(Note((job.id,)))

    def _done(self, note: Note) -> None:
        self.ledger.note(note)
        self._uncertain.difference_update(note.jobs)
        if note.called is not None:
            self._calling = True


def _is_no_move(job: Job) -> bool:
    """Tell jobs apart: that a match goes on elsewhere is said before its board is shown there."""
    return job.payload.get("kind") != MOVED
