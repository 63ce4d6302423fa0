"""The only writer of the messages about matches.

It works from state, not from events: read what the store says about a match, work out what Discord
should show, carry out the difference, record it. So lost events and repeated calls do no harm. The
outbox worker calls it for one match at a time, under a lock.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.core.background import MIN_PAUSE
from bot.core.i18n.locales import Locales
from bot.core.interactions.reply import USER_INSTALL
from bot.core.requests.faults import NoReply
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.play.delivery.board_messages import BoardContents, BoardMessages
from bot.play.delivery.live_board import LiveBoard
from bot.play.delivery.match_requests import MarkedPost, Requests
from bot.play.delivery.permission_posts import BlockedMatches
from bot.play.delivery.places import UNKNOWN_CHANNEL, Places
from bot.play.delivery.transport import ChannelTransport, InteractionTransport, OpenInteractions
from bot.play.matches import stored_messages
from bot.play.matches.jobs import BOARD_JOB, REWRITE_JOB
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.matches.stored_messages import Done, Stored
from data.matches import boards
from data.matches.boards import PostedMessage
from data.matches.outbox import Job
from data.store.store import Store

_AT_ONCE: Final = 3
"""Rounds without a pause: more are only needed while others keep changing the match."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Brings the messages about matches up to date."""

    transport: ChannelTransport
    store: Store
    matches: Matches
    contents: BoardContents
    places: Places
    blocked: BlockedMatches
    """Knows where nothing new can be posted for now."""
    interactions: OpenInteractions
    locales: Locales
    settings: SettingsStore
    clock: WallClock

    async def update(
        self,
        match_id: int,
        requests: Requests,
        interactions: Sequence[InteractionTransport] = (),
        stored: Stored | None = None,
    ) -> Done | None:
        """Bring the messages about one match, which nobody else writes about, up to date.

        It uses open interactions, newest last, and what the store has just said about the match.
        Return all that was recorded; ``None`` if that took several rounds, or there is no match.

        Raises:
            FAILED, StoreError: not everything was delivered, or a request continues in the
                background; call this again for the rest.

        """
        for number in itertools.count(1):
            if stored is None or requests.uncertain:
                stored = await stored_messages.read(
                    self.store, match_id, self.clock(), uncertain=tuple(requests.uncertain)
                )
            if stored is None:
                break
            done = await self._round(stored, requests, interactions)
            if done is not None:
                return done if number == 1 else None
            stored = None
            if number >= _AT_ONCE:
                await asyncio.sleep(MIN_PAUSE)
        return None

    async def _round(
        self, stored: Stored, requests: Requests, interactions: Sequence[InteractionTransport]
    ) -> Done | None:
        """Bring the messages up to date; return ``None`` if more is known now, and must be read."""
        if not (
            stored.jobs
            or stored.old
            or any(interaction.pressed is not None for interaction in interactions)
            or requests.extras.due
            or not requests.settled
            or (
                stored.match.finished and (stored.live or stored.calls)
            )  # as an earlier run left it
        ):
            return Done()
        position = await self._position(stored)
        if position is None:
            return None
        self._doubt(stored, position, requests)
        messages = await self._messages(position, stored, requests, interactions)
        if messages is None:
            # Boards wait for the next press; nothing else can be shown here.
            done = Done([job for job in stored.jobs if job.kind != BOARD_JOB])
            await stored_messages.write(self.store, done, stored, self.clock())
            return done
        done = Done()
        try:
            await messages.search()
            await self._forget_known(stored, requests)
            await self._write(messages, stored, done)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or not await self.places.leave(position):
                raise
            return None
        except NoReply:
            # Discord may have posted it anyway.
            known = len(requests.posted)
            await messages.search()
            if len(requests.posted) == known:
                raise
            return None
        finally:
            overtaken = await self._save(done, stored, requests)
        return None if overtaken else done

    async def _position(self, stored: Stored) -> Position | None:
        """Return the match as it stood when it was read; ``None`` if it must be read again."""
        position = await self.matches.current(stored.match)
        if position.match != stored.match:
            return None  # the match has moved on: the boards and jobs that were read are outdated
        if position.match.channel_kind is not None or not stored.jobs:
            return position
        await self.places.settle(position)
        return None

    def _doubt(self, stored: Stored, position: Position, requests: Requests) -> None:
        """Treat what an earlier run was to deliver as possibly delivered."""
        channel = position.match.channel_id
        for job in stored.jobs:
            if job.kind == REWRITE_JOB:
                recorded = {shown.message_id for shown in (*stored.live, *stored.old)}
                requests.uncertain.update(recorded.intersection(job.payload["messages"]))
                for mark, where, ply in job.payload["posts"]:
                    requests.doubtful[mark] = MarkedPost(mark, where, ply)
        old = [job for job in stored.jobs if job.id <= requests.inherited]
        jobs = [job for job in old if job.kind == BOARD_JOB]
        for job in jobs:
            requests.doubtful[job.mark] = MarkedPost(job.mark, channel, job.payload["ply"])
            requests.doubtful[job.call_mark] = MarkedPost(job.call_mark, channel)
        if jobs:
            requests.uncertain.update(shown.message_id for shown in stored.live)

    async def _forget_known(self, stored: Stored, requests: Requests) -> None:
        """Forget posts that were to be searched for once more, but are recorded as boards."""
        again = [job for job in stored.jobs if job.kind == REWRITE_JOB]
        marks = {post[0] for job in again for post in job.payload["posts"]}
        found = marks & requests.posted.keys() - {job.mark for job in stored.jobs}
        if not found:
            return
        async with self.store.read() as tx:
            for mark in found:
                if await boards.get(tx, requests.posted[mark][1]) is not None:
                    del requests.posted[mark]

    async def _messages(
        self,
        position: Position,
        stored: Stored,
        requests: Requests,
        interactions: Sequence[InteractionTransport],
    ) -> BoardMessages | None:
        """Return the messages about a match; ``None`` if there is no way to reach them now."""
        match = position.match
        transport: ChannelTransport = self.transport
        locale, earlier = await self.locales.of_match(match), []
        if match.channel_kind == USER_INSTALL:
            # A match between people gets a new message each turn, practice edits one.
            here = [
                interaction
                for interaction in interactions
                if interaction.reply.channel_id == match.channel_id
                and (position.practice or not interaction.spent)
            ]
            if not here:
                return None
            transport, locale = here[-1], await here[-1].locale()
            earlier = [*self.interactions.reaching(match.id), *here]
        pressed: dict[int, list[InteractionTransport]] = {}
        changes = any(job.kind == BOARD_JOB for job in stored.jobs)
        for interaction in (*(self.interactions.kept(match.id) if changes else ()), *interactions):
            if (message_id := interaction.pressed) is not None:
                pressed.setdefault(message_id, []).append(interaction)
        return BoardMessages(
            position,
            self.contents,
            transport,
            locale,
            requests,
            now=self.clock(),
            in_place=(await self.settings.server(match.guild_id)).board == "edit",
            editable=transport is self.transport,
            earlier=earlier,
            pressed=pressed,
            closed=self.blocked.waiting(position),
        )

    async def _write(self, messages: BoardMessages, stored: Stored, done: Done) -> None:
        jobs = [job for job in stored.jobs if job.kind == BOARD_JOB]
        jobs, lost = await _find_lost(messages, stored, jobs)
        if lost:
            await self.places.tell_lost(messages.position)
        tidy = await LiveBoard(messages, stored, done).update(jobs, lost)
        done.jobs += [job for job in stored.jobs if job.kind == REWRITE_JOB]
        await tidy()

    async def _save(self, done: Done, stored: Stored, requests: Requests) -> bool:
        """Record what was done, even if something else failed.

        Return whether another process has recorded boards of the match meanwhile: the two sets of
        edits may have overwritten each other, so these messages are written once more.
        """
        overtaken = await stored_messages.write(self.store, done, stored, self.clock())
        if overtaken:
            requests.uncertain.update(shown.message_id for shown in done.shown)
            done.jobs.clear()
        open_jobs = [job for job in stored.jobs if job not in done.jobs]
        still = {mark for job in open_jobs for mark in (job.mark, job.call_mark)}
        calls = (*done.called, *done.answered)
        recorded = {one.message_id for one in done.shown} | {one.message_id for one in calls}
        for mark, (_, message_id) in list(requests.posted.items()):
            # One that arrived meanwhile is of no record yet, though its job may be done by a later post.
            if mark not in still and message_id in recorded:
                del requests.posted[mark]
        return overtaken


async def _find_lost(
    messages: BoardMessages, stored: Stored, jobs: list[Job]
) -> tuple[list[Job], Sequence[PostedMessage]]:
    """Return the board jobs to carry out, and the boards that a restored store does not know.

    Without such boards nothing was lost: the jobs become quiet, and the board stays in place.
    """
    match = messages.position.match
    step = sum(job.payload.get("restored", 0) for job in jobs)
    if not step or not messages.editable:
        return jobs, ()
    there = await messages.transport.boards(match.channel_id, match.id)
    known = {shown.message_id: shown.ply - step for shown in stored.live}
    lost = [
        PostedMessage(message_id, match.channel_id, match.id, version, live=True)
        for message_id, version in there.items()
        if message_id not in known
    ]
    if lost or any(there.get(message_id, ply) != ply for message_id, ply in known.items()):
        return jobs, lost or stored.live
    mover = messages.position.to_move
    same = {"after": None if mover is None else mover.user_id, "redraw": True}
    quiet = [replace(job, payload=job.payload | same) for job in jobs]
    return quiet, ()
