"""Loads and caches replays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from cachetools import LRUCache

from bot.core.errors import NoSuchMatch
from bot.core.i18n.slash import slash
from bot.core.workers.fair_places import MAX_WAITING, FairPlaces
from bot.core.workers.fair_queue import NOBODY, Requester
from bot.play.replays.replay import Replay, replay_of_match, replay_of_record
from data.matches import match_log, matches
from data.matches.matches import Match
from data.puzzles import imported_records
from data.store.store import Store
from engine import record
from engine.phrase import Phrase, say, unpacked

_KEPT: Final = 16
"""Maximum cached replays."""
T = TypeVar("T")


@dataclass(eq=False, repr=False)
class Replays:
    """Loads replays one at a time, in a thread, and caches the latest."""

    store: Store
    _kept: LRUCache[str, tuple[Match | str, Replay]] = field(
        default_factory=lambda: LRUCache(_KEPT), init=False
    )
    _places: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None], limit=MAX_WAITING), init=False
    )

    async def of_match(self, match_id: int) -> Replay:
        """Return a match in its current state; raise NoSuchMatch if it does not exist."""
        name = str(match_id)
        async with self.store.read() as tx:
            match = await matches.get(tx, match_id)
            if match is None:
                raise NoSuchMatch(say("There's no match #{number}.", number=match_id))
            if self._held(name, match) is None:
                log = tuple(entry.notation for entry in await match_log.read(tx, match_id))
        return self._held(name, match) or await self._read(
            name, match, NOBODY, lambda: replay_of_match(name, match, log)
        )

    async def of_import(self, number: int, user_id: int) -> Replay:
        """Return a player's imported record.

        Raises:
            NoSuchMatch: it does not belong to them, or was dropped.
            TooMany: this player already has too many requests waiting.

        """
        name = f"i{number}"
        async with self.store.read() as tx:
            imported = await imported_records.get(tx, number)
        if imported is None or imported.user_id != user_id:
            raise NoSuchMatch(
                say(
                    "You have no record {name}. It may have made room for a newer one. Import it "
                    "again with `{command}`.",
                    name=name,
                    command=slash("match", "import"),
                )
            )
        text = imported.record
        return self._held(name, text) or await self._read(
            name, text, Requester(0, user_id), lambda: replay_of_record(name, record.read(text))
        )

    async def luck(self, number: int) -> Phrase | None:
        """Return whether the throws of a record verify; ``None`` if it has been dropped."""
        async with self.store.read() as tx:
            luck = await imported_records.luck(tx, number)
        return None if luck is None else unpacked(luck)

    async def compute(self, requester: Requester, work: Callable[[], T]) -> T:
        """Compute something from a replay in a thread, users taking turns; return the result.

        Raises:
            TooMany: this user already has too many requests waiting.

        """
        async with self._places.take(requester):
            return await asyncio.to_thread(work)

    def _held(self, name: str, source: Match | str) -> Replay | None:
        kept = self._kept.get(name)
        return kept[1] if kept is not None and kept[0] == source else None

    async def _read(
        self, name: str, source: Match | str, requester: Requester, work: Callable[[], Replay]
    ) -> Replay:
        # A request that waited for the same replay finds it cached.
        replay = await self.compute(requester, lambda: self._held(name, source) or work())
        self._kept[name] = source, replay
        return replay
