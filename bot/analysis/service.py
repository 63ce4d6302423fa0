"""Analyses of finished matches and imported records; one run serves everyone who asks for it.

A report is stored and never computed again. Records yield no puzzles: a player may have made up
what they contain.
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.analysis.report import from_json, shortened, to_json
from bot.delivery import jobs
from bot.errors import NotAllowed, Refusal
from bot.matches import advice, fingerprints
from bot.matches.stand_ins import final_ranks
from bot.workers.fair_places import SharedWork
from bot.workers.fair_queue import NOBODY, Requester
from bot.workers.pool import WorkerFailure
from bot.workers.requests import match_arguments
from data import analyses, computer_tasks, imported_records, matches, puzzles
from data.computer_tasks import Kind
from engine import registry
from engine.phrase import say
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from bot.analysis.report import AnalysisReport
    from bot.matches.positions import MatchView
    from bot.replays.service import Replay
    from bot.scheduling.wall_clock import WallClock
    from bot.workers.pool import WorkerPool
    from data.matches import Match
    from data.store import Store
    from engine.phrase import Phrase
    from engine.registry import AnyGame
    from engine.replay import Played

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MIN_ENTRIES: Final = 4
"""Shorter matches are not analysed."""
_SECONDS_PER_ENTRY: Final = 0.25
_MAX_SECONDS: Final = 60.0
"""Computing time for one match."""
_GRACE: Final = 60.0
"""Seconds beyond the computing time until the worker is killed."""
_PATIENCE: Final = 240.0
"""Seconds until a user who waits is told to ask again."""
_WARM_UP_LIMIT: Final = 600.0
"""Compiling everything takes minutes on a small machine, once."""


class Analyses:
    """The stored reports, and the analyses running now."""

    def __init__(
        self,
        store: Store,
        workers: WorkerPool,
        *,
        clock: WallClock,
        others: WorkerPool | None = None,
    ) -> None:
        """Analyse the matches and records of a store in these workers.

        ``others`` choose moves, and are warmed up with these.
        """
        self._store = store
        self._workers = workers
        self._others = others
        self._clock = clock
        self._running: SharedWork[AnalysisReport] = SharedWork()
        self._progress: dict[str, float] = {}

    async def of_match(self, view: MatchView, requester: Requester = NOBODY) -> AnalysisReport:
        """Return the report on a match, computed now if it is not stored.

        Raises:
            NotAllowed: the match is in progress, has no result or is too short, or one of its
                positions is in play.
            Refusal: the analysis takes too long or failed, or this user waits for too many.

        """
        check(view)
        number = view.match.id
        async with self._store.read() as tx:
            stored = await analyses.of(tx, number)
            log = [entry.notation for entry in await matches.log(tx, number)]
        played = partial(replay, view.game, log, view.match.options, len(view.match.players))
        refuse = await self._guard(view.game, played, f"#{number}")
        if stored is not None:
            return from_json(stored)
        return await self._wait(
            self.start(view, requester),
            refuse,
            late=say(
                "The analysis of match #{number} is taking longer than usual. Ask again in a few "
                "minutes.",
                number=number,
            ),
            failed=say(
                "I couldn't analyse match #{number} just now. Try again later.", number=number
            ),
        )

    async def of_record(self, record: Replay, user_id: int) -> AnalysisReport:
        """Return the report on a record for the player who imported it.

        Raises:
            NotAllowed: it has no result or is too short, or one of its positions is in play.
            Refusal: the analysis takes too long or failed.

        """
        name = record.name
        entries = [record.game.write(entry.move) for entry in record.played]
        _check_record(record)
        refuse = await self._guard(record.game, lambda: record.played, name)
        async with self._store.read() as tx:
            stored = await imported_records.analysis(tx, record.number)
        if stored is not None:
            return from_json(stored)
        return await self._wait(
            self._running.start(name, partial(self._analyse_record, record, entries, user_id)),
            refuse,
            late=say(
                "The analysis of record {name} is taking longer than usual. Ask again in a few "
                "minutes.",
                name=name,
            ),
            failed=say("I couldn't analyse record {name} just now. Try again later.", name=name),
        )

    def start(self, view: MatchView, requester: Requester = NOBODY) -> asyncio.Task[AnalysisReport]:
        """Return the task that analyses a match, started unless it runs already."""
        work = partial(self._analyse_match, view, requester)
        return self._running.start(str(view.match.id), work)

    def progress(self, name: str) -> float | None:
        """Return how far the analysis of a match or record is; ``None`` before it begins."""
        return self._progress.get(name)

    async def warm_up(self) -> None:
        """Have everything compiled and loaded, in every process, before the first player needs it."""
        games = {"games": sorted(registry.games())}
        try:
            # The first one compiles; the processes that choose moves load what it has compiled.
            await self._workers.run_in_each("warm_up", games, limit=_WARM_UP_LIMIT)
            if self._others is not None:
                await self._others.run_in_each("warm_up", games, limit=_WARM_UP_LIMIT)
        except WorkerFailure as error:
            log.info("kernels are not compiled yet", why=str(error))

    async def close(self) -> None:
        """Cancel all analyses."""
        await self._running.close()

    async def _guard(
        self, game: AnyGame, played: Callable[[], Iterable[Played[Any, Any]]], name: str
    ) -> Callable[[], Awaitable[None]]:
        """Return what raises NotAllowed while a position of a log is in play, and do so now."""
        found = await asyncio.to_thread(lambda: fingerprints.of_log(game, played()))

        async def refuse() -> None:
            async with self._store.read() as tx:
                await advice.require_none(tx, found, advice.analysis_refusal(name))

        await refuse()
        return refuse

    async def _wait(
        self,
        task: asyncio.Task[AnalysisReport],
        refuse: Callable[[], Awaitable[None]],
        *,
        late: Phrase,
        failed: Phrase,
    ) -> AnalysisReport:
        """Return the report of an analysis, which goes on if the wait is given up."""
        try:
            async with asyncio.timeout(_PATIENCE):
                report = await asyncio.shield(task)
        except TimeoutError as error:
            raise Refusal(late) from error
        except WorkerFailure as error:
            log.warning("analysis failed", task=task.get_name(), why=str(error))
            raise Refusal(failed) from error
        await refuse()  # other matches have gone on meanwhile
        return report

    async def _analyse_match(self, view: MatchView, requester: Requester) -> AnalysisReport:
        """Analyse a match; store its report and puzzles."""
        match = view.match
        async with self._store.read() as tx:
            entries = [entry.notation for entry in await matches.log(tx, match.id)]
        seed = f"study {match.id}"
        computed = await self._compute(
            view, entries, seed, requester, name=str(match.id), puzzles=True
        )
        report, now = to_json(computed["analysis"], match), self._clock()
        async with self._store.write() as tx:
            await computer_tasks.remove(tx, Kind.ANALYSIS, match.id)
            if await analyses.of(tx, match.id) is None:
                await jobs.tell_turning_point(tx, match.id, now)
            await analyses.put(tx, match.id, report, now)
            for one in computed["puzzles"]:
                await puzzles.add(
                    tx,
                    game=match.game,
                    options=match.options,
                    position=one["position"],
                    solution=one["solution"],
                    said={"expected": one["expected"], "margin": one["margin"]},
                    fingerprint=_fingerprint(match, one["position"]),
                    at=now,
                )
        log.info("match analysed", match=match.id, puzzles=len(computed["puzzles"]))
        return from_json(report)

    async def _analyse_record(
        self, record: Replay, entries: Sequence[str], user_id: int
    ) -> AnalysisReport:
        seed, requester = f"study {' '.join(entries)}", Requester(0, user_id)
        computed = await self._compute(
            record.view, entries, seed, requester, name=record.name, puzzles=False
        )
        report = shortened(to_json(computed["analysis"], record.view.match))
        async with self._store.write() as tx:
            kept = await imported_records.put_analysis(tx, record.number, report)
        log.info("record analysed", record=record.name, kept=kept)
        return from_json(report)

    async def _compute(
        self,
        view: MatchView,
        entries: Sequence[str],
        seed: str,
        requester: Requester,
        *,
        name: str,
        puzzles: bool,
    ) -> dict[str, Any]:
        seconds = min(_SECONDS_PER_ENTRY * len(entries), _MAX_SECONDS)
        try:
            computed: dict[str, Any] = await self._workers.run(
                "analyse",
                {
                    "match": match_arguments(view, entries),
                    "result": result(view),
                    "seed": int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6]),
                    "seconds": seconds,
                    "puzzles": puzzles,
                },
                requester=requester,
                limit=seconds + _GRACE,
                listener=partial(self._progress.__setitem__, name),
            )
        finally:
            self._progress.pop(name, None)
        return computed


def result(view: MatchView) -> list[float] | None:
    """Return the share of each player in the win, in turn order; ``None`` if nobody came first.

    The outcome by the rules takes precedence over the recorded ranks.
    """
    ended = view.outcome
    players = view.match.players
    ranks: list[int | None] = [player.rank for player in players]
    if ended is not None:
        ranks = list(final_ranks(players, ended.ranks))
    if 1 not in ranks:
        return None
    part = 1 / ranks.count(1)
    return [part if rank == 1 else 0.0 for rank in ranks]


def check(view: MatchView) -> None:
    """Raise NotAllowed if there is nothing to analyse in a match."""
    number = view.match.id
    if not view.match.finished:
        raise NotAllowed(
            say(
                "Match #{number} isn't over yet. The analysis comes after the last move.",
                number=number,
            )
        )
    if any(player.rank is None for player in view.match.players):
        raise NotAllowed(
            say("Match #{number} has no result, so there is nothing to analyse.", number=number)
        )
    if view.match.plies < _MIN_ENTRIES:
        raise NotAllowed(say("Match #{number} is too short to analyse.", number=number))


def _fingerprint(match: Match, position: str) -> int:
    game = registry.game(match.game)
    found = fingerprints.fingerprint(game, game.read_position(position, match.options))
    assert found is not None, "somebody decides in every puzzle"
    return found


def _check_record(record: Replay) -> None:
    if result(record.view) is None:
        raise NotAllowed(
            say(
                "Record {name} doesn't say who won. Import it again with its result to analyse it.",
                name=record.name,
            )
        )
    if record.plies < _MIN_ENTRIES:
        raise NotAllowed(say("Record {name} is too short to analyse.", name=record.name))
