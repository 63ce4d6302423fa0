"""Looks at records that players brought along, when they ask for it.

What is found out is kept with the record and goes with it. There are no puzzles in records:
whoever writes one chooses what stands in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.analysis.analyzer import LEAST_ENTRIES, MatchAnalyzer, result
from bot.analysis.findings import brief, read, stored
from bot.errors import NotAllowed, TryAgain
from bot.matches.computers import is_practice
from bot.workers.fair_queue import Whose
from bot.workers.pool import WorkerFailure
from data import imports, matches
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.analysis.findings import Findings
    from bot.replays.service import Replay
    from bot.workers.pool import WorkerPool
    from data.matches import Match
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Records:
    """The records in a store that can be looked at."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        """Work on a store, in the processes that are left for it."""
        self._store = store
        self._looks = MatchAnalyzer(workers)

    async def ask(self, reel: Replay, user_id: int) -> Findings:
        """Return what there is to say of a record, computed now if it was not before.

        Args:
            reel: the record.
            user_id: who brought it along and asks now.

        Raises:
            NotAllowed: it tells of no result, hardly anything was played, or this player is
                playing that very match now.
            TryAgain: it takes longer, or failed.

        """
        entries = [reel.game.write(entry.move) for entry in reel.played]
        _check(reel)
        async with self._store.read() as tx:
            await _check_over(tx, reel, entries, user_id)
            known = await imports.found(tx, reel.number)
        if known is not None:
            return read(known)
        try:
            return await self._looks.wait(reel.name, lambda: self._look(reel, entries, user_id))
        except TimeoutError as error:
            raise TryAgain(
                say(
                    "Record {name} is being looked at, which takes longer than usual. Please ask "
                    "again in a few minutes.",
                    name=reel.name,
                )
            ) from error
        except WorkerFailure as error:
            log.warning("a record could not be looked at", record=reel.name, why=str(error))
            raise TryAgain(
                say("Record {name} could not be looked at just now.", name=reel.name)
            ) from error

    async def close(self) -> None:
        """Stop; whoever waits may ask again."""
        await self._looks.close()

    async def _look(self, reel: Replay, entries: Sequence[str], user_id: int) -> Findings:
        said = await self._looks.look(
            reel.view,
            entries,
            seed=f"study {' '.join(entries)}",
            whose=Whose(0, user_id),
            puzzles=False,
        )
        found = brief(stored(said["analysis"]))
        async with self._store.write() as tx:
            kept = await imports.keep(tx, reel.number, found)
        log.info("a record was looked at", record=reel.name, kept=kept)
        return read(found)


def _check(reel: Replay) -> None:
    """Refuse records of which there is nothing to say."""
    if result(reel.view) is None:
        raise NotAllowed(
            say(
                "Record {name} does not tell who won. What could have been played better is told "
                "of matches that are over: bring it along again with its result.",
                name=reel.name,
            )
        )
    if reel.plies < LEAST_ENTRIES:
        raise NotAllowed(say("In record {name} hardly anything was played.", name=reel.name))


async def _check_over(tx: Transaction, reel: Replay, entries: Sequence[str], user_id: int) -> None:
    """Refuse the record of a match that this player still plays: nobody helps them there.

    Whatever result is written in it, and whether or not it goes on a little.
    """
    open_ = await matches.of_player(tx, user_id, game=reel.game.slug, limit=1000)
    for match in open_:
        if not _may_be(match, reel.view.match):
            continue
        played = [entry.notation for entry in await matches.log(tx, match.id)]
        if all(one == other for one, other in zip(played, entries, strict=False)):
            raise NotAllowed(
                say(
                    "Record {name} goes the way of match #{number}, which you are playing. It can "
                    "be looked at when that match has gone another way or is over.",
                    name=reel.name,
                    number=match.id,
                )
            )


def _may_be(match: Match, other: Match) -> bool:
    return (
        match.plies >= LEAST_ENTRIES
        and not is_practice(match)
        and len(match.players) == len(other.players)
        and dict(match.options) == dict(other.options)
    )
