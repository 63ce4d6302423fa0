"""Tournaments; see also `data.tournaments.tournament_entrants` and `data.tournaments.tournament_rounds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam, func, or_, select, text, update

from data import time_per_move
from data.matches.clocks import played_on
from data.sql.columns import Document, Id, reference, table
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction
from data.tournaments.values import Entrant, Plan

RESERVE: Final = 0
"""The round that an entrant has joined who waits for a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Entrant):
    """A current or former entrant, as stored."""

    tournament_id: int
    number: int
    """In order of joining. It stays when an entrant's data is deleted and their user id changes."""
    joined_at: datetime
    leave_reason: str | None = None
    """Why they left: ``left``, ``absent``, ``gone`` or ``removed``."""
    place: int | None = None
    """In the final table; ``None`` for a player without a point, see `places_won`."""
    word: str = ""
    """What they add to the throws of their games that begin from now on."""

    @property
    def waits(self) -> bool:
        """Whether they wait for a place."""
        return self.joined_round == RESERVE


entrants: Final = table(
    "tournament_entrants",
    reference("tournament_id", "tournaments.id"),
    sa.Column("replaces_user_id", Id, key="replaces"),
    sa.CheckConstraint(
        "leave_reason IN ('left', 'absent', 'gone', 'removed')", name="leave_reason"
    ),
    sa.Index("ix_tournament_entrants_user_id", "user_id"),
    sa.UniqueConstraint("tournament_id", "number"),
    rows=Entry,
    key=("tournament_id", "user_id"),
)

DELETED_ROLE: Final = 0
"""In place of a role that was deleted: nobody can enter until the tournament is for everyone."""


class State(StrEnum):
    """The state of a tournament."""

    SIGN_UP = "sign-up"
    RUNNING = "running"
    ADJOURNED = "adjourned"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        """Whether it is still open."""
        return self not in {State.FINISHED, State.CANCELLED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms set when a tournament is created."""

    guild_id: int
    channel_id: int
    name: str
    game: str
    plan: Plan
    created_by: int
    days: int
    """See `data.time_per_move`, as for ``hours``."""
    hours: int | None = None
    bank: int | None = None
    """Days in the time bank at the start, if there is one; each move adds ``per_move``."""
    round_days: int | None = None
    """Maximum days per round; ``None`` for as long as its matches take."""
    verdict: str = "draw"
    """How matches still open then are decided: by ``computer`` or ``manager``, or as a ``draw``."""
    unrated: bool = False
    max_players: int = 500
    min_rating: int | None = None
    max_rating: int | None = None
    established: bool = False
    """Whether only players with an established rating may enter."""
    role_id: int | None = None
    """The role that entrants need, or `DELETED_ROLE`."""
    starts_at: datetime | None = None
    """When it starts automatically, if ever."""
    monthly_day: int | None = None
    """The day of the month (UTC) on which the next one starts, if one follows each month."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Its matches' options, as chosen; the game fills in the rest."""

    @property
    def per_move(self) -> timedelta:
        """The time per move."""
        return time_per_move.of(self.days, self.hours)

    @property
    def monthly(self) -> bool:
        """Whether another one follows next month."""
        return self.monthly_day is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Terms):
    """A tournament. Its ``repr`` does not show the seed."""

    id: int
    thread_id: int | None
    message_id: int | None
    """The announcement."""
    state: State
    seed: bytes = field(repr=False)
    created_at: datetime
    ended_at: datetime | None
    round: int
    """The current or last round; 0 before the first."""
    next_at: datetime | None
    """The next time the clock makes it due, if any."""
    version: int
    """Counts changes of the tournament, its entrants and its rounds."""
    imported: bool = False
    """Whether it was played elsewhere and read from a file; it counts for no player."""


tournaments: Final = table(
    "tournaments",
    sa.Column("plan", Document, nullable=False),
    sa.Column("round", sa.Integer, nullable=False, server_default="0"),
    sa.Column("version", sa.Integer, nullable=False, server_default="0"),
    sa.CheckConstraint("verdict IN ('draw', 'manager', 'computer')", name="verdict"),
    sa.Index("ix_tournaments_guild_id", "guild_id", "state"),
    sa.Index("ix_tournaments_next_at", "next_at"),
    sa.Column("hours", sa.Integer),  # added later, so the last one
    rows=Tournament,
    without=("hours",),
)
sa.Index(
    "ix_tournaments_imported",
    tournaments.c.guild_id,
    sqlite_where=text("imported = 1"),
    postgresql_where=text("imported"),
)

CHANGED: Final = "tournaments"
"""Announced with the number of each tournament that has changed."""
_t, _e = tournaments.c, entrants.c
_OPEN: Final = (State.SIGN_UP, State.RUNNING, State.ADJOURNED)


async def add(
    tx: Transaction, terms: Terms, *, seed: bytes, at: datetime, next_at: datetime | None
) -> Tournament:
    """Add a tournament, open for sign-up."""
    values = values_of(terms) | {
        "plan": terms.plan.document(),
        "options": dict(terms.options),
        "state": State.SIGN_UP,
        "seed": seed,
        "created_at": at,
        "next_at": next_at,
    }
    number = await tx.insert(tournaments, values)
    tx.announce_due(next_at)
    tx.announce(CHANGED, number)
    tournament = await get(tx, number)
    assert tournament is not None
    return tournament


async def get(tx: Transaction, tournament_id: int) -> Tournament | None:
    """Return a tournament, ``None`` if it does not exist."""
    return await tx.record(_tournament, select(tournaments).where(_t.id == tournament_id))


