"""Ladders and their players' places. Their challenges are in `data.ladders.ladder_challenges`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam, case, delete, func, literal, select, update

from data.sql.columns import partial_index, reference, table
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms set when a ladder is opened."""

    guild_id: int
    channel_id: int
    game: str
    created_by: int
    reach: int
    """How many places above their own a player may challenge."""
    answer_days: int
    """Days to answer a challenge."""
    idle_days: int
    """Days without a counted game after which a player slides down."""
    pause_days: int
    """Days before the same two may meet again."""
    days: int
    """Days per move of its matches. None are in hours: they begin whenever the challenged player answers."""
    game_days: int
    """Days that each player has for all moves of a match together."""
    unrated: bool

    @property
    def per_move(self) -> timedelta:
        """The time per move of its matches."""
        return timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Ladder(Terms):
    """A ladder."""

    id: int
    created_at: datetime
    closed_at: datetime | None
    lost_at: datetime | None
    """Since when its channel is gone; the ladder rests until it is opened in another one."""
    next_check_at: datetime | None
    """When its daily check is due."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player on a ladder."""

    ladder_id: int
    user_id: int
    place: int
    best: int
    """Their best place since joining."""
    joined_at: datetime
    active_at: datetime
    """When their last counted game on this ladder ended, later if some time since doesn't count."""
    slide_at: datetime
    """When to check next whether they are idle."""
    passed_at: datetime | None
    """When they last declined for free."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that changed a player's place, or could have."""

    id: int
    ladder_id: int
    at: datetime
    kind: str
    user_id: int
    other_id: int | None
    from_place: int | None
    to_place: int | None


ladders: Final = table(
    "ladders",
    sa.Index("ix_ladders_guild_id", "guild_id"),
    sa.Index("ix_ladders_next_check_at", "next_check_at"),
    rows=Ladder,
)
partial_index(
    "ux_ladders_open",
    ladders.c.guild_id,
    ladders.c.game,
    where=ladders.c.closed_at.is_(None),
    unique=True,
)

ladder_places: Final = table(
    "ladder_places",
    reference("ladder_id", "ladders.id"),
    sa.Index("ix_ladder_places_user_id", "user_id"),
    rows=Rung,
    key=("ladder_id", "user_id"),
)
"""The players of a ladder, from place 1 without gaps."""

ladder_events: Final = table(
    "ladder_events",
    reference("ladder_id", "ladders.id"),
    sa.CheckConstraint(
        "kind IN ('joined', 'won', 'defended', 'drawn', 'unanswered', 'declined', 'passed', "
        "'surrendered', 'slid', 'left', 'gone', 'idle', 'removed')",
        name="kind",
    ),
    sa.Index("ix_ladder_events_ladder_id", "ladder_id", "id"),
    sa.Index("ix_ladder_events_user_id", "user_id"),
    sa.Index("ix_ladder_events_other_id", "other_id"),
    rows=Event,
)
"""From no place on joining, to none on leaving; players in between move by one."""

_l, _p, _e = ladders.c, ladder_places.c, ladder_events.c
_OPEN: Final = _l.closed_at.is_(None)
_TIMES: Final = (
    update(ladder_places)
    .where(_p.ladder_id == bindparam("ladder"), _p.user_id == bindparam("user"))
    .values(active_at=bindparam("active"), slide_at=bindparam("slide"))
)

POST: Final = "ladder"
"""The kind of a ladder's own post, see `data.posts`."""


async def add(tx: Transaction, terms: Terms, *, at: datetime, next_check_at: datetime) -> Ladder:
    """Add an empty ladder."""
    times = {"created_at": at, "closed_at": None, "lost_at": None, "next_check_at": next_check_at}
    ladder = Ladder(**values_of(terms) | times, id=0)
    tx.announce_due(next_check_at)
    return replace(ladder, id=await tx.insert(ladders, ladder))


async def get(tx: Transaction, ladder_id: int) -> Ladder | None:
    """Return a ladder, ``None`` if it does not exist."""
    return await tx.record(Ladder, select(ladders).where(_l.id == ladder_id))


async def lock(tx: Transaction, ladder_id: int) -> Ladder | None:
    """Return a ladder, locked until the end of the transaction."""
    this = select(ladders).where(_l.id == ladder_id)
    return await tx.record(Ladder, this.with_for_update(key_share=True))


async def change(tx: Transaction, ladder_id: int, **values: Any) -> Ladder:
    """Change a ladder that the transaction has locked."""
    this = update(ladders).where(_l.id == ladder_id)
    changed = await tx.record(Ladder, this.values(values).returning(ladders))
    assert changed is not None, "a ladder is never removed"
    tx.announce_due(changed.next_check_at)
    return changed


async def of_game(tx: Transaction, guild_id: int, game: str) -> Ladder | None:
    """Return the open ladder of a game in a server, ``None`` if there is none."""
    return await tx.record(
        Ladder, select(ladders).where(_OPEN, _l.guild_id == guild_id, _l.game == game)
    )


async def of_server(tx: Transaction, guild_id: int) -> tuple[Ladder, ...]:
    """Return the open ladders of a server, oldest first."""
    return await tx.records(
        Ladder, select(ladders).where(_OPEN, _l.guild_id == guild_id).order_by(ladders.c.id)
    )


