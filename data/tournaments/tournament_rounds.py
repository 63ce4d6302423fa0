"""The rounds of tournaments: pairings, games, and the games' matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, and_, exists, func, select, update

from data.matches.clocks import played_on
from data.matches.match import matches
from data.sql.columns import Id, partial_index, reference, table
from data.sql.transaction import Transaction
from data.tournaments.tournaments import State, tournaments
from data.tournaments.values import Game, How, Pairing

_PAIRING: Final = {"tournament_id": int, "round": int, "table_no": int}
"""The key of a pairing."""

pairings: Final = table(
    "tournament_pairings",
    sa.ForeignKeyConstraint(
        ["tournament_id", "round"],
        ["tournament_rounds.tournament_id", "tournament_rounds.round"],
        ondelete="CASCADE",
    ),
    rows={**_PAIRING, "stage": str},
    key=tuple(_PAIRING),
)


def _of_pairing() -> sa.ForeignKeyConstraint:
    theirs = [f"tournament_pairings.{name}" for name in _PAIRING]
    return sa.ForeignKeyConstraint(list(_PAIRING), theirs, ondelete="CASCADE")


paired: Final = table(
    "tournament_paired",
    _of_pairing(),
    sa.Index("ix_tournament_paired_user_id", "user_id"),
    rows={**_PAIRING, "place": int, "user_id": int},
    key=(*_PAIRING, "place"),
)
"""The players of each pairing, in order; a single one has a bye."""

games: Final = table(
    "tournament_games",
    _of_pairing(),
    sa.Column("match_id", Id, sa.ForeignKey("matches.id")),
    sa.UniqueConstraint("match_id"),
    rows={
        **_PAIRING,
        "number": int,
        "seats": dict,
        "match_id": int | None,
        "points": dict | None,
        "how": How,
    },
    key=(*_PAIRING, "number"),
)
"""The games of each pairing; ``seats`` lists the places of its players in seat order."""
_OPEN: Final = games.c.points.is_(None)
partial_index("ix_tournament_games_open", games.c.tournament_id, games.c.match_id, where=_OPEN)


@dataclass(frozen=True, slots=True)
class Round:
    """One round."""

    tournament_id: int
    round: int
    begun_at: datetime
    ends_at: datetime | None = None
    """The latest time it ends, if set."""
    warn_at: datetime | None = None
    """When to remind players who have not moved yet; ``None`` once done."""
    ended_at: datetime | None = None
    forced: bool = False
    """Whether a manager ended it: open games are decided in any case, and unrated."""
    judged_until: datetime | None = None
    """Until when computers may judge open games; ``None`` before they were asked."""


rounds: Final = table(
    "tournament_rounds",
    reference("tournament_id", "tournaments.id"),
    rows=Round,
    key=("tournament_id", "round"),
)


class Source(NamedTuple):
    """The seed of a tournament, from which those of its games derive."""

    seed: bytes
    revealed: bool
    """Whether it is public: the tournament is over, and so are all its matches."""

    def __repr__(self) -> str:
        """Hide the seed."""
        return f"Source(revealed={self.revealed})"


_r, _g = rounds.c, games.c
_PART: Final = 500
"""Pairings to read at a time."""


async def add(tx: Transaction, round_: Round, found: Sequence[Pairing]) -> None:
    """Add a round with its pairings, whose games have not begun."""
    number = round_.tournament_id
    await tx.add(rounds, round_)
    key: dict[str, Any] = {"tournament_id": number, "round": round_.round}
    tables = [key | {"table_no": one.table, "stage": one.stage} for one in found]
    people = [
        key | {"table_no": one.table, "place": place, "user_id": user}
        for one in found
        for place, user in enumerate(one.players)
    ]
    played = [row for one in found for row in _games(number, one, one.games)]
    await tx.add(pairings, *tables)
    await tx.add(paired, *people)
    await tx.add(games, *played)


async def of(tx: Transaction, tournament_id: int) -> tuple[Round, ...]:
    """Return the rounds of a tournament so far, in order."""
    these = select(rounds).where(_r.tournament_id == tournament_id).order_by(_r.round)
    return await tx.records(Round, these)


async def pairings_of(tx: Transaction, tournament_id: int) -> tuple[Pairing, ...]:
    """Return all pairings of a tournament, by round and table.

    Large tournaments are read in parts, between which other tasks have a turn.
    """
    mine = pairings.c.tournament_id == tournament_id
    sizes = select(pairings.c.round, func.count()).where(mine).group_by(pairings.c.round)
    parts: list[list[int]] = []
    room = 0
    for number, size in await tx.rows(sizes.order_by(pairings.c.round)):
        if size > room:
            parts.append([])
            room = _PART
        parts[-1].append(number)
        room -= size
    return tuple(
        [
            one
            for numbers in parts
            for one in await _pairings(tx, tournament_id, numbers[0], numbers[-1])
        ]
    )


async def pairings_of_round(
    tx: Transaction, tournament_id: int, number: int
) -> tuple[Pairing, ...]:
    """Return the pairings of one round, by table."""
    return await _pairings(tx, tournament_id, number, number)


async def _pairings(
    tx: Transaction, tournament_id: int, first: int, last: int
) -> tuple[Pairing, ...]:
    """Return the pairings of some rounds, by round and table."""

    def these(table: sa.Table) -> ColumnElement[bool]:
        return and_(table.c.tournament_id == tournament_id, table.c.round.between(first, last))

    people: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    seated = select(paired).where(these(paired))
    order = (paired.c.round, paired.c.table_no, paired.c.place)
    for row in await tx.rows(seated.order_by(*order)):
        people[row.round, row.table_no].append(row.user_id)
    played: defaultdict[tuple[int, int], list[Game]] = defaultdict(list)
    statement = (
        select(games, matches.c.finished_at)
        .outerjoin(matches, matches.c.id == _g.match_id)
        .where(these(games))
        .order_by(_g.round, _g.table_no, _g.number)
    )
    for row in await tx.rows(statement):
        at = (row.round, row.table_no)
        played[at].append(
            Game(
                number=row.number,
                seats=tuple(people[at][place] for place in row.seats),
                points=None if row.points is None else tuple(row.points),
                how=row.how,
                match_id=row.match_id,
                ended=row.finished_at is not None,
            )
        )
    tables = select(pairings).where(these(pairings))
    return tuple(
        Pairing(*at, tuple(people[at]), tuple(played[at]), row.stage)
        for row in await tx.rows(tables.order_by(pairings.c.round, pairings.c.table_no))
        for at in [(row.round, row.table_no)]
    )


async def add_games(
    tx: Transaction, tournament_id: int, pairing: Pairing, more: Sequence[tuple[int, ...]]
) -> None:
    """Add games, given by their seats, to an undecided pairing."""
    first = len(pairing.games) + 1
    await tx.add(games, *_games(tournament_id, pairing, [Game(seats) for seats in more], first))


def _games(
    tournament_id: int, pairing: Pairing, begun: Sequence[Game], first: int = 1
) -> list[dict[str, Any]]:
    """Return the rows of a pairing's games, counted from the first."""
    key = {"tournament_id": tournament_id, "round": pairing.round, "table_no": pairing.table}
    return [
        key
        | {
            "number": number,
            "seats": [pairing.players.index(user) for user in game.seats],
            "points": None if game.points is None else list(game.points),
            "how": game.how,
        }
        for number, game in enumerate(begun, first)
    ]