async def lock(tx: Transaction, tournament_id: int) -> Tournament | None:
    """Return a tournament, locked until the end of the transaction."""
    this = select(tournaments).where(_t.id == tournament_id)
    return await tx.record(_tournament, this.with_for_update(key_share=True))


async def change(tx: Transaction, known: Tournament, **values: Any) -> Tournament:
    """Change a tournament that the transaction has locked, and count the change."""
    this = update(tournaments).where(_t.id == known.id)
    this = this.values(values | {"version": _t.version + 1})
    changed = await tx.record(_tournament, this.returning(tournaments))
    assert changed is not None, "it is locked"
    tx.announce(CHANGED, known.id)
    if changed.state.open:
        tx.announce_due(changed.next_at)
    return changed


async def set_messages(tx: Transaction, tournament_id: int, **ids: int | None) -> None:
    """Set the ``message_id`` or ``thread_id`` of a tournament, which does not count as a change."""
    await tx.run(update(tournaments).where(_t.id == tournament_id).values(ids))


async def of_server(
    tx: Transaction, guild_id: int, *, limit: int, open_only: bool = False
) -> tuple[Tournament, ...]:
    """Return a server's latest tournaments, newest first."""
    wanted = [_t.guild_id == guild_id]
    if open_only:
        wanted.append(_t.state.in_(_OPEN))
    return await tx.records(
        _tournament, select(tournaments).where(*wanted).order_by(_t.id.desc()).limit(limit)
    )


async def count_open(tx: Transaction, *wanted: ColumnElement[bool]) -> int:
    """Return the number of open tournaments that meet conditions. Internal to this package."""
    return await tx.number(select(func.count()).where(_t.state.in_(_OPEN), *wanted))


async def open_in_server(tx: Transaction, guild_id: int) -> int:
    """Return the number of open tournaments of a server."""
    return await count_open(tx, _t.guild_id == guild_id)


async def open_made_by(tx: Transaction, user_id: int, guild_id: int) -> int:
    """Return the number of open tournaments that a user created in a server."""
    return await count_open(tx, _t.created_by == user_id, _t.guild_id == guild_id)


async def needing_role(tx: Transaction, guild_id: int, role_id: int) -> tuple[int, ...]:
    """Return the open tournaments of a server whose entrants need a role, oldest first."""
    wanted = (_t.guild_id == guild_id, _t.role_id == role_id, _t.state.in_(_OPEN))
    return await tx.scalars(select(_t.id).where(*wanted).order_by(_t.id))


async def naming(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return the open tournaments that a user created or ever entered, oldest first."""
    entered = select(_e.tournament_id).where(_e.user_id == user_id)
    theirs = (_t.created_by == user_id) | _t.id.in_(entered)
    return await tx.scalars(select(_t.id).where(theirs, _t.state.in_(_OPEN)).order_by(_t.id))


async def of_player(tx: Transaction, user_id: int) -> tuple[Tournament, ...]:
    """Return the open tournaments that a user plays in, oldest first."""
    mine = select(_e.tournament_id).where(_e.user_id == user_id, _e.left_after.is_(None))
    wanted = (_t.id.in_(mine), _t.state.in_(_OPEN))
    return await tx.records(_tournament, select(tournaments).where(*wanted).order_by(_t.id))


async def count_imported(tx: Transaction, guild_id: int | None = None) -> int:
    """Return the number of tournaments imported into a server; ``None`` for all servers."""
    wanted: list[ColumnElement[bool]] = [_t.imported]
    if guild_id is not None:
        wanted.append(_t.guild_id == guild_id)
    return await tx.number(select(func.count()).where(*wanted))


async def next_moment(tx: Transaction, after: datetime) -> datetime | None:
    """Return when any tournament next falls due after a given time."""
    return await tx.scalar(_NEXT_MOMENT, {"now": after})


async def due(tx: Transaction, now: datetime) -> tuple[int, ...]:
    """Return the tournaments that are due now; those in unavailable servers are held."""
    return await tx.scalars(_DUE, {"now": now})


async def prizes(
    tx: Transaction, guild_id: int | None, user_id: int, *, limit: int
) -> Sequence[tuple[Tournament, int]]:
    """Return finished tournaments in which a user was in the top three, newest first, with place."""
    wanted = [_t.state == State.FINISHED, _t.imported.is_(False)]
    wanted += [_e.user_id == user_id, _e.place <= 3]
    if guild_id is not None:
        wanted.append(_t.guild_id == guild_id)
    statement = (
        select(tournaments, _e.place)
        .join(entrants, _e.tournament_id == _t.id)
        .where(*wanted)
        .order_by(_t.ended_at.desc(), _t.id.desc())
        .limit(limit)
    )
    return [(_tournament(*row), row.place) for row in await tx.rows(statement)]


_NOW: Final = bindparam("now", type_=_t.next_at.type)
_PLAYED: Final = or_(*(_t.state == state for state in _OPEN)) & played_on(_t.guild_id)
_NEXT_MOMENT: Final = Prepared(
    select(func.min(_t.next_at)).where(_PLAYED, _t.next_at > _NOW), _t.guild_id
)
_DUE: Final = Prepared(
    select(_t.id).where(_PLAYED, _t.next_at <= _NOW).order_by(_t.next_at, _t.id), _t.guild_id
)


def _tournament(*row: Any) -> Tournament:
    values = dict(zip(_t.keys(), row, strict=False))
    return Tournament(**values | {"plan": Plan.read(values["plan"])})
