"""What the use cases of tournaments put into the outbox; `bot.tournaments.posts_views` carries it out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from data import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from data.store import Transaction
    from data.tournaments import Tournament

ANNOUNCEMENT: Final = "announcement"
"""Shows the tournament as it stands in its first message."""
ROUND: Final = "round"
"""Shows a round as it stands in its post."""
CLOSING: Final = "closing"
"""Shows how a tournament ended, and looks for its best game."""
NOTE: Final = "note"
"""Says something once."""

Note: TypeAlias = Literal["warning", "undecided", "adjourned", "resumed", "cancelled"]
LAST_LOOK: Final = 11
"""After so many looks, a day and a half, the best game is chosen from what is analysed."""
_FIRST_WAIT: Final = timedelta(minutes=1)
"""Until the second look; each one waits for twice as long as the one before."""


async def show(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Have the announcement brought up to date, or posted."""
    await _put(tx, tournament, ANNOUNCEMENT, "a", at)


async def show_round(
    tx: Transaction,
    tournament: Tournament,
    round_no: int,
    at: datetime,
    *,
    not_before: datetime | None = None,
) -> None:
    """Have the post of a round brought up to date, or made; not before a moment."""
    key = "r" if not_before is None else "l"
    await _put(tx, tournament, ROUND, key, at, not_before=not_before, round=round_no)


async def show_closing(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Have the post made that says how a tournament ended."""
    await _put(tx, tournament, CLOSING, "c", at, look=0)


async def look_again(tx: Transaction, tournament: Tournament, look: int, at: datetime) -> None:
    """Have the best game looked for again, as its analysis may come."""
    later = at + _FIRST_WAIT * 2**look
    await _put(tx, tournament, CLOSING, f"c{look + 1}", at, not_before=later, look=look + 1)


async def note(tx: Transaction, tournament: Tournament, what: Note, at: datetime) -> None:
    """Have something said once, about the present round or the tournament as a whole."""
    await _put(tx, tournament, NOTE, what[:2], at, note=what, round=tournament.round)


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
        # Each change has a version of its own.
        nonce=f"t{tournament.id}v{tournament.version}{key}",
        at=at,
        not_before=not_before,
    )
