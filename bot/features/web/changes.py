"""Notices when matches that people look at on the page change, whichever process changes them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from bot.core.background import cancel
from data.matches import matches, outbox
from data.matches.matches import Stamp
from data.sql.errors import StoreError
from data.store.store import Store

_EVERY: Final = 0.5
"""Seconds between looks at all watched matches: one question, however many watch."""


@dataclass(eq=False, repr=False)
class Changes:
    """Wakes those who look at a match once it has changed.

    Turns are announced at once in the process that makes them, and not to others.
    """

    store: Store
    _watching: defaultdict[int, set[asyncio.Event]] = field(
        default_factory=lambda: defaultdict(set), init=False
    )
    _stamps: dict[int, Stamp] = field(default_factory=dict, init=False)
    _looking: asyncio.Task[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Listen to this process's own commits."""
        self.store.listen(outbox.TOPIC, self._changed)

    @contextmanager
    def watch(self, match_id: int) -> Iterator[asyncio.Event]:
        """Yield an event that is set after each change of a match; its owner clears it."""
        changed = asyncio.Event()
        self._watching[match_id].add(changed)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="watched-matches")
        try:
            yield changed
        finally:
            self._watching[match_id].discard(changed)
            if not self._watching[match_id]:
                del self._watching[match_id]
                self._stamps.pop(match_id, None)

    async def close(self) -> None:
        """Stop looking."""
        await cancel(self._looking)

    def _changed(self, match_id: int) -> None:
        for watcher in self._watching.get(match_id, ()):
            watcher.set()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_EVERY)
            watched = list(self._watching)
            if not watched:
                continue
            with suppress(StoreError):  # looks again soon
                async with self.store.read() as tx:
                    found = await matches.stamps(tx, watched)
                for stamp in found:
                    # The first look counts as a change: it may have come before that look.
                    if stamp.id in self._watching and self._stamps.get(stamp.id) != stamp:
                        self._stamps[stamp.id] = stamp
                        self._changed(stamp.id)
