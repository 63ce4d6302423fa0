"""Notices what people on the page wait for, whichever process commits it.

That is: the matches they look at change, and others begin, end, or wait for their moves.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bot.core.background import cancel
from data.matches import matches, outbox
from data.matches.matches import Stamp, UnderWay
from data.people import web_sessions
from data.sql.errors import StoreError
from data.store.store import Store

_EVERY: Final = 0.5
"""Seconds between looks at all watched matches: one question, however many watch."""
_TURNS_EVERY: Final = 4
"""Looks between those at which matches people play: one question, however many people."""


@dataclass(eq=False, repr=False)
class Watcher:
    """What has happened since someone last looked."""

    user_id: int
    changed: set[int] = field(default_factory=set)
    """Matches that changed."""
    turns: bool = False
    """Whether the matches that they play did, or begin to wait for them."""
    happened: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self) -> list[str]:
        """Return the news, and begin anew."""
        news = [f"changed {number}" for number in sorted(self.changed)]
        news += ["turns"] if self.turns else []
        self.changed.clear()
        self.turns = False
        self.happened.clear()
        return news


@dataclass(eq=False, repr=False)
class Changes:
    """Wakes those who watch matches once something has changed.

    Turns are announced at once in the process that makes them, and not to others.
    """

    store: Store
    _watching: defaultdict[int, set[Watcher]] = field(
        default_factory=lambda: defaultdict(set), init=False
    )
    _people: defaultdict[int, set[Watcher]] = field(
        default_factory=lambda: defaultdict(set), init=False
    )
    _stamps: dict[int, Stamp] = field(default_factory=dict, init=False)
    _turns: dict[int, frozenset[UnderWay]] = field(default_factory=dict, init=False)
    _looking: asyncio.Task[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Listen to this process's own commits, and to sessions that end anywhere."""
        self.store.listen(outbox.TOPIC, self._changed)
        self.store.listen(web_sessions.ENDED, self._signed_out)

    @contextmanager
    def watch(self, user_id: int, match_ids: Collection[int]) -> Iterator[Watcher]:
        """Yield what someone waits for who looks at some matches; its owner takes the news."""
        watcher = Watcher(user_id)
        self._people[user_id].add(watcher)
        for number in match_ids:
            self._watching[number].add(watcher)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="watched-matches")
        try:
            yield watcher
        finally:
            _leave(self._people, user_id, watcher, self._turns)
            for number in match_ids:
                _leave(self._watching, number, watcher, self._stamps)

    async def close(self) -> None:
        """Stop looking."""
        await cancel(self._looking)

    def _changed(self, match_id: int) -> None:
        for watcher in self._watching.get(match_id, ()):
            watcher.changed.add(match_id)
            watcher.happened.set()

    def _signed_out(self, user_id: int) -> None:
        for watcher in self._people.get(user_id, ()):
            watcher.happened.set()

    async def _look(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(_EVERY)
            with suppress(StoreError):  # looks again soon
                if watched := list(self._watching):
                    await self._look_at(watched)
                if looks % _TURNS_EVERY == 0 and (people := list(self._people)):
                    await self._look_after(people)
            looks += 1

    async def _look_at(self, watched: Collection[int]) -> None:
        async with self.store.read() as tx:
            found = await matches.stamps(tx, watched)
        for stamp in found:
            # The first look counts as a change: it may have come before that look.
            if stamp.id in self._watching and self._stamps.get(stamp.id) != stamp:
                self._stamps[stamp.id] = stamp
                self._changed(stamp.id)

    async def _look_after(self, people: Collection[int]) -> None:
        async with self.store.read() as tx:
            found = await matches.under_way(tx, people)
        played: defaultdict[int, set[UnderWay]] = defaultdict(set)
        for one in found:
            played[one.user_id].add(one)
        for user_id in people:
            now = frozenset(played[user_id])
            if user_id in self._people and self._turns.get(user_id) != now:
                self._turns[user_id] = now
                for watcher in self._people[user_id]:
                    watcher.turns = True
                    watcher.happened.set()


def _leave(
    all_: defaultdict[int, set[Watcher]], key: int, watcher: Watcher, known: dict[int, Any]
) -> None:
    all_[key].discard(watcher)
    if not all_[key]:
        del all_[key]
        known.pop(key, None)
