"""Lets computers move: thinks in workers, plays like everybody else, and tells the courier.

A computer's move goes the way of all moves (`bot.matches.service`). That it is to move stands in the
store from the commit of the move before, so a restart resumes. Where thinking fails, takes too
long or is killed, less is thought, and at last a move is drawn by lot: no match is ever lost.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog

from bot.errors import MatchOver, NotYourTurn, OldBoard
from bot.matches.computers import is_computer, level_of
from bot.workers.pool import WorkerFailure
from bot.workers.requests import LIMIT, position, seed_of, whose
from data import chores, matches
from data.chores import Kind
from data.errors import StoreError
from engine.errors import RulesError

if TYPE_CHECKING:
    from datetime import datetime

    from bot.analysis.queue import AnalysisQueue
    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.outbox_worker import OutboxWorker, Told
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import Clock
    from bot.workers.pool import WorkerPool
    from data.matches import Player
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SHORT_WAIT: Final = timedelta(minutes=1)
"""Whoever waited for no longer than this is there still and need not be called."""
_LONGEST_PAUSE: Final = 60.0


@dataclass(frozen=True, slots=True)
class _Effort:
    """How hard a computer tries."""

    level: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who waits where the bot can only answer what somebody does."""

    visitor: InteractionTransport | None
    told: Told | None


class Opponents:
    """All computers that are to move."""

    def __init__(
        self,
        store: Store,
        matches_: Matches,
        workers: WorkerPool,
        courier: OutboxWorker,
        studies: AnalysisQueue,
        *,
        clock: Clock,
        limit: float = LIMIT,
        pause: float = 1.0,
    ) -> None:
        """Play the matches of a store.

        Args:
            store: where they are.
            matches_: the use cases of matches.
            workers: they think.
            courier: brings boards to Discord.
            studies: look at matches that have ended.
            clock: the time of day.
            limit: after so many seconds a worker that thinks about a move is killed.
            pause: seconds before the first repetition of what the store could not do.

        """
        self._store = store
        self._matches = matches_
        self._workers = workers
        self._courier = courier
        self._studies = studies
        self._clock = clock
        self._limit = limit
        self._pause = pause
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._waiting: dict[int, _Waiting] = {}
        self._closed = False

    def think(self, match_id: int, *, since: datetime | None = None) -> None:
        """Let the computer move that is to move in a match, soon and in the background.

        Args:
            match_id: the match.
            since: since when people wait, where that is not now.

        """
        if self._closed:
            return
        if match_id in self._tasks:
            self._again.add(match_id)
            return
        work = self._play(match_id, since or self._clock())
        task = asyncio.create_task(work, name=f"computer-{match_id}")
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._over(match_id))

    def notice(self, view: MatchView) -> None:
        """Let a computer move in a match if it is its turn."""
        if view.to_move is not None and is_computer(view.to_move.user_id):
            self.think(view.match.id)

    def study(self, match_id: int) -> None:  # noqa: ARG002 -- the store knows which
        """Take notice that a match has ended."""
        self._studies.wake()

    def awaits(
        self, match_id: int, visitor: InteractionTransport | None, told: Told | None
    ) -> None:
        """Remember who is to be answered when a computer has moved, where it is to move now."""
        if match_id in self._tasks:
            self._waiting[match_id] = _Waiting(visitor, told)

    async def recover(self) -> None:
        """Go on with every match in which a computer is to move."""
        async with self._store.read() as tx:
            found = await chores.waiting(tx, Kind.MOVE)
        for match_id in found:
            self.think(match_id, since=self._clock() - 2 * SHORT_WAIT)
        if found:
            log.info("computers think again", matches=len(found))

    async def idle(self) -> None:
        """Wait until no computer is to move."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))
            await asyncio.sleep(0)

    @property
    def busy(self) -> bool:
        """Whether a computer is to move."""
        return bool(self._tasks)

    async def close(self) -> None:
        """Stop; what is not played yet is played after the next start."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _over(self, match_id: int) -> None:
        del self._tasks[match_id]
        if match_id in self._again:
            self._again.discard(match_id)
            self.think(match_id)
        else:
            self._waiting.pop(match_id, None)

    async def _play(self, match_id: int, since: datetime) -> None:
        """Play all that computers have to decide in a match, until a person is to move."""
        pause = self._pause
        while True:
            try:
                view = await self._matches.view(match_id)
                mover = view.to_move
                if mover is None or not is_computer(mover.user_id):
                    return
                notation = await self._decide(view, mover)
                await self._move(view, mover, notation, since)
            except StoreError as error:
                log.warning("a computer has to wait", match=match_id, why=str(error))
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
            except Exception:
                log.exception("a computer cannot move until the next start", match=match_id)
                return

    async def _move(self, view: MatchView, mover: Player, notation: str, since: datetime) -> None:
        """Play a move, unless the match has gone on otherwise meanwhile."""
        quietly = self._clock() - since <= SHORT_WAIT
        try:
            turn = await self._matches.play_on(
                view, mover.user_id, notation, ply=view.version, quietly=quietly
            )
        except (OldBoard, MatchOver, NotYourTurn):
            return
        if turn.job is not None:
            waiting = self._waiting.pop(view.match.id, _Waiting(None, None))
            self._courier.nudge(
                view.match.id, turn.after, visitor=waiting.visitor, told=waiting.told
            )

    async def _decide(self, view: MatchView, mover: Player) -> str:
        """Return a legal move: thought about, or drawn by lot where nothing else is left."""
        legal = view.game.legal_moves(view.state)
        if len(legal) == 1:
            return view.game.write(legal[0])
        level, seed = level_of(mover.user_id), seed_of(view)
        async with self._store.read() as tx:
            log_ = [entry.notation for entry in await matches.log(tx, view.match.id)][: view.ply]
        for effort in (_Effort(level, 1.0), _Effort(min(level, 2), 0.3)):
            try:
                said = await self._workers.do(
                    "think",
                    {
                        **position(view, log_),
                        "level": effort.level,
                        "seed": seed,
                        "seconds": effort.seconds,
                    },
                    whose=whose(view),
                    limit=self._limit,
                )
                view.game.read(view.state, said["notation"])
            except (WorkerFailure, RulesError) as error:
                log.warning(
                    "a computer thinks less", match=view.match.id, level=level, why=str(error)
                )
            else:
                return str(said["notation"])
        return view.game.write(random.Random(seed).choice(legal))  # noqa: S311 -- a game
