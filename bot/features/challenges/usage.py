"""A player's recent challenges, as counted by limits.

Counted from the challenges in the store. When players delete their data, their challenges are
anonymised, so their uses of each limit are kept until they expire.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.computers import COMPUTERS, is_person
from data.challenges import open_challenges
from data.people import limits
from data.people.limits import Spent
from data.store.store import Transaction

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
PAUSE_AFTER_DECLINE: Final = timedelta(hours=1)
"""How long a declined challenge cannot be repeated."""

_MADE: Final = "made"
_PRACTICE: Final = "practice"
_IN_VAIN: Final = "in-vain"
_DECLINED: Final = "declined"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a player has used of the limits, read in one transaction."""

    tx: Transaction
    user_id: int
    now: datetime
    kept: tuple[Spent, ...]
    """What counted before the player last deleted their data."""

    async def made(self) -> tuple[datetime, ...]:
        """Return when the player challenged people within the last hour, oldest first."""
        here = await open_challenges.made_since(self.tx, self.user_id, self.now - HOUR)
        return self._all(here, (_MADE, "", 0), HOUR)

    async def practised(self) -> tuple[datetime, ...]:
        """Return when the player started practice within the last hour, oldest first."""
        since = self.now - HOUR
        here = await open_challenges.made_to(self.tx, self.user_id, COMPUTERS, since)
        return self._all(here, (_PRACTICE, "", 0), HOUR)

    async def unsuccessful(self, opponent_id: int) -> tuple[datetime, ...]:
        """Return the challenges to another within a day that led to no match, oldest first."""
        since = self.now - DAY
        here = await open_challenges.unsuccessful(self.tx, self.user_id, opponent_id, since)
        return self._all(here, (_IN_VAIN, "", opponent_id), DAY)

    async def repeatable_from(self, game: str, opponent_id: int) -> datetime | None:
        """Return when a declined challenge may be repeated; ``None`` if already."""
        last = await open_challenges.declined_at(self.tx, game, self.user_id, opponent_id)
        here = () if last is None else (last,)
        declined = self._all(here, (_DECLINED, game, opponent_id), PAUSE_AFTER_DECLINE)
        until = declined[-1] + PAUSE_AFTER_DECLINE if declined else self.now
        return until if until > self.now else None

    def _all(
        self, here: Iterable[datetime], limit: tuple[str, str, int], lasts: timedelta
    ) -> tuple[datetime, ...]:
        """Return all uses of a limit, oldest first; the kept ones count as late as the last."""
        kept = [one for one in self.kept if one.limit == limit for _ in range(one.number)]
        return tuple(sorted([*here, *(one.ends_at - lasts for one in kept)]))


async def of(tx: Transaction, user_id: int, now: datetime) -> Usage:
    """Return what a player has used of the limits."""
    return Usage(tx, user_id, now, await limits.spent_of(tx, user_id, now))


async def keep(tx: Transaction, user_id: int, now: datetime) -> None:
    """Keep a player's uses of each limit, before their challenges are anonymised."""
    kept = {one.limit: one for one in await limits.spent_of(tx, user_id, now)}
    for one in await _used(tx, user_id, now):
        before = kept.get(one.limit)
        kept[one.limit] = one if before is None else one.with_(before)
    await limits.keep_spent(tx, user_id, kept.values())


async def _used(tx: Transaction, user_id: int, now: datetime) -> list[Spent]:
    """Return the uses of each limit by a player's challenges."""
    made = await open_challenges.made_since(tx, user_id, now - HOUR)
    practised = await open_challenges.made_to(tx, user_id, COMPUTERS, now - HOUR)
    by_hour = ((_MADE, made), (_PRACTICE, practised))
    vain = await open_challenges.all_unsuccessful(tx, user_id, now - DAY)
    declined = await open_challenges.all_declined(tx, user_id, now - PAUSE_AFTER_DECLINE)
    return [
        *(Spent(what, len(found), found[-1] + HOUR) for what, found in by_hour if found),
        *(
            Spent(_IN_VAIN, number, last + DAY, opponent_id=opponent)
            for opponent, number, last in vain
            if is_person(opponent)
        ),
        *(
            Spent(_DECLINED, 1, at + PAUSE_AFTER_DECLINE, game, opponent)
            for game, opponent, at in declined
            if is_person(opponent)
        ),
    ]
