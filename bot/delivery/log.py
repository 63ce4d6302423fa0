"""What Discord has been told, written down.

Nobody waits for a note: when one is lost with the program, its job is pending at the next start,
and the board that Discord shows is found again. So whatever has come together while the store was
busy is written in one transaction.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from data import boards, outbox, pings
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.scheduling.wall_clock import Clock
    from data.boards import Shown
    from data.pings import Ping
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_PAUSE = 1.0
_LONGEST_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Note:
    """That some jobs are done, and by which message, if it shows the match."""

    jobs: tuple[int, ...]
    shown: Shown | None = None
    retired: tuple[int, ...] = ()
    """Messages that have lost their controls."""
    called: Ping | None = None
    """A message that calls a player to the board."""
    answered: tuple[int, ...] = ()
    """Such messages that are gone."""


def live(stored: Iterable[Shown], match_id: int, notes: Iterable[Note]) -> tuple[Shown, ...]:
    """Return the messages of a match that have controls, by the store and by later notes.

    Notes that the store knows already do no harm.
    """
    found = {shown.message_id: shown for shown in stored}
    for note in notes:
        if note.shown is None or note.shown.match_id != match_id:
            continue
        for message_id in (*note.retired, note.shown.message_id):
            found.pop(message_id, None)
        if note.shown.live:
            found[note.shown.message_id] = note.shown
    return tuple(sorted(found.values(), key=lambda shown: (shown.ply, shown.message_id)))


def calls(stored: Iterable[Ping], match_id: int, notes: Iterable[Note]) -> tuple[Ping, ...]:
    """Return the messages that call a player to a match, by the store and by later notes."""
    found = {ping.message_id: ping for ping in stored}
    for note in notes:
        for message_id in note.answered:
            found.pop(message_id, None)
        if note.called is not None and note.called.match_id == match_id:
            found[note.called.message_id] = note.called
    return tuple(found.values())


class DeliveryLog:
    """Writes notes in the background."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        """Write to a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock
        self._notes: list[Note] = []
        self._lock = asyncio.Lock()
        self._writing: asyncio.Task[None] | None = None

    def note(self, note: Note) -> None:
        """Write a note soon."""
        self._notes.append(note)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all(), name="ledger")

    async def write(self) -> None:
        """Write all notes now.

        Raises:
            StoreError: they could not be written; they are kept and tried again.

        """
        async with self._lock:
            notes = list(self._notes)
            if notes:
                await self._commit(notes)
                del self._notes[: len(notes)]

    @property
    def unwritten(self) -> tuple[Note, ...]:
        """What the store may not know yet, in order."""
        return tuple(self._notes)

    async def close(self) -> None:
        """Write what is left; the next start does without what cannot be written."""
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing
        try:
            await self.write()
        except StoreError as error:
            log.warning("could not note what was delivered", why=str(error))

    async def _write_all(self) -> None:
        pause = _PAUSE
        while self._notes:
            try:
                await self.write()
            except StoreError as error:
                log.warning("could not note what was delivered, trying again", why=str(error))
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    async def _commit(self, notes: Sequence[Note]) -> None:
        # Of several notes of one message the last one tells what it shows.
        shown = {note.shown.message_id: note.shown for note in notes if note.shown is not None}
        now = self._clock()

        async def commit(tx: Transaction) -> None:
            for board in shown.values():
                await boards.put(tx, board)
            for note in notes:
                for message_id in note.retired:
                    await boards.retire(tx, message_id)
                if note.called is not None:
                    await pings.put(tx, note.called)
                for message_id in note.answered:
                    await pings.forget(tx, message_id)
                for job_id in note.jobs:
                    await outbox.done(tx, job_id, now)

        await self._store.run_write(commit)
