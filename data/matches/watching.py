"""What users follow, matches and players, and their private notes on matches."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, exists, select

from data import posts
from data.matches.match import Match, matches, players
from data.sql.columns import table
from data.sql.transaction import Transaction

followed_matches = table(
    "followed_matches",
    sa.Index("ix_followed_matches_match_id", "match_id"),
    rows={"user_id": int, "match_id": "matches.id", "since": datetime},
    key=("user_id", "match_id"),
)
"""Users to notify when an open match ends."""

followed_players = table(
    "followed_players",
    sa.Index("ix_followed_players_player_id", "player_id", "guild_id"),
    rows={"user_id": int, "guild_id": int, "player_id": int, "since": datetime},
    key=("user_id", "guild_id", "player_id"),
)
"""Users to notify when a player's matches in a server end."""

END_POST: Final = "ended"
"""The kind of post that tells a follower that a match has ended."""

_m, _p = followed_matches.c, followed_players.c


async def follow_match(tx: Transaction, user_id: int, match_id: int, at: datetime) -> None:
    """Notify a user when a match ends."""
    values = {"user_id": user_id, "match_id": match_id, "since": at}
    await tx.put(followed_matches, values)


async def follow_player(
    tx: Transaction, user_id: int, guild_id: int, player_id: int, at: datetime
) -> None:
    """Notify a user when a player's matches in a server end."""
    values = {"user_id": user_id, "guild_id": guild_id, "player_id": player_id, "since": at}
    await tx.put(followed_players, values)


async def unfollow_match(tx: Transaction, user_id: int, match_id: int) -> None:
    """Stop notifying a user about a match."""
    this = (_m.user_id == user_id) & (_m.match_id == match_id)
    await tx.run(delete(followed_matches).where(this))


async def unfollow_player(tx: Transaction, user_id: int, guild_id: int, player_id: int) -> None:
    """Stop notifying a user about a player in a server."""
    this = (_p.user_id == user_id) & (_p.guild_id == guild_id) & (_p.player_id == player_id)
    await tx.run(delete(followed_players).where(this))


async def unfollow_all(tx: Transaction, user_id: int) -> None:
    """Stop following any match or player."""
    await tx.run(delete(followed_matches).where(_m.user_id == user_id))
    await tx.run(delete(followed_players).where(_p.user_id == user_id))


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
    return await tx.count(_m.user_id == user_id) + await tx.count(_p.user_id == user_id)


async def followers_of_match(tx: Transaction, match_id: int) -> int:
    """Return how many users follow a match."""
    return await tx.count(_m.match_id == match_id)


async def followers_of_player(tx: Transaction, guild_id: int, player_id: int) -> int:
    """Return how many users follow a player in a server."""
    return await tx.count(_p.guild_id == guild_id, _p.player_id == player_id)


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


async def tell_followers(tx: Transaction, match: Match, at: datetime) -> None:
    """Ask for one message to each follower of a match, or of its players, as the match ends.

    The players themselves get none.
    """
    if match.guild_id is None:
        return
    mine = {player.user_id for player in match.players}
    of_match = await tx.scalars(select(_m.user_id).where(_m.match_id == match.id))
    of_player = await tx.rows(
        select(_p.user_id, _p.player_id)
        .where(_p.player_id.in_(sorted(mine)), _p.guild_id == match.guild_id)
        .order_by(_p.user_id, _p.player_id.desc())
    )
    # Who follows the match gets one message about it, else one about the first player they follow.
    followers = {user: {"player": player} for user, player in of_player}
    followers |= {user: {} for user in of_match}
    for user, payload in sorted(followers.items()):
        if user not in mine:
            await posts.want(
                tx,
                END_POST,
                match.id,
                at=at,
                guild_id=match.guild_id,
                user_id=user,
                payload=payload,
            )
    if followers:
        await tx.run(delete(followed_matches).where(_m.match_id == match.id))


notes = table(
    "notes",
    sa.Index("ix_notes_match_id", "match_id"),
    rows={"user_id": int, "match_id": "matches.id", "text": str},
    key=("user_id", "match_id"),
)
"""Players' private notes on a match, kept after its end."""

_THIS_NOTE = (notes.c.user_id == bindparam("user")) & (notes.c.match_id == bindparam("match"))
_NOTE = select(notes.c.text).where(_THIS_NOTE)
_REMOVE_NOTE = delete(notes).where(_THIS_NOTE)


async def note_of(tx: Transaction, match_id: int, user_id: int) -> str:
    """Return a player's note on a match, empty if there is none."""
    found: str | None = await tx.scalar(_NOTE, {"user": user_id, "match": match_id})
    return found or ""


async def notes_of(tx: Transaction, user_id: int, match_ids: Iterable[int]) -> dict[int, str]:
    """Return a player's notes on some matches; those without one are omitted."""
    these = notes.c.match_id.in_(sorted(match_ids))
    statement = select(notes.c.match_id, notes.c.text).where(notes.c.user_id == user_id, these)
    return {row.match_id: row.text for row in await tx.rows(statement)}


async def put_note(tx: Transaction, match_id: int, user_id: int, text: str) -> None:
    """Store a note in place of the previous one; an empty note removes it."""
    if text:
        await tx.put(notes, {"user_id": user_id, "match_id": match_id, "text": text})
    else:
        await tx.run(_REMOVE_NOTE, {"user": user_id, "match": match_id})