async def set_match(
    tx: Transaction, tournament_id: int, pairing: Pairing, game: Game, match_id: int
) -> None:
    """Set the match of a game."""
    this = update(games).where(_this(tournament_id, pairing, game))
    await tx.run(this.values(match_id=match_id))


async def decide(
    tx: Transaction,
    tournament_id: int,
    pairing: Pairing,
    game: Game,
    *,
    points: Sequence[float],
    how: How,
) -> None:
    """Set the points of a finished game."""
    this = update(games).where(_this(tournament_id, pairing, game))
    await tx.run(this.values(points=list(points), how=how))


async def change(tx: Transaction, round_: Round) -> None:
    """Update when a round ends, ended, and warns."""
    this = update(rounds).where(_r.tournament_id == round_.tournament_id, _r.round == round_.round)
    names = ("ends_at", "warn_at", "ended_at", "forced", "judged_until")
    await tx.run(this.values({name: getattr(round_, name) for name in names}))


async def with_new_results(tx: Transaction) -> tuple[int, ...]:
    """Return the running tournaments with an unprocessed match result."""
    guild_id = tournaments.c.guild_id
    statement = (
        select(_g.tournament_id)
        .distinct()
        .join_from(games, matches, matches.c.id == _g.match_id)
        .join(tournaments, tournaments.c.id == _g.tournament_id)
        .where(_OPEN, matches.c.finished_at.is_not(None))
        .where(tournaments.c.state == State.RUNNING, played_on(guild_id), tx.covers(guild_id))
        .order_by(_g.tournament_id)
    )
    return await tx.scalars(statement)


async def of_match(tx: Transaction, match_id: int) -> int | None:
    """Return the tournament that a match is a game of, if any."""
    return await tx.scalar(select(_g.tournament_id).where(_g.match_id == match_id))


async def round_of(tx: Transaction, match_id: int) -> tuple[int, int] | None:
    """Return the tournament and the round that a match is a game of, if any."""
    row = await tx.row(select(_g.tournament_id, _g.round).where(_g.match_id == match_id))
    return None if row is None else (row.tournament_id, row.round)


def of_round(tournament_id: int, round_no: int) -> str:
    """Return what begins `drawn_for` in all games of a round."""
    return f"tournament {tournament_id}, round {round_no}"


def drawn_for(tournament_id: int, pairing: Pairing, game: Game) -> str:
    """Return what is part of every draw in a game; as in `data.matches.match.Match`."""
    start = of_round(tournament_id, pairing.round)
    return f"{start}, table {pairing.table}, game {game.number}"


async def source_of(tx: Transaction, match_id: int) -> Source | None:
    """Return the seed of the tournament that a match is a game of, ``None`` for other matches."""
    of_match = tournaments.c.id.in_(select(_g.tournament_id).where(_g.match_id == match_id))
    found = select(tournaments.c.id, tournaments.c.seed, tournaments.c.state).where(of_match)
    row = await tx.row(found)
    if row is None:
        return None
    open_ = select(_g.match_id).join(
        matches, (matches.c.id == _g.match_id) & matches.c.finished_at.is_(None)
    )
    running = await tx.row(open_.where(_g.tournament_id == row.id).limit(1)) is not None
    return Source(row.seed, revealed=not row.state.open and not running)


async def is_game(tx: Transaction, match_id: int) -> bool:
    """Return whether a match is a game of a tournament."""
    return bool(await tx.scalar(select(exists().where(_g.match_id == match_id))))


def _this(tournament_id: int, pairing: Pairing, game: Game) -> ColumnElement[bool]:
    return and_(
        _g.tournament_id == tournament_id,
        _g.round == pairing.round,
        _g.table_no == pairing.table,
        _g.number == game.number,
    )
