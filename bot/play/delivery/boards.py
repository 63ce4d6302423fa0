"""Shows boards through the answers to interactions: the only way from a press to a board.

A press brings the messages about its match up to date in its own task. What it leaves undone, as
Discord fails or the press is cancelled, the outbox worker does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from bot.core.interactions.reply import USER_INSTALL, Reply
from bot.core.requests.sending import FAILED
from bot.core.scheduling.scheduler import WallClock
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.match_requests import TIMEOUT
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.delivery.transport import ChannelTransport, InteractionTransport, OpenInteractions
from bot.play.matches.jobs import BOARD_JOB, repost
from bot.play.matches.service import Matches
from bot.play.matches.stored_messages import Snapshot
from data.matches import boards, outbox
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Boards:
    """Shows the boards of matches to those who press."""

    store: Store
    matches: Matches
    transport: ChannelTransport
    deliverer: Deliverer
    worker: OutboxWorker
    """Does what a press leaves undone."""
    interactions: OpenInteractions
    clock: WallClock

    def snapshot(self, match_id: int) -> Snapshot:
        """Return what a transaction that is about to begin can read for `show`."""
        return Snapshot(self.deliverer.alone(match_id), self.clock())

    async def show(
        self,
        match_id: int,
        *,
        via: Reply,
        pressed: int | None = None,
        answer: Coroutine[Any, Any, object] | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Bring the messages about a match up to date; best called right after a commit.

        Args:
            match_id: the match.
            via: the answer to an interaction about it, a way to reach Discord.
            pressed: the version that the pressed board shows, if a board was pressed.
            answer: says something else first, and may raise; the board appears below it.
            snapshot: what the transaction before has read about the match's messages.

        """
        if not via.in_discord:
            self.worker.wake(match_id)
            if answer is not None:
                await answer
            return
        interaction = self.interactions.transport(match_id, via)
        answering = None if answer is None else asyncio.ensure_future(answer)
        try:
            with self.worker.in_hand(match_id) as delivery:
                if pressed is not None and (board := interaction.board(match_id, pressed)):
                    delivery.requests.seen[board.message_id] = board
                if answering is not None and self._is_above(match_id):
                    await asyncio.wait({answering}, timeout=TIMEOUT)
                await self.deliverer.show(delivery, interaction, snapshot)
                position = self.matches.positions.cached(match_id)
                if (
                    position is not None
                    and position.to_move is not None
                    and position.called is None
                ):
                    self.interactions.expect(match_id, interaction)
        finally:
            if answering is not None:
                await answering

    def saw(self, match_id: int, *, via: Reply, pressed: int) -> None:
        """Note that a board exists, as that version was pressed, and check it in the background."""
        board = self.interactions.transport(match_id, via).board(match_id, pressed)
        if board is not None:
            self.worker.saw(board)

    async def restore(self, match_id: int, *, via: Reply) -> None:
        """Post the board of a match again if its message was deleted, for a player who asks."""
        interaction = self.interactions.transport(match_id, via)
        with self.worker.in_hand(match_id) as delivery:
            async with self.deliverer.alone(match_id):
                await self._repost_if_deleted(match_id, interaction)
            await self.deliverer.show(delivery, interaction)

    def _is_above(self, match_id: int) -> bool:
        """Return whether an answer comes before the board: only it can, or its thread starts there."""
        position = self.matches.positions.cached(match_id)
        return position is None or position.match.channel_kind in {None, USER_INSTALL}

    async def _repost_if_deleted(self, match_id: int, interaction: InteractionTransport) -> None:
        position = await self.matches.position(match_id)
        async with self.store.read() as tx:
            jobs = await outbox.pending(tx, match_id)
            last = await boards.latest(tx, match_id)
        if position.to_move is None or any(job.kind == BOARD_JOB for job in jobs):
            return
        transport: ChannelTransport = self.transport
        if position.match.channel_kind == USER_INSTALL:
            earlier = self.interactions.reaching(match_id, last.message_id) if last else []
            transport = earlier[-1] if earlier else interaction
        try:
            if last is not None and await transport.exists(last):
                return
        except FAILED as error:
            log.info("could not look for a board", match=match_id, reason=repr(error))
            return
        async with self.store.write() as tx:
            if last is not None:
                await boards.forget(tx, last.message_id)
            await repost(tx, position.match, self.clock(), by=interaction.reply.user_id)
