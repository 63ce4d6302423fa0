"""The only writer of the messages about matches.

It works from state, not from events: read what the store says about a match, work out what Discord
should show, carry out the difference, record it. So lost events and repeated calls do no harm. The
outbox worker calls it for one match at a time, under a lock.
"""

from __future__ import annotations

import asyncio
import dataclasses
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot.delivery import stored_messages
from bot.delivery.board_messages import BoardMessages, Place
from bot.delivery.interaction_transport import USER_INSTALL
from bot.delivery.jobs import BOARD_JOB, NOTICE_JOB, RESTORED, RESULT_JOB, STORY_JOB
from bot.delivery.notices import announcement
from bot.delivery.places import MOVED, UNKNOWN_CHANNEL, repost
from bot.delivery.plan import Situation, plan
from bot.delivery.request_budget import Urgency, urgency
from bot.delivery.requests import NoReply, Post, in_time, refused
from bot.delivery.stored_messages import Done
from bot.interactions.layout import text_layout
from bot.matches import offer_text
from data import boards, outbox
from data.boards import Shown
from data.turn_calls import TurnCall

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.places import Places
    from bot.delivery.plan import Plan
    from bot.delivery.requests import Requests
    from bot.delivery.results import Results
    from bot.delivery.stored_messages import Stored
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.offers import Offer
    from data.outbox import Job
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Writer:
    """Brings the messages about matches up to date."""

    def __init__(
        self,
        transport: ChannelTransport,
        store: Store,
        matches_: Matches,
        board_messages: BoardMessages,
        places: Places,
        *,
        results: Results,
        settings: SettingsStore,
        locales: Locales,
        clock: WallClock,
    ) -> None:
        """Write what the store says about its matches through a transport.

        Args:
            transport: reaches Discord as the bot itself.
            store: holds matches, jobs and the messages about them.
            matches_: finds the positions of matches.
            board_messages: writes boards.
            places: finds a place for each match.
            results: tells channels how their matches ended.
            settings: knows how servers want their boards.
            locales: knows the language of each match.
            clock: the time of day.

        """
        self._transport = transport
        self._store = store
        self._matches = matches_
        self._boards = board_messages
        self._places = places
        self._results = results
        self._settings = settings
        self._locales = locales
        self._clock = clock

    async def bring(
        self,
        match_id: int,
        requests: Requests,
        offers: Sequence[InteractionTransport] = (),
        *,
        kept: Sequence[InteractionTransport] = (),
        earlier: Sequence[InteractionTransport] = (),
        inherited: int = 0,
    ) -> None:
        """Bring the messages about one match up to date.

        Args:
            match_id: the match; nothing else may write about it meanwhile.
            requests: its unfinished and uncertain requests.
            offers: open interactions to use, newest last.
            kept: presses that can edit their board, if it changes anyway.
            earlier: other interactions that can still edit what they have said, on the same terms.
            inherited: the last job that an earlier run of the program may have started.

        Raises:
            NoReply: a request goes on in the background; call this again when it ends.
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: not everything was
                delivered; call this again for the rest.

        """
        while await self._round(match_id, requests, offers, kept, earlier, inherited=inherited):
            pass

    async def restore(
        self,
        match_id: int,
        offer: InteractionTransport,
        earlier: Sequence[InteractionTransport] = (),
    ) -> None:
        """Post the board of a match again if its message was deleted.

        Args:
            match_id: the match; nothing else may write about it meanwhile.
            offer: the interaction of the player who asks for the board.
            earlier: other interactions that can still look at what they have said.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it is unknown whether
                it was deleted.

        """
        view = await self._matches.view(match_id)
        async with self._store.read() as tx:
            jobs = await outbox.pending(tx, match_id)
            last = await boards.latest(tx, match_id)
        if view.to_move is None or any(job.kind == BOARD_JOB for job in jobs):
            return
        transport = self._transport
        if view.match.place == USER_INSTALL:
            reaching = [one for one in earlier if last and last.message_id in one.reached]
            transport = reaching[-1] if reaching else offer
        if last is not None and await transport.exists(last):
            return
        async with self._store.write() as tx:
            if last is not None:
                await boards.forget(tx, last.message_id)
            await repost(tx, view, self._clock(), by=offer.reply.user_id)

    async def _round(
        self,
        match_id: int,
        requests: Requests,
        offers: Sequence[InteractionTransport],
        kept: Sequence[InteractionTransport],
        earlier: Sequence[InteractionTransport],
        *,
        inherited: int,
    ) -> bool:
        """Bring the messages up to date with what is known; return whether more is known now."""
        stored = await stored_messages.read(
            self._store, match_id, self._clock(), uncertain=tuple(requests.uncertain)
        )
        if stored is None or not (
            stored.jobs or stored.old or stored.offers or offers or not requests.settled
        ):
            return False
        view = await self._view(stored, offers)
        if view is None:
            return True
        self._doubt(stored, view, requests, inherited)
        if not any(job.kind == BOARD_JOB for job in stored.jobs):
            kept = ()  # no board will change
        place = await self._place(view, requests, offers, kept, earlier)
        if place is None:
            await self._notify_privately(view, stored)
            return False
        done = Done()
        try:
            await self._search(place)
            await self._write(place, stored, done)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or await self._places.leave(view) is None:
                raise
            return True
        except NoReply:
            # Discord may have posted it anyway.
            known = len(requests.posted)
            await self._search(place)
            if len(requests.posted) == known:
                raise
            return True
        finally:
            overtaken = await self._save(done, stored, requests)
        return overtaken

    async def _view(
        self, stored: Stored, offers: Sequence[InteractionTransport]
    ) -> MatchView | None:
        """Return the match as it stood when it was read; ``None`` if it must be read again."""
        view = await self._matches.current(stored.match)
        if view.match != stored.match:
            return None  # the match has moved on: the boards and jobs that were read are outdated
        if view.match.place is not None or not stored.jobs:
            return view
        for offer in offers:
            await offer.answered()  # a thread may start from that answer
        async with in_time():
            await self._places.settle(view)
        return None

    def _doubt(self, stored: Stored, view: MatchView, requests: Requests, inherited: int) -> None:
        """Treat what an earlier run was to deliver as possibly delivered."""
        channel = view.match.channel_id
        jobs = [job for job in stored.jobs if job.id <= inherited]
        for job in jobs:
            ply = job.payload["ply"] if job.kind == BOARD_JOB else None
            where = view.match.parent_id or channel if job.kind == RESULT_JOB else channel
            requests.doubtful[job.mark] = Post(job.mark, where, ply)
            requests.doubtful[job.call_mark] = Post(job.call_mark, channel)
        if jobs:
            requests.uncertain.update(shown.message_id for shown in stored.live)

    async def _place(
        self,
        view: MatchView,
        requests: Requests,
        offers: Sequence[InteractionTransport],
        kept: Sequence[InteractionTransport],
        earlier: Sequence[InteractionTransport],
    ) -> Place | None:
        """Return how to reach the messages about a match; ``None`` if there is no way now."""
        if view.match.place != USER_INSTALL:
            locale = await self._locales.of_match(view.match)
            place = Place(view, self._transport, locale, requests, offers)
        else:
            # A match between people gets a new message each turn, practice edits one.
            here = [
                offer
                for offer in offers
                if offer.channel_id == view.match.channel_id and (view.practice or not offer.spent)
            ]
            if not here:
                return None
            locale = await here[-1].locale()
            place = Place(
                view, here[-1], locale, requests, here, editable=False, earlier=(*earlier, *here)
            )
        for offer in (*kept, *place.offers):
            if (message_id := offer.pressed) is not None:
                place.pressed.setdefault(message_id, []).append(offer)
        return place

    async def _search(self, place: Place) -> None:
        """Search for posts that may have arrived."""
        doubtful = dict(place.requests.doubtful)
        for channel in {post.channel_id for post in doubtful.values()}:
            searched = {mark: p for mark, p in doubtful.items() if p.channel_id == channel}
            found = await place.transport.find(channel, searched.keys())
            place.requests.found(searched, found)

    async def _write(self, place: Place, stored: Stored, done: Done) -> None:
        boards_ = [job for job in stored.jobs if job.kind == BOARD_JOB]
        others = [job for job in stored.jobs if job.kind == NOTICE_JOB]
        to_show, lost = await self._lost(place, stored, boards_)
        for job in [job for job in others if job.payload.get("kind") == RESTORED]:
            others.remove(job)
            if lost:
                await self._announce(place, job, done)
            else:
                done.jobs.append(job)
        # A move to another place is announced before the board is shown there.
        for job in others:
            if job.payload.get("kind") == MOVED:
                await self._announce(place, job, done)
        await self._write_boards(place, stored, to_show, done, lost)
        for job in others:
            if job.payload.get("kind") != MOVED:
                await self._announce(place, job, done)
        for offer in stored.offers:
            await self._take_down(place, offer, done)
        for job in stored.jobs:
            if job.kind in {RESULT_JOB, STORY_JOB}:
                with urgency(Urgency.FILM):
                    await self._results.deliver(place, job, done)

    async def _write_boards(
        self,
        place: Place,
        stored: Stored,
        jobs: Sequence[Job],
        done: Done,
        lost: Sequence[Shown],
    ) -> None:
        view, requests = place.view, place.requests
        mover = view.to_move
        job = jobs[-1] if jobs else None
        situation = Situation(
            view.version,
            view.match.channel_id,
            None if mover is None else mover.user_id,
            jobs,
            (*self._live(place, stored), *lost),
            (*stored.calls, *self._stray_calls(place, job, done)),
            pressed=frozenset(place.pressed),
            uncertain=requests.uncertain,
            old=stored.old,
            in_place=(await self._settings.server(view.match.guild_id)).board == "edit",
            editable=place.editable,
            reached={message_id for one in place.earlier for message_id in one.reached},
            single=view.practice and not place.editable,
            arrived={mark: message_id for mark, (_, message_id) in requests.posted.items()},
        )
        seen = not situation.in_place or await self._in_sight(place, situation)
        todo = plan(situation, in_sight=seen)
        edited = {shown.message_id for shown in todo.strip}
        if todo.keep is not None and todo.rewrite:
            edited.add(todo.keep.message_id)
        for offer in place.offers:
            if offer.pressed not in edited:
                offer.done()
        undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)

        def strips(*, pressed: bool) -> list[Coroutine[Any, Any, None]]:
            return [
                self._strip(place, shown, done, undone=shown.ply < undone)
                for shown in todo.strip
                if (shown.message_id in situation.pressed) is pressed
            ]

        first = strips(pressed=True)
        showing = self._show(place, todo, situation.job, done)
        failed, *failures = await _together(showing, *first)
        # The rest follows the new board: posting reopens an archived thread, editing does not.
        failures += await _together(*strips(pressed=False))
        if failed is not None:
            raise failed
        for call in todo.answered:
            await place.transport.remove(call.channel_id, call.message_id)
            done.answered.append(call)
        # Old controls need no job: they go whenever anything is written about the match.
        done.jobs += jobs
        for failure in failures:
            if failure is not None:
                raise failure

    async def _lost(
        self, place: Place, stored: Stored, jobs: Sequence[Job]
    ) -> tuple[Sequence[Job], Sequence[Shown]]:
        """Return the jobs, and the boards that a restored store does not know.

        Without such boards nothing was lost: the jobs become quiet, and the board stays in place.
        """
        match = place.view.match
        step = sum(job.payload.get("restored", 0) for job in jobs)
        if not step or not place.editable:
            return jobs, ()
        there = await place.transport.boards(match.channel_id, match.id)
        known = {shown.message_id: shown.ply - step for shown in stored.live}
        lost = [
            Shown(message_id, match.channel_id, match.id, version, live=True)
            for message_id, version in there.items()
            if message_id not in known
        ]
        if lost or any(there.get(message_id, ply) != ply for message_id, ply in known.items()):
            return jobs, lost or stored.live
        mover = place.view.to_move
        same = {"after": None if mover is None else mover.user_id, "redraw": True}
        quiet = [dataclasses.replace(job, payload=job.payload | same) for job in jobs]
        return quiet, ()

    async def _in_sight(self, place: Place, situation: Situation) -> bool:
        """Return whether players can see the board that would change."""
        newest = situation.newest
        if newest is None or situation.mover is None or not situation.passed:
            return True
        return await self._boards.in_sight(place, newest)

    def _live(self, place: Place, stored: Stored) -> tuple[Shown, ...]:
        """Return the boards with controls: recorded, posted since, or pressed."""
        match, found = place.view.match, {shown.message_id: shown for shown in stored.live}
        for post, message_id in place.requests.posted.values():
            if post.ply is not None and message_id not in found:
                shown = Shown(message_id, post.channel_id, match.id, post.ply, live=True)
                found[message_id] = shown
        for offer in place.offers:
            # A press proves that a board exists, even if the reply to its post was lost, and which
            # turn it shows.
            board = offer.board
            if board is not None and offer.live:
                known = found.setdefault(board.message_id, board)
                if known.ply != board.ply:
                    place.requests.uncertain.add(board.message_id)
        return tuple(found.values())

    def _stray_calls(self, place: Place, job: Job | None, done: Done) -> Sequence[TurnCall]:
        """Return newly arrived messages that call a player to an earlier turn."""
        current = None if job is None else job.call_mark
        strays = [
            TurnCall(message_id, post.channel_id, place.view.match.id, 0)
            for mark, (post, message_id) in place.requests.posted.items()
            if mark % 2 and mark != current
        ]
        done.called += strays
        return strays

    async def _show(self, place: Place, todo: Plan, job: Job | None, done: Done) -> None:
        """Show the current turn on one board: the kept one, or else a new one."""
        view, keep = place.view, todo.keep
        kept = keep is not None and (
            not todo.rewrite or await self._boards.rewrite(place, keep, job)
        )
        if keep is not None and kept:
            message_id = keep.message_id
            called = None
            if todo.call and job is not None:
                called = await self._boards.call(place, job, message_id)
            if called is not None:
                done.called.append(called)
            if not todo.rewrite:
                return
        elif job is None:
            return
        else:
            message_id = await self._boards.post(place, job)
            if keep is not None:
                await self._strip(place, keep, done, undone=False)
        done.shown.append(
            Shown(
                message_id,
                view.match.channel_id,
                view.match.id,
                view.version,
                live=view.to_move is not None,
            )
        )

    async def _strip(self, place: Place, shown: Shown, done: Done, *, undone: bool) -> None:
        reached = place.editable or shown.message_id in place.pressed
        if reached or place.reaching(shown.message_id) is not None:
            await self._boards.strip(place, shown, undone=undone)
        done.shown.append(dataclasses.replace(shown, live=False))

    async def _take_down(self, place: Place, offer: Offer, done: Done) -> None:
        """Say on the message of an offer what became of it; a press on it does that by itself."""
        assert offer.message_id is not None
        assert offer.channel_id is not None
        if offer.message_id in {one.message_id for one in place.offers}:
            return
        earlier = place.reaching(offer.message_id)
        if place.editable or earlier is not None:
            shown = Shown(offer.message_id, offer.channel_id, offer.match_id, 0, live=False)
            words = text_layout(offer_text.closed(offer, place.view))
            send = place.transport.edit if earlier is None else earlier.edit_reached
            edit = partial(send, shown, words, place.locale)
            try:
                await place.requests.edit(offer.message_id, ("offer", offer.id), edit)
            except discord.HTTPException as error:
                if not refused(error):
                    raise
                log.info("an offer cannot be edited", message=offer.message_id, code=error.code)
        done.taken_down.append(offer)

    async def _announce(self, place: Place, job: Job, done: Done) -> None:
        """Post a notice, unless its turn has passed."""
        made = announcement(place.view, job)
        if made is not None:
            post = Post(job.mark, place.view.match.channel_id)
            send = partial(
                place.transport.post,
                post.channel_id,
                made.message.marked(post.mark),
                place.locale,
                nonce=job.nonce,
                pings=made.pings,
                by=made.by,
            )
            try:
                await place.requests.post(post, send)
            except discord.HTTPException as error:
                if error.status != HTTPStatus.BAD_REQUEST:
                    raise
                log.exception("Discord refused an announcement", job=job.id, code=error.code)
        done.jobs.append(job)

    async def _notify_privately(self, view: MatchView, stored: Stored) -> None:
        """Send players the notices that cannot be posted; boards wait."""
        done = Done()
        for job in stored.jobs:
            if job.kind == BOARD_JOB:
                continue
            made = announcement(view, job) if job.kind == NOTICE_JOB else None
            called = () if made is None else await self._transport.pings.of(made.pings, by=made.by)
            for user_id in called:
                if made is not None:
                    locale = await self._locales.of_player(user_id)
                    await self._transport.write(user_id, made.private or made.message, locale)
            done.jobs.append(job)
        # Durable, as direct messages are not searched for before they are repeated.
        await stored_messages.write(self._store, done, stored, self._clock(), durable=True)

    async def _save(self, done: Done, stored: Stored, requests: Requests) -> bool:
        """Record what was done, even if something else failed.

        Returns:
            Whether another process has recorded boards of the match meanwhile: the two sets of
            edits may have overwritten each other, so these messages are written once more.
        """
        overtaken = await stored_messages.write(self._store, done, stored, self._clock())
        if overtaken:
            requests.uncertain.update(shown.message_id for shown in done.shown)
            done.jobs.clear()
        open_jobs = [job for job in stored.jobs if job not in done.jobs]
        still = {mark for job in open_jobs for mark in (job.mark, job.call_mark)}
        calls = (*done.called, *done.answered)
        recorded = {one.message_id for one in done.shown} | {one.message_id for one in calls}
        delivered = {mark for job in done.jobs for mark in (job.mark, job.call_mark)}
        for mark, (_, message_id) in list(requests.posted.items()):
            if mark in delivered or (mark not in still and message_id in recorded):
                del requests.posted[mark]
        return overtaken


async def _together(*work: Coroutine[Any, Any, None]) -> list[BaseException | None]:
    """Run coroutines at the same time, all of them to the end; return each one's error, if any."""
    return await asyncio.gather(*work, return_exceptions=True)
