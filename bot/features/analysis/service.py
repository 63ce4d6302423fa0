"""Analyses of finished matches and imported records; one run serves everyone who asks for it.

A report is stored and never computed again: a worker computes it, in whichever process takes the
task. What decided a match is told at its end. Records yield no puzzles, as a player may have made
them up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from weakref import WeakKeyDictionary

from ai.explanations import Cause
from bot.core.errors import NoSuchMatch, NotAllowed, Refusal
from bot.core.hooks import on_match_ended
from bot.core.i18n.mentions import mention
from bot.core.workers.fair_queue import MAX_WAITING, NOBODY, Requester
from bot.core.workers.task_queue import TaskQueue, Unanswered
from bot.features.analysis.report import (
    AnalysisReport,
    from_json,
    in_words,
    sentence,
)
from bot.play.boards.board_text import Told, about_end
from bot.play.matches import advice, match_text
from bot.play.matches.computer_players import final_ranks
from bot.play.matches.positions import Position
from bot.play.replays.replay import Replay
from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import match_log
from data.matches.match import Match
from data.puzzles import analyses, imported_records
from data.store.store import Store, Transaction
from engine.phrase import Phrase, lines, say
from engine.replay import replay
from engine.turns import turn_of, turns

_MIN_ENTRIES: Final = 4
"""Shorter matches are not analysed."""
_TIMEOUT: Final = 240.0
"""Seconds until a waiting user is asked to try again."""
KINDS: Final = (Kind.ANALYSIS, Kind.RECORD_ANALYSIS)
"""The kinds of tasks for analyses."""


@dataclass(eq=False, repr=False)
class Analyses:
    """The stored reports, computed by tasks in the queue."""

    store: Store
    tasks: TaskQueue
    _progress: dict[str, float] = field(default_factory=dict, init=False)
    _reached: WeakKeyDictionary[Replay, Collection[int]] = field(
        default_factory=WeakKeyDictionary, init=False
    )
    """The positions of replays still in memory."""

    async def of(self, replay: Replay, requester: Requester = NOBODY) -> AnalysisReport:
        """Return the report on a match or on a player's own record, computed if it is not stored.

        Raise NotAllowed if it is ongoing, has no result, is too short, or reached a position in play;
        NoSuchMatch for a record that made room for a newer one; Refusal if the analysis takes too
        long or failed, or this user has too many waiting.
        """
        if replay.imported:
            check_record(replay)
        else:
            check(replay.position)
        found = await self._positions(replay)
        stored = await self._stored(replay, found)
        if stored is None:
            await self._compute(replay, requester)
            # Other matches may have reached its positions meanwhile.
            stored = await self._stored(replay, found, computed=True)
        if stored is None:
            raise Refusal(_failed(replay))
        return from_json(stored)

    async def stored(self, replay: Replay) -> AnalysisReport | None:
        """Return the report on a match if there is one; none is computed.

        Raise NotAllowed if a position that it reached is in play.
        """
        stored = await self._stored(replay, await self._positions(replay))
        return None if stored is None else from_json(stored)

    async def _positions(self, replay: Replay) -> Collection[int]:
        found = self._reached.get(replay)
        if found is None:
            found = await asyncio.to_thread(advice.of_log, replay.game, replay.played)
            self._reached[replay] = found
        return found

    def progress(self, name: str) -> float | None:
        """Return the progress of an analysis; ``None`` before it begins."""
        return self._progress.get(name)

    async def _stored(
        self, replay: Replay, found: Collection[int], *, computed: bool = False
    ) -> dict[str, Any] | None:
        """Return a stored report; raise NotAllowed if one of its positions is closed to advice."""
        name = replay.name if replay.imported else f"#{replay.name}"
        async with self.store.read() as tx:
            await advice.require_open(tx, found, advice.analysis_refusals(name))
            if not replay.imported:
                return await analyses.of(tx, replay.number)
            if computed and await imported_records.get(tx, replay.number) is None:
                raise NoSuchMatch(say("Record {name} is gone.", name=name))
            return await imported_records.analysis(tx, replay.number)

    async def _compute(self, replay: Replay, requester: Requester) -> None:
        """Wait for an analysis, which continues even if the wait times out."""
        own = replay.imported
        try:
            await self.tasks.ask(
                Kind.RECORD_ANALYSIS if own else Kind.ANALYSIS,
                replay.name,
                Requester(0, requester.user_id) if own else requester,
                limit=_TIMEOUT,
                match_id=None if own else replay.number,
                max_waiting=(MAX_WAITING, KINDS),
                keep=True,
                listener=partial(self._progress.__setitem__, replay.name),
            )
        except Unanswered as error:
            raise Refusal(_late(replay)) from error
        finally:
            self._progress.pop(replay.name, None)


def _late(replay: Replay) -> Phrase:
    if replay.imported:
        return say(
            "The analysis of record {name} is taking longer than usual. Ask again in a few "
            "minutes.",
            name=replay.name,
        )
    return say(
        "The analysis of match #{number} is taking longer than usual. Ask again in a few minutes.",
        number=replay.number,
    )


def _failed(replay: Replay) -> Phrase:
    if replay.imported:
        return say("I couldn't analyse record {name} just now. Try again later.", name=replay.name)
    return say(
        "I couldn't analyse match #{number} just now. Try again later.", number=replay.number
    )


@on_match_ended(order=60)
async def queue(tx: Transaction, match: Match, at: datetime) -> None:
    """Queue a match with a result for analysis in the background."""
    if any(player.rank is None for player in match.players):
        return
    await computer_tasks.put(
        tx,
        Kind.ANALYSIS,
        str(match.id),
        at,
        match_id=match.id,
        requester=(match.guild_id or 0, 0),
        urgent=False,
    )


@about_end(order=10)
async def _decided(store: Store, position: Position, told: Told) -> str:
    return "" if told == "asked" else await turning_point(store, position)


def result(position: Position) -> list[float] | None:
    """Return each player's share of the win, in turn order; ``None`` if no one came first.

    The outcome by the rules takes precedence over the recorded ranks, as a record may be wrong.
    """
    ended = position.outcome
    players = position.match.players
    ranks: list[int | None] = [player.rank for player in players]
    if ended is not None:
        ranks = list(final_ranks(players, ended.ranks))
    if 1 not in ranks:
        return None
    part = 1 / ranks.count(1)
    return [part if rank == 1 else 0.0 for rank in ranks]


def check(position: Position) -> None:
    """Raise NotAllowed if a match cannot be analysed."""
    number = position.match.id
    if not position.match.finished:
        raise NotAllowed(
            say(
                "Match #{number} isn't over yet. The analysis comes after the last move.",
                number=number,
            )
        )
    if any(player.rank is None for player in position.match.players):
        raise NotAllowed(
            say("Match #{number} has no result, so there's nothing to analyse.", number=number)
        )
    if position.match.plies < _MIN_ENTRIES:
        raise NotAllowed(say("Match #{number} is too short to analyse.", number=number))


def check_record(record: Replay) -> None:
    """Raise NotAllowed if a record cannot be analysed."""
    if result(record.position) is None:
        raise NotAllowed(
            say(
                "Record {name} doesn't say who won. Import it again with its result to analyse it.",
                name=record.name,
            )
        )
    if record.plies < _MIN_ENTRIES:
        raise NotAllowed(say("Record {name} is too short to analyse.", name=record.name))


async def turning_point(store: Store, position: Position) -> str:
    """Return what decided a match, and what would have been better.

    Empty if that is unknown or would be advice for another match, and for a match without a result.
    """
    if not match_text.judged(position):
        return ""
    async with store.read() as tx:
        stored = await analyses.of(tx, position.match.id)
        if stored is None:
            return ""
        log = [entry.notation for entry in await match_log.read(tx, position.match.id)]
    report = from_json(stored)
    # A losing blunder takes precedence over the winner's play. Players who gave up are skipped,
    # as computers played on for them.
    explained = [
        one
        for one in zip(position.match.players, report.explanations, strict=True)
        if one[0].gave_up is None
    ]
    if not explained:
        return ""
    player, explanation = next(
        (one for one in explained if one[1].cause is Cause.LOST_BLUNDER),
        next((one for one in explained if one[0].rank == 1), explained[0]),
    )
    blunders = report.mistakes if explanation.cause is Cause.LOST_BLUNDER else ()
    decisive = next((one for one in blunders if one.ply == explanation.worst), None)

    def look() -> tuple[frozenset[int], tuple[int, ...], str]:
        played = tuple(
            replay(position.game, log, position.match.options, len(position.match.players))
        )
        reason = (
            in_words(position.game, played[decisive.ply - 1].before, decisive) if decisive else ""
        )
        return advice.of_log(position.game, played), turns(position.game, played), reason

    found, starts, reason = await asyncio.to_thread(look)
    async with store.read() as tx:
        if await advice.is_closed(tx, found):
            return ""
    move = replace(explanation, worst=turn_of(starts, explanation.worst))
    words = sentence(mention(player.user_id), move, players=len(position.match.players))
    return lines(filter(None, (words, reason)))
