"""Players' wins, draws and losses, by side and by opponent.

The tables are updated in the transactions that add and remove results; the order does not matter.
`rebuild` computes the same from the results. A player who alone has rank 1 has won, players who
share rank 1 have drawn, all others have lost. Between two players, the better rank wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_, case, delete, func, insert, literal, select, text, union_all

from data.matches.match import players
from data.ratings.rating import EVERYWHERE, Key, Result, results
from data.sql.columns import Id, table
from data.sql.transaction import Transaction


class SideScore(NamedTuple):
    """A player's score in one game on one side, unrated matches included."""

    game: str
    seat: int
    won: int
    drawn: int
    lost: int
    moves: int
    """The number of turns the player took."""
    seconds: int
    """The total time of these turns."""


scores = table(
    "scores",
    sa.Column("user_id", Id, nullable=False),
    sa.Column("scope", Id, nullable=False),
    sa.Column("seconds", Id, nullable=False),
    rows=SideScore,
    key=("user_id", "scope", "game", "seat"),
)
"""Each player's score by game and side, unrated matches included, and the time used."""


class Rival(NamedTuple):
    """A player's score in one game against one opponent, unrated matches included."""

    rival_id: int
    """The opponent; negative if their data was deleted."""
    game: str
    games: int
    rated: int
    """The number of games to be rated."""
    won: int
    """How often the player ranked above the opponent."""
    drawn: int

    @property
    def lost(self) -> int:
        """How often the opponent ranked above the player."""
        return self.games - self.won - self.drawn


rivals = table(
    "rivals",
    sa.Column("user_id", Id, nullable=False),
    sa.Column("scope", Id, nullable=False),
    sa.Index("ix_rivals_games", "user_id", "scope", "games"),
    rows=Rival,
    key=("user_id", "scope", "rival_id", "game"),
)
"""Each player's score against each opponent; both players have a row."""

_RIVALS = select(*(rivals.c[name] for name in Rival._fields))
_GAMES_PER_PAIR: Final = 8
"""Rows read per wanted opponent, who appears once for each of their games."""


async def add(tx: Transaction, result: Result, times: int = 1) -> None:
    """Count a result, or remove it if ``times`` is -1. The game's lock must be held."""
    shared = [placing.rank for placing in result.players].count(1) > 1
    kept, met = [], []
    for scope in result.scopes:
        for placing in result.players:
            first = placing.rank == 1
            kept.append(
                {
                    "user_id": placing.user_id,
                    "scope": scope,
                    "game": result.game,
                    "seat": placing.seat,
                    "won": times * (first and not shared),
                    "drawn": times * (first and shared),
                    "lost": times * (not first),
                    "moves": times * placing.moves,
                    "seconds": times * placing.seconds,
                }
            )
        for one, other in permutations(result.players, 2):
            met.append(
                {
                    "user_id": one.user_id,
                    "scope": scope,
                    "rival_id": other.user_id,
                    "game": result.game,
                    "games": times,
                    "rated": times * result.rated,
                    "won": times * (one.rank < other.rank),
                    "drawn": times * (one.rank == other.rank),
                }
            )
    await tx.put(scores, *kept, adding=True)
    await tx.put(rivals, *met, adding=True)
    if times < 0:
        people = [placing.user_id for placing in result.players]
        none = scores.c.won + scores.c.drawn + scores.c.lost == 0
        for table, empty in ((scores, none), (rivals, rivals.c.games == 0)):
            theirs = table.c.user_id.in_(people) & (table.c.game == result.game)
            await tx.run(delete(table).where(theirs, empty))


async def of_player(tx: Transaction, scope: int, user_id: int) -> tuple[SideScore, ...]:
    """Return a player's scores by game and side."""
    statement = (
        select(*(scores.c[name] for name in SideScore._fields))
        .where(scores.c.user_id == user_id, scores.c.scope == scope)
        .order_by(scores.c.game, scores.c.seat)
    )
    return await tx.records(SideScore, statement)


