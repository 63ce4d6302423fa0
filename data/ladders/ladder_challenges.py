"""The challenges of ladders."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import exists, func, select, update

from data.ladders.ladders import ladders
from data.matches.match import Match
from data.sql.columns import Id, partial_index, reference, table
from data.sql.statements import Prepared
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class LadderChallenge:
    """A player's challenge to another on a ladder, for their place."""

    id: int
    ladder_id: int
    challenger_id: int
    challenged_id: int
    seed: bytes = field(repr=False)
    """That of its match, secret until it has ended."""
    place: int
    """The place at stake, as it was when the challenge was made."""
    created_at: datetime
    called_at: datetime | None
    """When it came up; ``None`` while it is queued behind other challenges for the same place."""
    answer_by: datetime
    """Set anew when it comes up."""
    due_at: datetime | None
    """When the challenge next needs attention."""
    challenger_word: str = ""
    """What the challenger adds to the throws; empty for nothing."""
    challenged_word: str = ""
    reminded: bool = False
    match_id: int | None = None
    outcome: str | None = None
    """How it ended; ``None`` while it is open."""
    gained_place: int | None = None
    """The place that the challenger gained."""
    counted: bool = False
    """Whether its game kept both players from sliding."""
    ended_at: datetime | None = None

    @property
    def waiting(self) -> bool:
        """Whether it waits for an answer."""
        return self.ended_at is None and self.match_id is None and not self.queued

    @property
    def queued(self) -> bool:
        """Whether it waits for others to be over."""
        return self.ended_at is None and self.called_at is None

    @property
    def playing(self) -> bool:
        """Whether its game is in progress, or its result pending."""
        return self.ended_at is None and self.match_id is not None

    @property
    def drawn_for(self) -> str:
        """What is part of every draw in its match; as in `data.matches.match.Match`."""
        return f"ladder challenge {self.id}"

    @property
    def both(self) -> tuple[int, int]:
        """The challenger and the challenged."""
        return self.challenger_id, self.challenged_id


ladder_challenges: Final = table(
    "ladder_challenges",
    reference("ladder_id", "ladders.id"),
    sa.Column("match_id", Id, sa.ForeignKey("matches.id")),
    sa.CheckConstraint(
        "outcome IN ('won', 'lost', 'drawn', 'void', 'unanswered', 'declined', 'passed', "
        "'withdrawn', 'left', 'quit', 'closed', 'lapsed')",
        name="outcome",
    ),
    sa.Index("ix_ladder_challenges_ladder_id", "ladder_id", "ended_at"),
    sa.Index("ix_ladder_challenges_due_at", "due_at"),
    sa.Index("ix_ladder_challenges_match_id", "match_id"),
    sa.Index("ix_ladder_challenges_challenger_id", "challenger_id"),
    sa.Index("ix_ladder_challenges_challenged_id", "challenged_id"),
    rows=LadderChallenge,
)

_OPEN: Final = ladder_challenges.c.ended_at.is_(None)
partial_index(
    "ux_ladder_challenges_out",
    ladder_challenges.c.ladder_id,
    ladder_challenges.c.challenger_id,
    where=_OPEN,
    unique=True,
)
partial_index(
    "ux_ladder_challenges_in",
    ladder_challenges.c.ladder_id,
    ladder_challenges.c.challenged_id,
    where=_OPEN & ladder_challenges.c.called_at.is_not(None),
    unique=True,
)

_c = ladder_challenges.c


async def add(tx: Transaction, made: LadderChallenge) -> LadderChallenge:
    """Add a challenge, and return it with its number."""
    tx.announce_due(made.due_at)
    return replace(made, id=await tx.insert(ladder_challenges, made))


async def get(tx: Transaction, challenge_id: int) -> LadderChallenge | None:
    """Return a challenge, ``None`` if it does not exist."""
    return await tx.record(LadderChallenge, select(ladder_challenges).where(_c.id == challenge_id))


async def get_existing(tx: Transaction, challenge_id: int) -> LadderChallenge:
    """Return a challenge that is known to exist: none is ever removed."""
    challenge = await get(tx, challenge_id)
    assert challenge is not None, "a challenge is never removed"
    return challenge


