"""Who has won, drawn and lost how often, by server and game.

The table runs along: a result is added in the transaction that ends its match. `rebuild` computes
the same from the matches. A player who is ranked 1 alone has won, who shares that rank has drawn,
everybody else has lost. Matches in direct messages count nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    text,
)

from data.tables import matches, players, standings
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Select

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one player."""

    user_id: int
    won: int
    drawn: int
    lost: int


_COUNT = upsert(standings, "won", "drawn", "lost", adding=True)


async def page(
    tx: Transaction, guild_id: int, game: str | None, *, limit: int, offset: int
) -> tuple[Standing, ...]:
    """Return a part of the table of a server, for one game or for all taken together.

    Best first: who has won more, then who has lost less, then who has drawn more, then the
    older account in Discord.
    """
    table = _table(guild_id, game).subquery()
    statement = select(table).order_by(
        table.c.won.desc(), table.c.lost, table.c.drawn.desc(), table.c.user_id
    )
    rows = await tx.rows(statement.limit(limit).offset(offset))
    return tuple(Standing(*row) for row in rows)


async def count(tx: Transaction, guild_id: int, game: str | None) -> int:
    """Return how many players the table of a server has."""
    row = await tx.row(select(func.count()).select_from(_table(guild_id, game).subquery()))
    assert row is not None
    return int(row[0])


async def of(
    tx: Transaction, guild_id: int, user_id: int, game: str | None
) -> tuple[Standing, int] | None:
    """Return the results of a player and the place in the table, counted from 1."""
    table = _table(guild_id, game).subquery()
    row = await tx.row(select(table).where(table.c.user_id == user_id))
    if row is None:
        return None
    mine = Standing(*row)
    better = or_(
        table.c.won > mine.won,
        and_(
            table.c.won == mine.won,
            or_(
                table.c.lost < mine.lost,
                and_(
                    table.c.lost == mine.lost,
                    or_(
                        table.c.drawn > mine.drawn,
                        and_(table.c.drawn == mine.drawn, table.c.user_id < user_id),
                    ),
                ),
            ),
        ),
    )
    before = await tx.row(select(func.count()).select_from(table).where(better))
    assert before is not None
    return mine, int(before[0]) + 1


async def count_result(tx: Transaction, guild_id: int, game: str, ranks: Mapping[int, int]) -> None:
    """Add one result, the ranks by player. ``matches.finish`` does this; nobody else needs to."""
    await tx.run(_COUNT[tx.dialect], _rows(guild_id, game, ranks, 1))


async def take_back(tx: Transaction, guild_id: int, game: str, ranks: Mapping[int, int]) -> None:
    """Take one result out again. ``verdicts.void`` does this; nobody else needs to."""
    await tx.run(_COUNT[tx.dialect], _rows(guild_id, game, ranks, -1))
    columns = standings.c
    await tx.run(
        delete(standings).where(
            columns.guild_id == guild_id,
            columns.game == game,
            columns.won == 0,
            columns.drawn == 0,
            columns.lost == 0,
        )
    )


def _rows(
    guild_id: int, game: str, ranks: Mapping[int, int], times: int
) -> list[dict[str, int | str]]:
    shared = list(ranks.values()).count(1) > 1
    return [
        {
            "guild_id": guild_id,
            "game": game,
            "user_id": user_id,
            "won": times * int(ranks[user_id] == 1 and not shared),
            "drawn": times * int(ranks[user_id] == 1 and shared),
            "lost": times * int(ranks[user_id] != 1),
        }
        for user_id in sorted(ranks)  # always the same order, so that no two wait for each other
    ]


async def rebuild(tx: Transaction) -> None:
    """Compute the whole table again from the matches."""
    if tx.dialect == "postgresql":
        # Nobody may end a match between the two statements below.
        await tx.run(text("LOCK TABLE matches, standings IN SHARE ROW EXCLUSIVE MODE"))
    await tx.run(delete(standings))
    await tx.run(insert(standings).from_select(list(standings.c.keys()), _computed()))


def _table(guild_id: int, game: str | None) -> Select[Any]:
    columns = standings.c
    if game is not None:
        return select(columns.user_id, columns.won, columns.drawn, columns.lost).where(
            columns.guild_id == guild_id, columns.game == game
        )
    return (
        select(
            columns.user_id,
            func.sum(columns.won).label("won"),
            func.sum(columns.drawn).label("drawn"),
            func.sum(columns.lost).label("lost"),
        )
        .where(columns.guild_id == guild_id)
        .group_by(columns.user_id)
    )


def _computed() -> Select[Any]:
    firsts = (
        select(players.c.match_id, func.count().label("number"))
        .where(players.c.rank == 1)
        .group_by(players.c.match_id)
        .subquery()
    )
    alone = and_(players.c.rank == 1, firsts.c.number == 1)
    shared = and_(players.c.rank == 1, firsts.c.number > 1)

    def times(what: Any) -> Any:
        return func.sum(case((what, 1), else_=0))

    return (
        select(
            matches.c.guild_id,
            matches.c.game,
            players.c.user_id,
            times(alone),
            times(shared),
            times(players.c.rank > 1),
        )
        .join(players, players.c.match_id == matches.c.id)
        .outerjoin(firsts, firsts.c.match_id == matches.c.id)
        .where(
            matches.c.guild_id.is_not(None),
            matches.c.finished_at.is_not(None),
            players.c.rank.is_not(None),
        )
        .group_by(matches.c.guild_id, matches.c.game, players.c.user_id)
    )
