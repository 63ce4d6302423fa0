"""Computes analyses of matches and imported records in workers, and stores what follows from them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from bot.core.errors import NotAllowed
from bot.core.hooks import on_match_analysed
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers import Report
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerPool
from bot.features.analysis.report import abridged, to_json
from bot.features.analysis.service import check, check_record, result
from bot.play.matches import advice
from bot.play.matches.computer_players import match_arguments
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.replays.replay import replay_of_record
from data import computer_tasks
from data.computer_tasks import Task
from data.matches import match_log, matches
from data.matches.match import Match
from data.puzzles import analyses, imported_records, puzzles
from data.puzzles.puzzles import Puzzle
from data.store.store import Store
from engine import record, registry
from engine.game import CHANCE
from engine.move_label import Worth
from engine.registry import AnyGame
from engine.replay import Played, replay

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_SECONDS_PER_ENTRY: Final = 0.25
_MAX_SECONDS: Final = 60.0
"""Maximum computing time per match."""
_GRACE: Final = 60.0
"""Seconds beyond the computing time until the worker is killed."""
_MAX_FAILURES: Final = 3
_MAX_LEASES: Final = 50
"""Maximum starts, so that an analysis that crashes its machine each time is given up."""


@dataclass(eq=False, repr=False)
class AnalysisComputer:
    """Computes the analyses of the matches and records of a store in workers."""

    store: Store
    matches: Matches
    workers: WorkerPool
    clock: WallClock

    async def match(self, task: Task, report: Report) -> None:
        """Analyse a match; store its report and puzzles.

        Raise Lost if another process has taken over the task, WorkerFailure if it can be retried.
        """
        assert task.match_id is not None
        async with self.store.read() as tx:
            known = await analyses.of(tx, task.match_id) is not None
            entries = [entry.notation for entry in await match_log.read(tx, task.match_id)]
        position = await self.matches.position(task.match_id)
        try:
            check(position)
        except NotAllowed:
            known = True
        if known or _hopeless(task):
            await self._drop(task)
            return
        match = position.match
        seed = f"study {match.id}"
        computed = await self._compute(position, entries, seed, task, report, puzzles=True)
        found, now = to_json(computed["analysis"], match), self.clock()
        chains = await asyncio.to_thread(_chains, position, entries)
        async with self.store.write() as tx:
            await computer_tasks.finish(tx, task)
            if await analyses.of(tx, match.id) is None:
                await matches.show_turning_point(tx, match, now)
            await analyses.put(tx, match.id, found, now)
            for follow in on_match_analysed:
                await follow(tx, match, chains, found["values"])
            for one in computed["puzzles"]:
                facts = {"expected": one["expected"], "margin": one["margin"]}
                number = _fingerprint(match, one["position"])
                shown = (match.options, one["position"], one["solution"], facts, number)
                await puzzles.add(tx, Puzzle(0, match.game, *shown), now)
        log.info("match analysed", match=match.id, puzzles=len(computed["puzzles"]))

    async def record(self, task: Task, report: Report) -> None:
        """Analyse an imported record; raises like `match`."""
        number = int(task.name.removeprefix("i"))
        async with self.store.read() as tx:
            imported = await imported_records.get(tx, number)
            known = await imported_records.analysis(tx, number) is not None
        if imported is None or known or _hopeless(task):
            await self._drop(task)
            return
        replay = await asyncio.to_thread(
            lambda: replay_of_record(task.name, record.read(imported.record))
        )
        try:
            check_record(replay)
        except NotAllowed:
            await self._drop(task)
            return
        entries = [replay.game.write(entry.move) for entry in replay.played]
        seed = f"study {' '.join(entries)}"
        computed = await self._compute(replay.position, entries, seed, task, report, puzzles=False)
        found = abridged(to_json(computed["analysis"], replay.position.match))
        async with self.store.write() as tx:
            await computer_tasks.finish(tx, task)
            kept = await imported_records.put_analysis(tx, number, found)
        log.info("record analysed", record=task.name, kept=kept)

    async def _drop(self, task: Task) -> None:
        async with self.store.write() as tx:
            await computer_tasks.finish(tx, task)

    async def _compute(
        self,
        position: Position,
        entries: Sequence[str],
        seed: str,
        task: Task,
        report: Report,
        *,
        puzzles: bool,
    ) -> dict[str, Any]:
        seconds = min(_SECONDS_PER_ENTRY * len(entries), _MAX_SECONDS)
        computed: dict[str, Any] = await self.workers.run(
            "analyse",
            {
                "match": match_arguments(position.match, entries),
                "result": result(position),
                "seed": int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6]),
                "seconds": seconds,
                "puzzles": puzzles,
            },
            requester=Requester(task.guild_id, task.user_id),
            limit=seconds + _GRACE,
            listener=report,
        )
        return computed


def _chains(position: Position, entries: Sequence[str]) -> dict[int, int]:
    """Return the longest chain of captures by each seat, ignoring moves of stand-in computers."""
    players = position.match.players
    played = tuple(replay(position.game, entries, position.match.options, len(players)))
    until = {one.seat: one.gave_up_ply for one in players if one.gave_up_ply is not None}
    return longest_chains(position.game, played, until)


def longest_chains(
    game: AnyGame, played: Sequence[Played[Any, Any]], until: Mapping[int, int]
) -> dict[int, int]:
    """Return each seat's longest run of captures, with no decision by others in between.

    For seats in ``until``, only moves up to that entry count.
    """
    longest: dict[int, int] = {}
    mover, chain = None, 0
    for entry in played:
        actor = game.actor(entry.before)
        if actor is CHANCE:
            continue
        if actor != mover:
            mover, chain = actor, 0
        if game.move_label(entry.before, entry.move).worth is not Worth.TAKES:
            chain = 0
        elif entry.ply <= until.get(int(actor), entry.ply):
            chain += 1
            longest[int(actor)] = max(chain, longest.get(int(actor), 0))
    return longest


def _hopeless(task: Task) -> bool:
    return task.attempts >= _MAX_FAILURES or task.lease > _MAX_LEASES


def _fingerprint(match: Match, position: str) -> int:
    game = registry.game(match.game)
    found = advice.fingerprint(game, game.read_position(position, match.options))
    assert found is not None, "somebody decides in every puzzle"
    return found
