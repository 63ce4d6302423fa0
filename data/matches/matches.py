"""Matches and their players. Their moves are in `data.matches.match_log`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, case, delete, update

from data import posts
from data.challenges import challenges
from data.matches import offers
from data.matches.conditional_moves import conditional_moves
from data.matches.match import (
    CHANNEL,
    THREAD,
    Finished,
    Match,
    Player,
    get,
    in_thread,
    matches,
    moves,
    of_numbers,
    of_player,
    of_server,
    open_in_channel,
    open_of_player,
    players,
)
from data.sql.statements import values_of
from data.sql.transaction import Transaction

__all__ = [
    "Finished",
    "Match",
    "Player",
    "add",
    "ease",
    "finish",
    "get",
    "get_existing",
    "give_up",
    "in_thread",
    "of_numbers",
    "of_player",
    "of_server",
    "open_in_channel",
    "open_of_player",
    "set_place",
    "void",
]

_FREE = (
    update(moves)
    .where(moves.c.match_id == bindparam("match"), moves.c.fingerprint.is_not(None))
    .values(fingerprint=None)
)
FORGET_CONDITIONAL = delete(conditional_moves).where(
    conditional_moves.c.match_id == bindparam("match")
)
"""Deletes a match's conditional moves."""
ENDED: Final = "match ended"
"""The topic that announces, by number, a match that has ended in any way."""


async def add(tx: Transaction, match: Match) -> int:
    """Add a match with its players; return its number."""
    number = await tx.insert(matches, match)
    await tx.add(players, *({"match_id": number, **values_of(one)} for one in match.players))
    return number


async def give_up(tx: Transaction, match_id: int, seat: int, *, how: str, at: datetime) -> int:
    """Record that a player gives up their seat at the end of the log; the match continues.

    The transaction must hold the lock of the match.

    Returns:
        The number of seats of the match given up so far.

    Raises:
        Finished: the match is over.
        LookupError: no match with that number.
        ValueError: the seat is already given up, or empty; do not commit then.
    """
    this = (matches.c.id == match_id) & matches.c.finished_at.is_(None)
    counted = update(matches).where(this).values(given_up=matches.c.given_up + 1)
    row = await tx.row(counted.returning(matches.c.given_up, matches.c.plies))
    if row is None:
        raise Finished(await get_existing(tx, match_id))
    seated = (players.c.match_id == match_id) & (players.c.seat == seat)
    values = {"gave_up": row.given_up, "gave_up_ply": row.plies, "gave_up_how": how}
    playing = seated & players.c.gave_up.is_(None)
    if not await tx.run(update(players).where(playing).values(values)):
        raise ValueError("the seat does not exist or has already been given up")
    await tx.run(FORGET_CONDITIONAL, {"match": match_id})
    await offers.lapse(tx, match_id, at)
    return int(row.given_up)


async def ease(tx: Transaction, match_id: int) -> None:
    """Record that a computer plays a move below its level."""
    await tx.run(update(matches).where(matches.c.id == match_id).values(eased=True))


async def finish(
    tx: Transaction,
    match_id: int,
    *,
    ranks: Mapping[int, int],
    reason: str,
    at: datetime,
    ending: str | None = None,
    ended_by: int | None = None,
) -> None:
    """End a match. Ratings are computed elsewhere.

    ``ranks`` has every seat, or none if there is no result. ``reason`` says in brief why it ended,
    ``ending`` in one word what ended it if not the rules, and ``ended_by`` which user did.

    Raises:
        Finished: it has already ended.
        LookupError: no match with that number.
        ValueError: a seat has no rank, or a rank no seat.
    """
    tx.announce(ENDED, match_id)
    this = (matches.c.id == match_id) & matches.c.finished_at.is_(None)
    values = {"finished_at": at, "reason": reason, "ending": ending, "ended_by": ended_by}
    ended = await tx.run(update(matches).where(this).values(values))
    match = await get_existing(tx, match_id)
    if not ended:
        raise Finished(match)
    await offers.lapse(tx, match_id, at)
    await tx.run(_FREE, {"match": match_id})
    await tx.run(FORGET_CONDITIONAL, {"match": match_id})
    if not ranks:
        return
    if set(ranks) != {player.seat for player in match.players}:
        raise ValueError("a result must rank exactly the seats of the match")
    rank = case(ranks, value=players.c.seat)
    await tx.run(update(players).where(players.c.match_id == match_id).values(rank=rank))


async def void(tx: Transaction, match_id: int, *, reason: str, by: int) -> Match | None:
    """Void the result of a finished match. Ratings are computed elsewhere.

    Returns:
        The updated match; ``None`` if it is ongoing, already void or does not exist.
    """
    finished = (matches.c.id == match_id) & matches.c.finished_at.is_not(None)
    result = update(matches).where(finished, matches.c.ending.is_distinct_from("voided"))
    # The update locks the match, so the second of two simultaneous calls finds it done.
    if not await tx.run(result.values(reason=reason, ending="voided", ended_by=by)):
        return None
    await tx.run(update(players).where(players.c.match_id == match_id).values(rank=None))
    return await get(tx, match_id)


async def set_place(
    tx: Transaction, match_id: int, *, place: str, channel_id: int, parent_id: int | None
) -> None:
    """Set where a match is played: the channel or thread, and its parent."""
    values = {"place": place, "channel_id": channel_id, "parent_id": parent_id}
    await tx.run(update(matches).where(matches.c.id == match_id).values(values))


async def get_existing(tx: Transaction, match_id: int) -> Match:
    """Return a match.

    Raises:
        LookupError: no match with that number.
    """
    match = await get(tx, match_id)
    if match is None:
        raise LookupError(f"no match {match_id}")
    return match


RESULT: Final = "result"
"""The kind of post that tells how a match ended, by its number."""
THREAD_NAME: Final = "thread name"
"""The kind of post that names the thread of a match, by the match's number."""


async def show_result(tx: Transaction, match: Match, at: datetime) -> None:
    """Have a match's channel and its challenge show how it ended, or that it was voided since.

    A match played in the channel itself shows that on its last board. Until a match has a place, it
    may get a thread.
    """
    challenge = await challenges.of_match(tx, match.id)
    if challenge is not None and challenge.message_id is not None:
        await challenges.show(tx, challenge, at)
    if match.place in {THREAD, None}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)
        await show_thread_name(tx, match, at)


async def show_turning_point(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the message that tells the result tell the turning point, too."""
    if match.place in {THREAD, CHANNEL}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)


async def show_thread_name(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the thread of a match named anew."""
    await posts.want(tx, THREAD_NAME, match.id, at=at, guild_id=match.guild_id)
