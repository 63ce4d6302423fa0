"""Analyses records that players have imported, on request.

The report is stored with its record. Records yield no puzzles: their contents are up to whoever
wrote them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.analysis.analyzer import MIN_ENTRIES, result
from bot.analysis.report import from_json, shortened
from bot.errors import NotAllowed
from bot.matches.computers import is_practice
from bot.workers.fair_queue import Requester
from data import imported_records, matches
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.analysis.analyzer import MatchAnalyzer
    from bot.analysis.report import AnalysisReport
    from bot.replays.service import Replay
    from data.matches import Match
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Records:
    """Analyses of the imported records in a store."""

    def __init__(self, store: Store, analyzer: MatchAnalyzer) -> None:
        """Analyse the records of a store."""
        self._store = store
        self._analyzer = analyzer

    async def ask(self, replay: Replay, user_id: int) -> AnalysisReport:
        """Return the report on a record, computed now if it is not stored.

        Args:
            replay: the record.
            user_id: the player who imported it and asks now.

        Raises:
            NotAllowed: it has no result, is too short, or is of a match that this player is
                playing now.
            Refusal: the analysis takes too long or failed.

        """
        entries = [replay.game.write(entry.move) for entry in replay.played]
        _check(replay)
        async with self._store.read() as tx:
            await _check_over(tx, replay, entries, user_id)
            stored = await imported_records.analysis(tx, replay.number)
        if stored is not None:
            return from_json(stored)
        return await self._analyzer.wait(
            replay.name,
            lambda: self._analyse(replay, entries, user_id),
            late=say(
                "Record {name} is being looked at, which takes longer than usual. Please ask "
                "again in a few minutes.",
                name=replay.name,
            ),
            failed=say("Record {name} could not be looked at just now.", name=replay.name),
        )

    async def _analyse(
        self, replay: Replay, entries: Sequence[str], user_id: int
    ) -> AnalysisReport:
        computed, _ = await self._analyzer.compute(
            replay.view,
            entries,
            seed=f"study {' '.join(entries)}",
            requester=Requester(0, user_id),
            puzzles=False,
        )
        report = shortened(computed)
        async with self._store.write() as tx:
            kept = await imported_records.put_analysis(tx, replay.number, report)
        log.info("record analysed", record=replay.name, kept=kept)
        return from_json(report)


def _check(replay: Replay) -> None:
    """Raise NotAllowed if there is nothing to analyse."""
    if result(replay.view) is None:
        raise NotAllowed(
            say(
                "Record {name} does not tell who won. What could have been played better is told "
                "of matches that are over: bring it along again with its result.",
                name=replay.name,
            )
        )
    if replay.plies < MIN_ENTRIES:
        raise NotAllowed(say("In record {name} hardly anything was played.", name=replay.name))


async def _check_over(
    tx: Transaction, replay: Replay, entries: Sequence[str], user_id: int
) -> None:
    """Raise NotAllowed for a match that this player is still playing: that would be a hint.

    The record may claim any result and go on where the match has not got yet.
    """
    open_ = await matches.of_player(tx, user_id, game=replay.game.slug, limit=1000)
    for match in open_:
        if not _may_be(match, replay.view.match):
            continue
        played = [entry.notation for entry in await matches.log(tx, match.id)]
        if all(one == other for one, other in zip(played, entries, strict=False)):
            raise NotAllowed(
                say(
                    "Record {name} goes the way of match #{number}, which you are playing. It can "
                    "be looked at when that match has gone another way or is over.",
                    name=replay.name,
                    number=match.id,
                )
            )


def _may_be(match: Match, other: Match) -> bool:
    return (
        match.plies >= MIN_ENTRIES
        and not is_practice(match)
        and len(match.players) == len(other.players)
        and dict(match.options) == dict(other.options)
    )
