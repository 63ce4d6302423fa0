"""Posts tournament messages by carrying out outbox jobs.

It works from the state in the store, so lost notifications do no harm. Before posting, it searches
for the job's mark in case an earlier attempt succeeded.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.background import KeyedBackground
from bot.delivery.places import UNKNOWN_CHANNEL
from bot.delivery.request_budget import URGENCY, Urgency
from bot.delivery.requests import refused
from bot.interactions.layout import text_layout
from bot.matches.links import board
from bot.tournaments import best_game, jobs, links, podium_text
from bot.tournaments.layout_views import (
    TABLES,
    announcement_layout,
    closing_layout,
    round_layout,
)
from bot.tournaments.note_text import note
from bot.tournaments.transitions import adjourn
from bot.tournaments.view import read_view
from data import matches, outbox, tournament_rounds, tournaments
from data.errors import StoreError
from data.tournaments import State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.permissions.alerts import PermissionAlerts
    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from bot.tournaments.best_game import BestGame
    from bot.tournaments.posting_views import TournamentMessages
    from bot.tournaments.view import TournamentView
    from data.outbox import Job
    from data.scope import Scope
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_TIMEOUT: Final = 60.0
"""Seconds a job may take in Discord, including waits for rate limits."""
_TOO_MANY_EDITS: Final = 30046
"""Too many edits to a message older than an hour; clears up with time."""
_ALL: Final = 0
"""Announced instead of a tournament's number when several may have something due."""
_TEMPORARY: Final = (discord.HTTPException, aiohttp.ClientError, OSError, StoreError)


