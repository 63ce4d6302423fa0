"""A player's recent challenges, as counted by limits.

Counted from the challenges in the store. When players delete their data, their challenges are
anonymised, so their uses of each limit are kept until they expire.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.matches.computers import COMPUTERS, is_person
from data import open_challenges, spent_limits
from data.spent_limits import Spent

if TYPE_CHECKING:
    from datetime import datetime

    from data.store import Transaction

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
PAUSE_AFTER_DECLINE: Final = timedelta(hours=1)
"""How long a declined challenge cannot be repeated."""

_MADE: Final = "made"
_PRACTICE: Final = "practice"
_IN_VAIN: Final = "in-vain"
_DECLINED: Final = "declined"


async def made(tx: Transaction, user_id: int, now: datetime) -> tuple[datetime, ...]:
    """Return when a player challenged people within the last hour, oldest first."""
    here = await _made(tx, user_id, now)
    kept = await _kept(tx, user_id, now, (_MADE, "", 0), HOUR)
    return tuple(sorted((*here, *kept)))


async def practised(tx: Transaction, user_id: int, now: datetime) -> tuple[datetime, ...]:
    """Return when a player started practice within the last hour, oldest first."""
    here = await open_challenges.made_to(tx, user_id, COMPUTERS, now - HOUR)
    kept = await _kept(tx, user_id, now, (_PRACTICE, "", 0), HOUR)
    return tuple(sorted((*here, *kept)))


async def in_vain(
    tx: Transaction, user_id: int, opponent_id: int, now: datetime
) -> tuple[datetime, ...]:
    """Return a player's challenges to another within a day that led to no match, oldest first."""
    here = await open_challenges.unsuccessful(tx, user_id, opponent_id, now - DAY)
    kept = await _kept(tx, user_id, now, (_IN_VAIN, "", opponent_id), DAY)
    return tuple(sorted((*here, *kept)))


async def rests_until(
    tx: Transaction, game: str, user_id: int, opponent_id: int, now: datetime
) -> datetime | None:
    """Return when a declined challenge may be repeated; ``None`` if already."""
    declined = await open_challenges.declined_at(tx, game, user_id, opponent_id)
    kept = await _kept(tx, user_id, now, (_DECLINED, game, opponent_id), PAUSE_AFTER_DECLINE)
    found = kept if declined is None else [declined, *kept]
    until = max(found, default=now - PAUSE_AFTER_DECLINE) + PAUSE_AFTER_DECLINE
    return until if until > now else None


async def keep(tx: Transaction, user_id: int, now: datetime) -> None:
    """Keep a player's uses of each limit, before their challenges are anonymised."""
    kept = {one.limit: one for one in await spent_limits.of(tx, user_id, now)}
    for one in await _used(tx, user_id, now):
        before = kept.get(one.limit)
        kept[one.limit] = one if before is None else one.with_(before)
    await spent_limits.keep(tx, user_id, kept.values())


async def _used(tx: Transaction, user_id: int, now: datetime) -> list[Spent]:
    """Return the uses of each limit by a player's challenges."""
    begun = await open_challenges.made_to(tx, user_id, COMPUTERS, now - HOUR)
    by_hour = ((_MADE, await _made(tx, user_id, now)), (_PRACTICE, begun))
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


async def _made(tx: Transaction, user_id: int, now: datetime) -> tuple[datetime, ...]:
    begun = await open_challenges.made_to(tx, user_id, COMPUTERS, now - HOUR)
    since = await open_challenges.made_since(tx, user_id, now - HOUR)
    return tuple(at for at in since if at not in begun)


async def _kept(
    tx: Transaction, user_id: int, now: datetime, limit: tuple[str, str, int], lasts: timedelta
) -> list[datetime]:
    """Return one moment per kept use of a limit, all as late as the last use."""
    kept = [one for one in await spent_limits.of(tx, user_id, now) if one.limit == limit]
    return [one.ends_at - lasts for one in kept for _ in range(one.number)]
