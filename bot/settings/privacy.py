"""Export and anonymisation of personal data."""

from __future__ import annotations

import asyncio
import json
import secrets
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot import hourly_limits
from bot.challenges import usage
from bot.errors import MatchOver, Refusal
from bot.ladder.changes import take_off_everywhere
from bot.tournaments.entrants import withdraw_everywhere
from data import open_challenges, privacy
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.store import Store

_ATTEMPTS: Final = 5
"""Attempts at a deletion: a match started during one makes it start over."""


class Erased(NamedTuple):
    """The matches resigned and challenges closed by a deletion."""

    ended: tuple[int, ...]
    challenges: tuple[int, ...]


class Privacy:
    """Exports and deletes a person's data."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        settings: SettingsStore,
        *,
        clock: WallClock,
        hold: Callable[[int], AbstractAsyncContextManager[None]],
    ) -> None:
        """Work on a store; ``hold`` keeps a match's board from being shown in the meantime."""
        self._store = store
        self._matches = matches
        self._settings = settings
        self._clock = clock
        self._hold = hold

    async def export(self, user_id: int) -> str:
        """Return everything stored about a person, as JSON.

        Raises:
            TooMany: they have requested too many copies within an hour.

        """
        await hourly_limits.take(
            self._store, user_id, "copy", self._clock(), hourly_limits.MAX_COPIES
        )
        async with self._store.read() as tx:
            found = await privacy.everything(tx, user_id)
        export = {"user_id": user_id, "exported_at": self._clock(), **found}
        return await asyncio.to_thread(
            json.dumps, export, ensure_ascii=False, indent=2, default=_written
        )

    async def erase(self, user_id: int) -> Erased:
        """Resign a person's matches, close their challenges and anonymise the rest.

        Matches stay whole for opponents, with an unknown player in this person's seat. Uses of
        limits are kept until they expire.

        Raises:
            Refusal: new matches of theirs kept starting.

        """
        # Show the final boards only once the player is anonymous.
        async with AsyncExitStack() as held:
            return await self._erase(user_id, held)

    async def _erase(self, user_id: int, held: AsyncExitStack) -> Erased:
        ended: list[int] = []
        closed: list[int] = []
        played: tuple[int, ...] = ()
        for _ in range(_ATTEMPTS):
            async with self._store.write() as tx:
                await open_challenges.serialize(tx, user_id)
                await withdraw_everywhere(tx, user_id, self._clock())
                await take_off_everywhere(tx, user_id, self._clock())
                closed += await privacy.close_challenges(tx, user_id, self._clock())
                going_on = await privacy.open_matches(tx, user_id)
                if not going_on:
                    await usage.keep(tx, user_id, self._clock())
                    played = await privacy.erase(tx, user_id, _anonymous_id())
            if not going_on:
                self._settings.forget(user_id)
                for match_id in played:
                    self._matches.positions.forget(match_id)
                return Erased(tuple(ended), tuple(closed))
            for match_id in going_on:
                await held.enter_async_context(self._hold(match_id))
                try:
                    await self._matches.leave(match_id, user_id)
                except MatchOver:
                    continue
                ended.append(match_id)
        raise Refusal(
            say("New games of yours kept starting, so nothing has been deleted yet. Try again.")
        )


def _anonymous_id() -> int:
    """Return a new id for an anonymised person: unique, and negative so it is no user id."""
    return -1 - secrets.randbelow(2**62)


def _written(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
