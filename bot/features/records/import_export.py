"""Imports and exports records: matches as readable text.

A record names seats instead of people: user ids are included only on request, and never those of
players whose data was deleted. The seed of an ongoing match stays secret.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final
from uuid import uuid4

from bot.core import hourly_limits
from bot.core.errors import BadImport, NoSuchMatch, Refusal
from bot.core.i18n.mentions import slash
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.fair_queue import Requester
from bot.core.workers.task_queue import TaskQueue, Unanswered
from bot.features.records import checking
from bot.play.matches.positions import get_match
from bot.play.matches.verification import record_of
from bot.play.replays.replay import Replay
from data.computer_tasks import Kind
from data.matches import match_log
from data.puzzles import imported_records
from data.store.store import Store
from data.tournaments import tournament_rounds
from engine import record
from engine.phrase import Phrase, say, unpacked

MAX_BYTES: Final = 64 * 1024
"""Maximum size of a record, five times that of the longest match so far."""
_TIMEOUT: Final = 60.0
"""Seconds until a waiting user is asked to try again."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import."""

    number: int
    dropped: int
    """The number of older records dropped to make room."""
    luck: Phrase
    """The verdict on its throws."""


@dataclass(eq=False, repr=False)
class ImportExport:
    """Imports and exports records of matches."""

    store: Store
    tasks: TaskQueue
    clock: WallClock
    _progress: dict[int, float] = field(default_factory=dict, init=False)

    def progress(self, user_id: int) -> float | None:
        """Return the progress of a player's check; ``None`` before it begins."""
        return self._progress.get(user_id)

    async def add(self, user_id: int, raw: bytes) -> Imported:
        """Check and store a record; raise BadImport, which says what is wrong with it and where.

        Raise TooMany for too many imports within an hour or waiting, Refusal if no worker checked
        it in time.
        """
        text = _text(raw)
        await hourly_limits.take(
            self.store, user_id, "import", self.clock(), hourly_limits.MAX_IMPORTS
        )
        try:
            found = await self.tasks.ask(
                Kind.RECORD,
                uuid4().hex,
                Requester(0, user_id),
                limit=_TIMEOUT,
                asked={"text": text},
                max_waiting=(checking.MAX_WAITING, (Kind.RECORD,)),
                listener=partial(self._progress.__setitem__, user_id),
            )
        except Unanswered:
            found = None
        finally:
            self._progress.pop(user_id, None)
        if found is None:
            raise Refusal(
                say(
                    "I can't check records just now, so nothing was imported. Try again in a few "
                    "minutes."
                )
            )
        if "refused" in found:
            raise BadImport(unpacked(found["refused"]))
        async with self.store.write() as tx:
            number, dropped = await imported_records.add(
                tx,
                user_id,
                found["record"],
                self.clock(),
                game=found["game"],
                over=found["over"],
                luck=found["luck"],
            )
        return Imported(number, dropped, unpacked(found["luck"]))

    async def export(self, replay: Replay, *, people: bool) -> str:
        """Return a match or record as text, with user ids on request; raise NoSuchMatch."""
        number = replay.number
        async with self.store.read() as tx:
            if replay.imported:
                kept = await imported_records.get(tx, number)
                if kept is None:
                    raise NoSuchMatch(say("Record {name} is gone.", name=replay.name))
                return kept.record
            match = await get_match(tx, number)
            log = await match_log.read(tx, number)
            source = await tournament_rounds.source_of(tx, number)
            written = await record_of(tx, match, log, source, people=people)
        breaks = replay.turns if len(log) == replay.plies else ()
        return record.write(written, breaks=breaks)


def _text(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise BadImport(
            say("That file is too large. A record has at most {most} KB.", most=MAX_BYTES // 1024)
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadImport(say("That isn't a plain text file in UTF-8.")) from error
    if not text.strip():
        raise BadImport(
            say(
                "That record is empty. To get one, use `{command}`.",
                command=slash("match", "export"),
            )
        )
    if "\0" in text:
        raise BadImport(say("That isn't a plain text file."))
    return text