async def change(tx: Transaction, challenge_id: int, **values: Any) -> LadderChallenge:
    """Change a challenge whose ladder the transaction has locked."""
    this = update(ladder_challenges).where(_c.id == challenge_id)
    changed = await tx.record(LadderChallenge, this.values(values).returning(ladder_challenges))
    assert changed is not None, "a challenge is never removed"
    tx.announce_due(changed.due_at)
    return changed


async def change_open(
    tx: Transaction, ladder_id: int, *, waiting: bool = False, **values: Any
) -> tuple[int, ...]:
    """Change all open challenges of a ladder, or those awaiting an answer; return their numbers."""
    these = [_OPEN, _c.ladder_id == ladder_id]
    if waiting:
        these += [_c.match_id.is_(None), _c.called_at.is_not(None)]
    tx.announce_due(values.get("due_at"))
    this = update(ladder_challenges).where(*these).values(values)
    return await tx.scalars(this.returning(_c.id))


async def open_in(tx: Transaction, ladder_id: int) -> tuple[LadderChallenge, ...]:
    """Return the open challenges of a ladder, oldest first."""
    these = select(ladder_challenges).where(_OPEN, _c.ladder_id == ladder_id).order_by(_c.id)
    return await tx.records(LadderChallenge, these)


async def between(
    tx: Transaction, ladder_id: int, one: int, other: int
) -> tuple[LadderChallenge, ...]:
    """Return all challenges between two players of a ladder, the latest first."""
    both = (one, other)
    these = (_c.ladder_id == ladder_id, _c.challenger_id.in_(both), _c.challenged_id.in_(both))
    found = select(ladder_challenges).where(*these).order_by(_c.id.desc())
    return await tx.records(LadderChallenge, found)


async def hand_on(tx: Transaction, ladder_id: int, challenged: int, successor: int) -> None:
    """Let the challenges queued for a player go to the one who took their place."""
    queued = (_OPEN, _c.called_at.is_(None), _c.ladder_id == ladder_id)
    this = update(ladder_challenges).where(*queued, _c.challenged_id == challenged)
    await tx.run(this.values(challenged_id=successor))


async def swaps_seats(tx: Transaction, match_id: int) -> bool:
    """Return whether a match is a ladder's second or later game of the same two."""
    before = ladder_challenges.alias().c
    played_before = (
        (before.ladder_id == _c.ladder_id)
        & (before.match_id < _c.match_id)
        & before.challenger_id.in_((_c.challenger_id, _c.challenged_id))
        & before.challenged_id.in_((_c.challenger_id, _c.challenged_id))
    )
    this = select(exists(select(before.id).where(played_before))).where(_c.match_id == match_id)
    return bool(await tx.scalar(this))


async def is_match(tx: Transaction, match_id: int) -> bool:
    """Return whether a match belongs to an open challenge of a ladder."""
    return bool(await tx.scalar(select(exists().where(_c.match_id == match_id, _OPEN))))


async def of_match(tx: Transaction, match_id: int) -> int | None:
    """Return the ladder that a match is a game of, if any."""
    return await tx.scalar(select(_c.ladder_id).where(_c.match_id == match_id))


async def number_of(tx: Transaction, match_id: int) -> int:
    """Return the challenge that led to a match of a ladder; 0 for other matches."""
    return await tx.scalar(select(_c.id).where(_c.match_id == match_id)) or 0


async def ended(tx: Transaction, match: Match, at: datetime) -> None:
    """Make a match's ladder challenge, if any, due, as the match ends."""
    this = update(ladder_challenges).where(_c.match_id == match.id, _OPEN)
    if await tx.run(this.values(due_at=at)):
        tx.announce_due(at)


_NEXT_DUE: Final = Prepared(select(func.min(_c.due_at)).where(_OPEN), ladders.c.guild_id)


async def next_due(tx: Transaction) -> datetime | None:
    """Return when a challenge next needs attention."""
    return await tx.scalar(_NEXT_DUE)


async def due(tx: Transaction, now: datetime, *, limit: int) -> tuple[LadderChallenge, ...]:
    """Return the challenges that need attention now."""
    these = tx.scoped(select(ladder_challenges).where(_OPEN, _c.due_at <= now), ladders.c.guild_id)
    return await tx.records(LadderChallenge, these.order_by(_c.due_at, _c.id).limit(limit))
