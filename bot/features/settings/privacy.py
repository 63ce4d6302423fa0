"""The export of personal data as a file that fits Discord."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

from bot.core import hourly_limits
from bot.core.errors import Refusal
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.fair_queue import MAX_WAITING, FairPlaces, Requester
from data import privacy
from data.sql.transaction import Record
from data.store.store import Store
from engine.phrase import say

_FILE: Final = "my-data.json"


@dataclass(eq=False, repr=False)
class Privacy:
    """Exports a person's data."""

    store: Store
    clock: WallClock
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
