"""Checks imported records in separate processes.

Records are untrusted input, so they get little time and memory: a worker that needs more is killed
(see `workers`), and no one else waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from bot.core.errors import BadImport
from bot.core.i18n.mentions import slash
from bot.core.interactions.layout import illegal
from bot.core.workers import Report, report
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.process import TooHeavy, limited
from bot.play.matches.verification import checkable
from data import computer_tasks
from data.computer_tasks import Task
from data.store.store import Store
from engine import record, registry
from engine.errors import BadRecord, IllegalMove, RulesError
from engine.phrase import Phrase, concat, packed, say, shortened
from engine.record import Record
from engine.replay import Played, replay
from engine.turns import turns
from engine.verification import verify

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TASK: Final = "check"
WALL_LIMIT: Final = 20.0
"""Seconds until a worker is killed, however busy the machine."""
_PROCESSOR_LIMIT: Final = 2.0
"""Seconds of processor time per record; the longest matches need 1/15 of a second."""
_MEMORY: Final = 256 << 20
MAX_WAITING: Final = 2
"""Maximum records a user may have queued or running."""
_MAX_WORDS: Final = 1000
"""Maximum length of an error from a bad record."""


def workers() -> WorkerPool:
    """Return the worker pool that checks records."""
    return WorkerPool(tasks=f"{__name__}:TASKS", memory=_MEMORY)


TOO_HEAVY: Final = say(
    "This record takes too long to check, so it wasn't imported. Records from `{command}` are fine.",
    command=slash("match", "export"),
)
"""The refusal of a record that needs too much time or memory."""


def check(text: str, *, limit: float = _PROCESSOR_LIMIT) -> dict[str, Any]:
    """Return what to store of a record, or the reason for refusing it as a packed phrase.

    It may take ``limit`` seconds of processor time.
    """
    try:
        with limited(limit):
            imported, breaks = _played(text)
            return {
                "record": record.write(imported, breaks=breaks),
                "game": imported.game,
                "over": bool(imported.ranks),
                "luck": packed(_luck(imported)),
            }
    except TooHeavy:
        return {"refused": packed(TOO_HEAVY)}
    except BadImport as error:
        return {"refused": packed(error.sentence)}


TASKS: Final[Mapping[str, Callable[..., Any]]] = {TASK: check}


@dataclass(eq=False, repr=False)
class RecordChecker:
    """Checks the records queued in a store, in processes of its own."""

    store: Store
    workers: WorkerPool

    async def check(self, task: Task, report_: Report) -> None:
        """Finish a task with the result of `check`; refuse a record whose worker dies."""
        assert task.asked is not None
        try:
            found = await self.workers.run(
                TASK,
                task.asked,
                requester=Requester(task.guild_id, task.user_id),
                limit=WALL_LIMIT,
                listener=report_,
            )
        except WorkerFailure as error:
            log.warning("a record could not be checked", reason=str(error))
            found = {"refused": packed(TOO_HEAVY)}
        async with self.store.write() as tx:
            await computer_tasks.finish(tx, task, found)


def _played(text: str) -> tuple[Record, tuple[int, ...]]:
    """Return the record in a text and the entries that start a turn; raise BadImport if invalid."""
    try:
        imported = record.read(text)
        if len(imported.log) > record.MAX_ENTRIES:
            raise BadImport(say("It has more than {most} moves.", most=record.MAX_ENTRIES))
        if record.most_throws(imported.log) > record.MAX_THROWS:
            raise BadImport(say("It has more than {most} throws in a row.", most=record.MAX_THROWS))
        game = registry.game(imported.game)
        number = len(imported.seats)
        seats = game.seats(number) if number in game.players else ()
        if tuple(game.seat_names[seat] for seat in seats) != imported.seats:
            raise BadImport(
                say(
                    "{game} is not played by “{seats}”.",
                    game=game.title,
                    seats=" ".join(imported.seats)[:100],
                )
            )
        if imported.rules_version != game.rules_version:
            raise BadImport(
                say(
                    "It uses version {theirs} of the rules of {game}. I only know version {ours}.",
                    theirs=imported.rules_version,
                    game=game.title,
                    ours=game.rules_version,
                )
            )
        options = game.settle(dict(imported.options))
        entries: list[Played[Any, Any]] = []
        for entry in replay(game, imported.log, options, number):
            report(len(entries) / len(imported.log))
            entries.append(entry)
        return imported, turns(game, entries)
    except BadRecord as error:
        raise BadImport(_where(text, error)) from error
    except RulesError as error:
        raise BadImport(shortened(error.sentence, _MAX_WORDS)) from error


def _where(text: str, error: BadRecord) -> Phrase:
    """Return the error in a record with its line and the broken rule, if any."""
    cause = error.__cause__
    reason: str = shortened(error.sentence, _MAX_WORDS)
    if isinstance(cause, IllegalMove):
        reason = say(
            "{why}\n{rule}",
            why=reason,
            rule=illegal(cause.rule, cause.sentence, cause.squares),
        )
    line = None if error.ply is None else record.line_of(text, error.ply)
    if line is None:
        return say("I can't read this record. {why}", why=reason)
    return say("This record can't be played. Line {line}: {why}", line=line, why=reason)


def _luck(imported: Record) -> Phrase:
    if not registry.game(imported.game).has_luck:
        findings = verify(imported)
        return concat("⚠ ", findings[0]) if findings else say("✓ Every move is legal.")
    if imported.seed is None:
        return say("Its throws can't be checked, as the record has no seed.")
    findings = verify(checkable(imported))
    if findings:
        return say("⚠ Its throws don't check out: {finding}", finding=findings[0])
    return say(
        "✓ Its throws check out: each follows from the seed, and the seed matches its fingerprint."
    )