async def of_player(
    tx: Transaction, user_id: int, guild_id: int | None = None
) -> tuple[tuple[Ladder, Rung], ...]:
    """Return the open ladders that a user is on, in one server or all, with their place on each."""
    mine = (
        select(ladders, *(column.label(f"rung_{column.name}") for column in _p))
        .join(ladder_places, _p.ladder_id == _l.id)
        .where(_OPEN, _p.user_id == user_id)
        .order_by(_l.id)
    )
    if guild_id is not None:
        mine = mine.where(_l.guild_id == guild_id)
    return tuple((Ladder(*row[: len(_l)]), Rung(*row[len(_l) :])) for row in await tx.rows(mine))


async def rungs(tx: Transaction, ladder_id: int) -> tuple[Rung, ...]:
    """Return the players of a ladder, from place 1 down."""
    these = select(ladder_places).where(_p.ladder_id == ladder_id).order_by(_p.place)
    return await tx.records(Rung, these)


async def enter(
    tx: Transaction, ladder_id: int, user_id: int, *, place: int, at: datetime, slide_at: datetime
) -> None:
    """Add a player at the bottom of a ladder."""
    rung = Rung(ladder_id, user_id, place, place, at, at, slide_at, passed_at=None)
    await tx.add(ladder_places, rung)


async def move(tx: Transaction, ladder_id: int, user_id: int, *, before: int, after: int) -> None:
    """Move a player to another place; those in between move by one, the other way."""
    if after < before:
        between, step = (_p.place >= after) & (_p.place < before), 1
    else:
        between, step = (_p.place > before) & (_p.place <= after), -1
    others = update(ladder_places).where(_p.ladder_id == ladder_id, between)
    await tx.run(others.values(_placed(_p.place + step)))
    this = update(ladder_places).where(*_this(ladder_id, user_id))
    await tx.run(this.values(_placed(literal(after))))


async def remove(tx: Transaction, ladder_id: int, user_id: int, *, place: int) -> None:
    """Remove a player from a ladder; those below move up."""
    await tx.run(delete(ladder_places).where(*_this(ladder_id, user_id)))
    below = update(ladder_places).where(_p.ladder_id == ladder_id, _p.place > place)
    await tx.run(below.values(_placed(_p.place - 1)))


async def change_rung(tx: Transaction, ladder_id: int, user_id: int, **values: Any) -> None:
    """Change a player's data on a ladder, other than the place."""
    await tx.run(update(ladder_places).where(*_this(ladder_id, user_id)).values(values))


async def change_times(tx: Transaction, rungs: Sequence[Rung]) -> None:
    """Store when players were last active and when to check them next, all at once."""
    if rungs:
        rows = [
            {
                "ladder": one.ladder_id,
                "user": one.user_id,
                "active": one.active_at,
                "slide": one.slide_at,
            }
            for one in rungs
        ]
        await tx.run(_TIMES, rows)


async def to_check(
    tx: Transaction, ladder_id: int, now: datetime, *, limit: int
) -> tuple[Rung, ...]:
    """Return the lowest players whose idleness is due for a check, from the bottom up."""
    these = select(ladder_places).where(_p.ladder_id == ladder_id, _p.slide_at <= now)
    return await tx.records(Rung, these.order_by(_p.place.desc()).limit(limit))


async def record(
    tx: Transaction,
    ladder_id: int,
    kind: str,
    user_id: int,
    at: datetime,
    *,
    other: int | None = None,
    before: int | None = None,
    after: int | None = None,
) -> None:
    """Record an event that changed a player's place, or could have."""
    event = Event(0, ladder_id, at, kind, user_id, other, before, after)
    await tx.insert(ladder_events, event)


async def events(tx: Transaction, ladder_id: int, *, limit: int) -> tuple[Event, ...]:
    """Return the latest events of a ladder, newest first."""
    these = select(ladder_events).where(_e.ladder_id == ladder_id).order_by(_e.id.desc())
    return await tx.records(Event, these.limit(limit))


async def forget_events(tx: Transaction, ladder_id: int, before: datetime) -> int:
    """Delete a ladder's events before a given time; return their number."""
    return await tx.run(delete(ladder_events).where(_e.ladder_id == ladder_id, _e.at < before))


_NEXT_CHECK: Final = Prepared(select(func.min(_l.next_check_at)).where(_OPEN), _l.guild_id)


async def next_check(tx: Transaction) -> datetime | None:
    """Return when the next ladder is due for its check."""
    return await tx.scalar(_NEXT_CHECK)


async def due_for_check(tx: Transaction, now: datetime, *, limit: int) -> tuple[int, ...]:
    """Return the ladders that are due for their check now."""
    statement = select(_l.id).where(_OPEN, _l.next_check_at <= now, tx.covers(_l.guild_id))
    return await tx.scalars(statement.order_by(_l.next_check_at, _l.id).limit(limit))


def _placed(place: ColumnElement[int]) -> dict[str, ColumnElement[int]]:
    return {"place": place, "best": case((_p.best < place, _p.best), else_=place)}


def _this(ladder_id: int, user_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _p.ladder_id == ladder_id, _p.user_id == user_id
