"""Anonymisation of personal data, and its export as a file that fits Discord."""

from __future__ import annotations

import asyncio
import io
import json
import secrets
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from bot.core import hourly_limits
from bot.core.errors import MatchOver, Refusal
from bot.core.hooks import before_anonymised, on_withdrawal
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import MAX_WAITING, FairPlaces, Requester
from bot.play.matches.positions import player_of
from bot.play.matches.service import Matches
from data import locks, privacy
from data.matches import matches
from data.matches.match import THREAD
from data.sql.transaction import Record, Transaction
from data.store.store import Store
from engine.phrase import say

_FILE: Final = "my-data.json"
_ATTEMPTS: Final = 5
"""Attempts at a deletion: a match started during one makes it start over."""
MAX_AT_ONCE: Final = 20
"""Matches given up in the transaction that deletes the rest, as others wait for it."""


class Erased(NamedTuple):
    """The matches resigned and challenges closed by a deletion."""

    ended: tuple[int, ...]
    challenges: tuple[int, ...]


@dataclass(eq=False, repr=False)
class Privacy:
    """Exports and deletes a person's data."""

    store: Store
    matches: Matches
    settings: SettingsStore
    clock: WallClock
    hold: Callable[[int], AbstractAsyncContextManager[None]]
    _copying: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None], limit=MAX_WAITING), init=False
    )

    async def export(self, requester: Requester, limit: int) -> tuple[str, bytes]:
        """Return everything stored about a person, as JSON: a file's name and its bytes.

        It is read page by page and written in a thread, one person's at a time, so however much it
        is, it takes little memory and holds nobody up. It is packed if larger than ``limit`` bytes.
        Raise Refusal if it is too large even packed, TooMany for too many within an hour or waiting.
        """
        user_id = requester.user_id
        await hourly_limits.take(
            self.store, user_id, "copy", self.clock(), hourly_limits.MAX_COPIES
        )
        async with self._copying.take(requester):
            copy = _Copy(Archive(_FILE, limit), user_id, self.clock())
            async with self.store.read() as tx:
                async for name, rows in privacy.pages(tx, user_id):
                    await asyncio.to_thread(copy.add, name, rows)
            return await asyncio.to_thread(copy.finish)

    async def erase(self, user_id: int) -> Erased:
        """Resign a person's matches, close their challenges and anonymise the rest.

        All of it is one transaction, so nothing that names them is posted in between, and a crash
        leaves everything or nothing. Of very many matches, some are given up before.

        Matches stay whole for opponents, with an unknown player in this person's seat. Uses of
        limits are kept until they expire. Raise Refusal if new matches of theirs kept starting.
        """
        # Show the final boards only once the player is anonymous.
        async with AsyncExitStack() as held:
            return await self._erase(user_id, held)

    async def _erase(self, user_id: int, held: AsyncExitStack) -> Erased:
        ended: list[int] = []
        known: set[int] = set()
        for _ in range(_ATTEMPTS):
            async with self.store.read() as tx:
                going_on = await privacy.open_matches(tx, user_id)
            for match_id in going_on:
                if match_id not in known:
                    await held.enter_async_context(self.hold(match_id))
                    known.add(match_id)
            for match_id in going_on[MAX_AT_ONCE:]:
                with suppress(MatchOver):
                    await self.matches.resign(match_id, user_id, "left")
                    ended.append(match_id)
            async with self.store.write() as tx:
                await locks.lock_id(tx, user_id)
                going_on = await privacy.open_matches(tx, user_id)
                if len(going_on) > MAX_AT_ONCE or not known.issuperset(going_on):
                    continue  # they have begun since
                closed, played = await self._erase_in(tx, user_id, going_on)
                await self._rename_threads(tx, (*ended, *going_on))
            self.settings.forget(user_id)
            for match_id in played:
                self.matches.positions.forget(match_id)
            return Erased((*ended, *going_on), closed)
        raise Refusal(
            say("New games of yours kept starting, so nothing has been deleted yet. Try again.")
        )

    async def _erase_in(
        self, tx: Transaction, user_id: int, going_on: tuple[int, ...]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Erase within a transaction; return the closed challenges and the matches played."""
        now = self.clock()
        for withdraw in on_withdrawal:
            await withdraw(tx, user_id, now)
        closed = await privacy.close_challenges(tx, user_id, now)
        await privacy.lock(tx, user_id)
        for match_id in going_on:
            seat = player_of(await self.matches.position_in(tx, match_id), user_id).seat
            with suppress(MatchOver):  # it may have ended just now
                await self.matches.give_up(tx, match_id, seat, "left", by=user_id)
        for prepare in before_anonymised:
            await prepare(tx, user_id, now)
        anonymous = -1 - secrets.randbelow(2**62)  # negative, so that it is no user's id
        return closed, await privacy.erase(tx, user_id, anonymous)

    async def _rename_threads(self, tx: Transaction, given_up: Iterable[int]) -> None:
        """Take the person out of the names of threads where play goes on."""
        for match in (await matches.of_numbers(tx, list(given_up))).values():
            if match.place == THREAD and not match.finished:
                await matches.show_thread_name(tx, match, self.clock())


class _Copy:
    """A person's data as a JSON document in the making, a table after the other."""

    def __init__(self, archive: Archive, user_id: int, at: datetime) -> None:
        self._archive = archive
        self._table: str | None = None
        self._empty = True
        self._archive.write(f'{{\n"user_id": {user_id},\n"exported_at": {_json(at)}')

    def add(self, table: str, rows: Sequence[Record]) -> None:
        """Add some rows of a table, which follow those added before; called in a thread."""
        if table != self._table:
            self._archive.write("" if self._table is None else "\n]")
            self._archive.write(f",\n{_json(table)}: [")
            self._table, self._empty = table, True
        if rows:
            begin = "\n" if self._empty else ",\n"
            self._archive.write(begin + ",\n".join(_json(privacy.plain(row)) for row in rows))
            self._empty = False

    def finish(self) -> tuple[str, bytes]:
        """Return the file's name and bytes; called in a thread."""
        self._archive.write("\n]\n}\n")
        return self._archive.finish()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


MAX_PLAIN: Final = 8 * 1024 * 1024
"""Bytes of the largest file that is not packed."""
MAX_PACKED: Final = 25 * 1024 * 1024
"""Bytes of the largest packed file, which is made in memory."""


class Archive:
    """A file in the making, kept packed. Call its methods in a thread: compression takes time."""

    def __init__(self, name: str, limit: int) -> None:
        """Begin a file that may have at most ``limit`` bytes when sent, packed if need be."""
        self._name = name
        self._limit = min(limit, MAX_PACKED)
        self._size = 0
        self._packed = io.BytesIO()
        self._zip = zipfile.ZipFile(self._packed, "w", zipfile.ZIP_DEFLATED)
        self._member = self._zip.open(name, "w", force_zip64=True)

    def write(self, text: str) -> None:
        """Add text to the end; raises Refusal if the file is too large even packed."""
        content = text.encode()
        self._size += len(content)
        self._member.write(content)
        self._check()

    def finish(self) -> tuple[str, bytes]:
        """Return the name and bytes of the file to send; raises Refusal like `write`."""
        self._member.close()
        self._zip.close()
        if self._size <= min(self._limit, MAX_PLAIN):
            with zipfile.ZipFile(self._packed) as packed:
                return self._name, packed.read(self._name)
        self._check()
        return PurePath(self._name).with_suffix(".zip").name, self._packed.getvalue()

    def _check(self) -> None:
        if self._packed.tell() > self._limit < self._size:
            raise Refusal(
                say(
                    "It's too big for one Discord file. Nothing was deleted. Ask the bot's owner "
                    "for your copy."
                )
            )
