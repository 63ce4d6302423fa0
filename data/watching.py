"""Followers of matches and players, and their pending notifications of finished matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data import due
from data.prepared import by_scope
from data.scope import within
from data.tables import end_reports, followed_matches, followed_players, matches, players
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import Select

    from data.match import Match
    from data.scope import Scope
    from data.transaction import Transaction

_m, _p, _r = followed_matches.c, followed_players.c, end_reports.c


@dataclass(frozen=True, slots=True)
class Report:
    """A follower to notify when a match ends."""

    id: int
    user_id: int
    match_id: int
    guild_id: int
    player_id: int | None
    """The player they follow; ``None`` if it is the match."""


_FOLLOW_MATCH = upsert(followed_matches, "since")
_FOLLOW_PLAYER = upsert(followed_players, "since")
_ONCE = ["user_id", "match_id"]
_REPORT = {
    "sqlite": sqlite.insert(end_reports).on_conflict_do_nothing(index_elements=_ONCE),
    "postgresql": postgresql.insert(end_reports).on_conflict_do_nothing(index_elements=_ONCE),
}


async def follow_match(tx: Transaction, user_id: int, match_id: int, at: datetime) -> None:
    """Notify a user when a match ends."""
    values = {"user_id": user_id, "match_id": match_id, "since": at}
    await tx.run(_FOLLOW_MATCH[tx.dialect], values)


async def follow_player(
    tx: Transaction, user_id: int, guild_id: int, player_id: int, at: datetime
) -> None:
    """Notify a user when a player's matches in a server end."""
    values = {"user_id": user_id, "guild_id": guild_id, "player_id": player_id, "since": at}
    await tx.run(_FOLLOW_PLAYER[tx.dialect], values)


async def unfollow_match(tx: Transaction, user_id: int, match_id: int) -> None:
    """Stop notifying a user about a match."""
    this = (_m.user_id == user_id) & (_m.match_id == match_id)
    await tx.run(delete(followed_matches).where(this))


async def unfollow_player(tx: Transaction, user_id: int, guild_id: int, player_id: int) -> None:
    """Stop notifying a user about a player in a server."""
    this = (_p.user_id == user_id) & (_p.guild_id == guild_id) & (_p.player_id == player_id)
    await tx.run(delete(followed_players).where(this))


async def matches_of(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return the matches that a user follows, newest first."""
    mine = select(_m.match_id).where(_m.user_id == user_id)
    return await tx.scalars(mine.order_by(_m.since.desc(), _m.match_id.desc()))


async def players_of(tx: Transaction, user_id: int, guild_id: int) -> tuple[int, ...]:
    """Return the players that a user follows in a server, newest first."""
    mine = select(_p.player_id).where(_p.user_id == user_id, _p.guild_id == guild_id)
    return await tx.scalars(mine.order_by(_p.since.desc(), _p.player_id))


async def count_followed(tx: Transaction, user_id: int) -> int:
    """Return how many matches and players a user follows, in all servers."""
    here = await tx.scalar(select(func.count()).where(_m.user_id == user_id))
    there = await tx.scalar(select(func.count()).where(_p.user_id == user_id))
    return int(here) + int(there)


async def followers_of_match(tx: Transaction, match_id: int) -> int:
    """Return how many users follow a match."""
    return int(await tx.scalar(select(func.count()).where(_m.match_id == match_id)))


async def followers_of_player(tx: Transaction, guild_id: int, player_id: int) -> int:
    """Return how many users follow a player in a server."""
    this = (_p.guild_id == guild_id) & (_p.player_id == player_id)
    return int(await tx.scalar(select(func.count()).where(this)))


async def open_in_server(
    tx: Transaction,
    guild_id: int,
    *,
    before: int | None = None,
    limit: int,
    without: Collection[int] = (),
) -> tuple[int, ...]:
    """Return the numbers of a server's open matches, newest first, before a given one.

    Matches played by any of the users in ``without`` are omitted.
    """
    here = select(matches.c.id).where(
        matches.c.guild_id == guild_id, matches.c.finished_at.is_(None)
    )
    if without:
        plays = exists().where(
            players.c.match_id == matches.c.id, players.c.user_id.in_(sorted(without))
        )
        here = here.where(~plays)
    if before is not None:
        here = here.where(matches.c.id < before)
    return await tx.scalars(here.order_by(matches.c.id.desc()).limit(limit))


async def queue_reports(tx: Transaction, match: Match, at: datetime) -> None:
    """Queue one notification for each follower of a match, or of its players, as the match ends.

    The players themselves get none.
    """
    if match.guild_id is None:
        return
    mine = {player.user_id for player in match.players}
    of_match = await tx.scalars(select(_m.user_id).where(_m.match_id == match.id))
    of_player = await tx.rows(
        select(_p.user_id, _p.player_id)
        .where(_p.player_id.in_(sorted(mine)), _p.guild_id == match.guild_id)
        .order_by(_p.user_id, _p.player_id)
    )
    followers = [*((user, None) for user in of_match), *((row[0], row[1]) for row in of_player)]
    for user, player in followers:
        if user not in mine:
            values = {
                "user_id": user,
                "match_id": match.id,
                "guild_id": match.guild_id,
                "player_id": player,
                "try_at": at,
            }
            await tx.run(_REPORT[tx.dialect], values)
    if followers:
        await tx.run(delete(followed_matches).where(_m.match_id == match.id))
        due.announce(tx, at)


async def next_report(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when the next follower is due for a notification."""
    moment: datetime | None = await tx.scalar(_next_report(scope))
    return moment


async def reports(
    tx: Transaction, now: datetime, *, limit: int, scope: Scope | None = None
) -> tuple[Report, ...]:
    """Return the notifications due now, longest wait first."""
    wanted = select(_r.id, _r.user_id, _r.match_id, _r.guild_id, _r.player_id)
    rows = await tx.rows(
        wanted.where(_r.try_at <= now, *within(_r.guild_id, scope))
        .order_by(_r.try_at, _r.id)
        .limit(limit)
    )
    return tuple(Report(*row) for row in rows)


async def postpone(tx: Transaction, report_id: int, at: datetime) -> None:
    """Postpone a notification."""
    await tx.run(update(end_reports).where(_r.id == report_id).values(try_at=at))
    due.announce(tx, at)


async def remove_report(tx: Transaction, report_id: int) -> None:
    """Delete a notification that was sent or is not needed."""
    await tx.run(delete(end_reports).where(_r.id == report_id))


@by_scope
def _next_report(scope: Scope | None) -> Select[Any]:
    return select(func.min(_r.try_at)).where(*within(_r.guild_id, scope))