class TournamentPosts:
    """Delivers tournament messages to Discord; a source of the scheduler."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        messages: TournamentMessages,
        alerts: PermissionAlerts,
        *,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Post in this process's servers."""
        self._client = client
        self._store = store
        self._messages = messages
        self._alerts = alerts
        self._shards = shards
        self._clock = clock
        self.work = KeyedBackground("tournament-posts", self.deliver, _TEMPORARY)
        store.listen(outbox.TOURNAMENTS, self.work.wake)
        store.listen_missed(lambda: self.work.wake(_ALL))

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next message is due; messages due now are posted in the background."""
        now, scope = self._clock(), self._shards.scope
        for number in await outbox.due_tournaments(tx, now, scope=scope):
            if not self.work.busy_with(number):
                self.work.wake_from_thread(number)
        return await outbox.next_of_tournaments(tx, now, scope=scope)

    async def due(self, now: datetime, /) -> None:
        """Post due messages soon."""
        del now
        await self._find()

    async def recover(self, scope: Scope | None) -> None:
        """Retry everything left blocked in a scope by an earlier run."""
        async with self._store.write() as tx:
            await outbox.unblock(tx, scope)
        await self._find()

    async def deliver(self, number: int) -> None:
        """Post and edit everything due of a tournament.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it must be retried.

        """
        URGENCY.set(Urgency.REMINDER)
        if number == _ALL:
            await self._find()
            return
        while True:
            now, scope = self._clock(), self._shards.scope
            found = await self._store.run_read(
                partial(outbox.of_tournament, tournament_id=number, now=now, scope=scope)
            )
            if not found:
                return
            await self._carry_out(number, found)

    async def _find(self) -> None:
        """Post what is due of all tournaments soon."""
        due = partial(outbox.due_tournaments, now=self._clock(), scope=self._shards.scope)
        for number in await self._store.run_read(due):
            self.work.wake(number)

    async def _carry_out(self, number: int, jobs: Sequence[Job]) -> None:
        """Carry out one tournament's jobs in order, merging those that show the same."""
        done: set[int] = set()
        for job in jobs:
            if job.id in done:
                continue
            same = [one.id for one in jobs if _shows(one) == _shows(job)]
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await self._one(number, job, same)
            except discord.HTTPException as error:
                if not refused(error) or error.code == _TOO_MANY_EDITS:
                    raise
                await self._refused(number, jobs, error)
                return
            done.update(same)

    async def _one(self, number: int, job: Job, same: Sequence[int]) -> None:
        view = await self._store.run_read(lambda tx: read_view(tx, number))
        assert view is not None, "a tournament is never removed"
        await self._shards.wait_ready(view.tournament.guild_id)
        if job.kind == jobs.ANNOUNCEMENT:
            await self._announce(view, job, same)
        elif job.kind == jobs.ROUND:
            await self._show_round(view, job, same)
        elif job.kind == jobs.CLOSING:
            await self._close(view, job, same)
        else:
            await self._say(view, job)

    async def _announce(self, view: TournamentView, job: Job, same: Sequence[int]) -> None:
        """Update the announcement; if there is none, post it and open its thread."""
        terms, layout = view.tournament, announcement_layout(view)
        if terms.message_id is not None and await self._messages.edit(
            terms.channel_id, terms.message_id, view, layout
        ):
            await self._done(same)
            return
        message = await self._messages.post(terms.channel_id, view, job, layout)
        thread = None
        if not terms.imported:
            thread = await self._messages.open_thread(view, message)
        async with self._store.write() as tx:
            await tournaments.set_messages(tx, view.id, message_id=message, thread_id=thread)
            await self._mark(tx, same)

    async def _show_round(self, view: TournamentView, job: Job, same: Sequence[int]) -> None:
        """Update or make the post of a round."""
        number = job.payload["round"]
        round_ = next(one for one in view.rounds if one.round == number)
        async with self._store.read() as tx:
            found = await links.of(tx, view.of_round(number)[:TABLES])
        view, place = view.until(number), _place(view)
        picture, files = await self._messages.picture(view, place)
        layout, named = round_layout(view, number, found, picture)
        if round_.message_id is not None:
            # If it was deleted, don't post it again.
            await self._messages.edit(place, round_.message_id, view, layout, files=files)
            await self._done(same)
            return
        message = await self._messages.post(place, view, job, layout, pings=named, files=files)
        async with self._store.write() as tx:
            await tournament_rounds.set_message(tx, view.id, number, message)
            await self._mark(tx, same)

    async def _close(self, view: TournamentView, job: Job, same: Sequence[int]) -> None:
        """Make the closing post, or add the best game to it once known."""
        terms, place = view.tournament, _place(view)
        best, link, later = await self._best(view, job)
        picture, files = await self._messages.picture(view, place)
        words = None if best is None else podium_text.best_game(best, link)
        layout = closing_layout(view, picture, words)
        message = terms.closing_id
        if message is None:
            first = podium_text.first_three(view)
            message = await self._messages.post(place, view, job, layout, pings=first, files=files)
        elif best is not None:
            # If it was deleted, don't post it again.
            await self._messages.edit(place, message, view, layout, files=files)
        async with self._store.write() as tx:
            chosen = None if best is None else best.match_id
            await tournaments.set_closing(tx, view.id, message_id=message, best_match_id=chosen)
            if later:
                await jobs.retry_best_game(tx, terms, job.payload["look"], self._clock())
            await self._mark(tx, same)

    async def _best(
        self, view: TournamentView, job: Job
    ) -> tuple[BestGame | None, str | None, bool]:
        """Return the best game and its link, if known, and whether to look again later."""
        async with self._store.read() as tx:
            known = view.tournament.best_match_id
            last = job.payload["look"] >= jobs.LAST_ATTEMPT
            if known is not None:
                match = await matches.get(tx, known)
                best = None if match is None else await best_game.judge(tx, match)
            elif not last and await best_game.awaits_analysis(tx, view):
                return None, None, True
            else:
                best = await best_game.best(tx, view)
            played = None if best is None else await matches.get(tx, best.match_id)
            link = None if played is None else await board(tx, played)
        return best, link, False

    async def _say(self, view: TournamentView, job: Job) -> None:
        async with self._store.read() as tx:
            made = await note(tx, view, job.payload)
        if made is not None:
            place = _place(view)
            await self._messages.post(place, view, job, text_layout(made.words), pings=made.pings)
        await self._done([job.id])

    async def _refused(
        self, number: int, jobs: Sequence[Job], error: discord.HTTPException
    ) -> None:
        """Move a post that Discord refuses, or block its jobs and alert those who can help."""
        log.warning("a tournament cannot be shown", tournament=number, code=error.code)
        async with self._store.read() as tx:
            terms = await tournaments.get(tx, number)
        assert terms is not None
        if error.code == UNKNOWN_CHANNEL and terms.thread_id is not None:
            with suppress(discord.NotFound):  # the channel itself may be gone, too
                await self._client.fetch_channel(terms.channel_id)
                async with self._store.write() as tx:
                    await tournaments.set_messages(
                        tx, number, message_id=terms.message_id, thread_id=None
                    )
                return
        await self._alerts.send_of_tournament(terms, terms.thread_id or terms.channel_id, error)
        async with self._store.write() as tx:
            if error.code == UNKNOWN_CHANNEL:
                await self._lose_channel(tx, number)
                await self._mark(tx, [job.id for job in jobs])
            else:
                for job in jobs:
                    await outbox.mark_failed(tx, job.id, f"{error.code}: {error.text}"[:200])

    async def _lose_channel(self, tx: Transaction, number: int) -> None:
        """Adjourn a tournament whose channel is gone; it can be resumed in another."""
        await tournaments.lock(tx, number)
        await tournaments.set_messages(tx, number, message_id=None, thread_id=None)
        view = await read_view(tx, number)
        assert view is not None, "a tournament is never removed"
        if view.tournament.state is State.RUNNING:
            await adjourn(tx, view, self._clock())

    async def _done(self, numbers: Sequence[int]) -> None:
        async with self._store.write() as tx:
            await self._mark(tx, numbers)

    async def _mark(self, tx: Transaction, numbers: Sequence[int]) -> None:
        for number in numbers:
            await outbox.mark_done(tx, number, self._clock())


def _place(view: TournamentView) -> int:
    """Return the tournament's thread if it has one, else its channel."""
    return view.tournament.thread_id or view.tournament.channel_id


def _shows(job: Job) -> tuple[str, object]:
    """Return a key for what a job shows; each note is unique."""
    return job.kind, job.id if job.kind == jobs.NOTE else job.payload.get("round")
