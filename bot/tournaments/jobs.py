"""Outbox jobs of the tournament use cases, carried out by `bot.tournaments.posts_views`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from data import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from data.store import Transaction
    from data.tournaments import Tournament

ANNOUNCEMENT: Final = "announcement"
"""Updates the tournament's first message."""
ROUND: Final = "round"
"""Updates the post of a round."""
CLOSING: Final = "closing"
"""Posts the final result and looks for the best game."""
NOTE: Final = "note"
"""Posts a one-off note."""

Note: TypeAlias = Literal[
    "warning",
    "undecided",
    "absent",
    "replaced",
    "forced",
    "ended",
    "role",
    "adjourned",
    "resumed",
    "cancelled",
]
LAST_ATTEMPT: Final = 11
"""The last attempt, after a day and a half; it takes the best of the games analysed by then."""
_FIRST_WAIT: Final = timedelta(minutes=1)
"""Wait before the second attempt; it doubles each time."""


async def show(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Queue the announcement to be posted or updated."""
    await _put(tx, tournament, ANNOUNCEMENT, "a", at)


async def show_round(
    tx: Transaction,
    tournament: Tournament,
    round_no: int,
    at: datetime,
    *,
    not_before: datetime | None = None,
) -> None:
    """Queue the post of a round to be made or updated, optionally after a delay."""
    key = "r" if not_before is None else "l"
    await _put(tx, tournament, ROUND, key, at, not_before=not_before, round=round_no)


async def show_closing(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Queue the closing post."""
    await _put(tx, tournament, CLOSING, "c", at, look=0)


async def retry_best_game(tx: Transaction, tournament: Tournament, look: int, at: datetime) -> None:
    """Queue another attempt to find the best game, whose analysis may still come."""
    later = at + _FIRST_WAIT * 2**look
    await _put(tx, tournament, CLOSING, f"c{look + 1}", at, not_before=later, look=look + 1)


async def note(
    tx: Transaction, tournament: Tournament, what: Note, at: datetime, **users: Any
) -> None:
    """Queue a one-off note about the current round or the whole tournament, naming some users."""
    await _put(tx, tournament, NOTE, what[:2], at, note=what, round=tournament.round, **users)


async def _put(
    tx: Transaction,
    tournament: Tournament,
    kind: str,
    key: str,
    at: datetime,
    *,
    not_before: datetime | None = None,
    **payload: object,
) -> None:
    await outbox.put(
        tx,
        match_id=None,
        tournament_id=tournament.id,
        kind=kind,
        payload=payload,
        # Each change has its own version.
        nonce=f"t{tournament.id}v{tournament.version}{key}",
        at=at,
        not_before=not_before,
    )