async def most_met(tx: Transaction, scope: int, user_id: int, limit: int) -> tuple[Rival, ...]:
    """Return a player's most frequent opponents in any one game, with all their games.

    The most frequent opponent over all games comes first.
    """
    mine = (rivals.c.user_id == user_id) & (rivals.c.scope == scope)
    most = select(rivals.c.rival_id).where(mine).order_by(rivals.c.games.desc())
    met = await tx.scalars(most.limit(limit * _GAMES_PER_PAIR))
    others = list(dict.fromkeys(met))[:limit]
    against = _RIVALS.where(mine, rivals.c.rival_id.in_(others))
    opponents = await tx.records(Rival, against)
    games = Counter[int]()
    for one in opponents:
        games[one.rival_id] += one.games
    return tuple(sorted(opponents, key=lambda one: (-games[one.rival_id], one.rival_id, one.game)))


async def head_to_head(tx: Transaction, scope: int, one: int, other: int) -> tuple[Rival, ...]:
    """Return the scores between two players by game, from the first player's side."""
    pair = and_(rivals.c.user_id == one, rivals.c.scope == scope, rivals.c.rival_id == other)
    return await tx.records(Rival, _RIVALS.where(pair).order_by(rivals.c.game))


async def opponents(tx: Transaction, game: str, user_ids: Iterable[int]) -> Counter[Key]:
    """Return the number of opponents in matches to be rated, by scope and player."""
    c = rivals.c
    statement = (
        select(c.scope, c.user_id, func.count())
        .where(c.user_id.in_(sorted(user_ids)), c.game == game, c.rated > 0)
        .group_by(c.scope, c.user_id)
    )
    return Counter({(scope, user): number for scope, user, number in await tx.rows(statement)})


async def met(tx: Transaction, game: str, user_ids: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return pairs of player and opponent, over all servers, in matches to be rated."""
    c = rivals.c
    theirs = c.user_id.in_(sorted(user_ids)) & (c.scope == EVERYWHERE) & (c.game == game)
    statement = select(c.user_id, c.rival_id).where(theirs, c.rated > 0)
    return tuple((user, rival) for user, rival in await tx.rows(statement))


async def rebuild(tx: Transaction) -> None:
    """Recompute all scores from the results."""
    if tx.dialect == "postgresql":
        # Without statistics, as right after an import, it would compare every row with every other.
        await tx.run(text("ANALYZE players, results"))
    for one, computed in ((scores, _ALL_SCORES), (rivals, _ALL_RIVALS)):
        await tx.run(delete(one))
        await tx.run(insert(one).from_select(one.c.keys(), computed))


def _times(what: Any) -> Any:
    return func.sum(case((what, 1), else_=0))


_mine, _theirs, _first = players.alias("mine"), players.alias("theirs"), players.alias("first")
_FIRSTS = (
    select(func.count())
    .where(_first.c.match_id == _mine.c.match_id, _first.c.rank == 1)
    .scalar_subquery()
)
_facts = (results.c.id, results.c.game, results.c.rated)
_scoped = union_all(
    select(literal(EVERYWHERE, Id).label("scope"), *_facts),
    select(results.c.guild_id, *_facts).where(results.c.guild_id.is_not(None)),
).subquery("scoped")
_ALL_SCORES = (
    select(
        _mine.c.user_id,
        _scoped.c.scope,
        _scoped.c.game,
        _mine.c.seat,
        _times(and_(_mine.c.rank == 1, _FIRSTS == 1)),
        _times(and_(_mine.c.rank == 1, _FIRSTS > 1)),
        _times(_mine.c.rank > 1),
        func.sum(_mine.c.moves),
        func.sum(_mine.c.seconds),
    )
    .join(_scoped, _scoped.c.id == _mine.c.result_id)
    .group_by(_mine.c.user_id, _scoped.c.scope, _scoped.c.game, _mine.c.seat)
)
_ALL_RIVALS = (
    select(
        _mine.c.user_id,
        _scoped.c.scope,
        _theirs.c.user_id,
        _scoped.c.game,
        func.count(),
        _times(_scoped.c.rated),
        _times(_mine.c.rank < _theirs.c.rank),
        _times(_mine.c.rank == _theirs.c.rank),
    )
    .join(_scoped, _scoped.c.id == _mine.c.result_id)
    .join(_theirs, and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.seat != _mine.c.seat))
    .group_by(_mine.c.user_id, _scoped.c.scope, _theirs.c.user_id, _scoped.c.game)
)
