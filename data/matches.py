"""Matches and their logs. A match *is* its log: no position is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, case, delete, func, insert, select, update

from data.match import (
    Entry,
    Finished,
    Match,
    Player,
    StalePly,
    get,
    in_thread,
    of_player,
    of_server,
    open_in_channel,
)
from data.prepared import Prepared
from data.records import values_of
from data.tables import conditional_moves, matches, moves, players

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from data.transaction import Transaction


__all__ = [
    "Entry",
    "Finished",
    "Match",
    "Player",
    "StalePly",
    "add",
    "append",
    "decisions",
    "finish",
    "get",
    "give_up",
    "in_thread",
    "lock",
    "lock_all",
    "log",
    "of_player",
    "of_server",
    "open_in_channel",
    "remove_last",
    "seat_players",
    "set_place",
    "void",
]

_LOG = (
    select(moves.c.ply, moves.c.actor, moves.c.notation, moves.c.made_at)
    .where(moves.c.match_id == bindparam("match"), moves.c.ply > bindparam("known"))
    .order_by(moves.c.ply)
)
_LOCK = Prepared(
    select(matches.c.id).where(matches.c.id == bindparam("match")).with_for_update(key_share=True)
)
_LOCK_ALL = (
    select(matches.c.id)
    .where(matches.c.id.in_(bindparam("these", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update(key_share=True)
)
_APPEND = Prepared(insert(moves))
_FREE = (
    update(moves)
    .where(moves.c.match_id == bindparam("match"), moves.c.fingerprint.is_not(None))
    .values(fingerprint=None)
)
_FORGET_CONDITIONAL = delete(conditional_moves).where(
    conditional_moves.c.match_id == bindparam("match")
)
_CHANGE_LOG = Prepared(
    update(matches)
    .where(
        matches.c.id == bindparam("match"),
        matches.c.plies == bindparam("known"),
        matches.c.takebacks == bindparam("taken"),
        matches.c.given_up == bindparam("left"),
        matches.c.finished_at.is_(None),
    )
    .values(plies=bindparam("then"), takebacks=bindparam("taken_then"))
)
ENDED: Final = "match ended"
"""The topic that announces, by number, a match that has ended in any way."""


async def add(
    tx: Transaction,
    *,
    game: str,
    rules_version: int,
    options: Mapping[str, str],
    guild_id: int | None,
    channel_id: int,
    seed: bytes,
    commitment: str,
    at: datetime,
    challenge_id: int = 0,
    days: int | None = None,
    bank: int | None = None,
    place: str | None = None,
    parent_id: int | None = None,
    casual: bool = False,
) -> int:
    """Add a match without players; return its number."""
    values = {
        "game": game,
        "rules_version": rules_version,
        "options": dict(options),
        "guild_id": guild_id,
        "channel_id": channel_id,
        "seed": seed,
        "commitment": commitment,
        "challenge_id": challenge_id,
        "created_at": at,
        "plies": 0,
        "days": days,
        "bank": bank,
        "place": place,
        "parent_id": parent_id,
        "casual": casual,
    }
    number: int = await tx.scalar(insert(matches).values(values).returning(matches.c.id))
    return number


async def seat_players(tx: Transaction, match_id: int, seated: Sequence[Player]) -> None:
    """Seat the players of a match."""
    await tx.run(
        insert(players), [{"match_id": match_id, **values_of(player)} for player in seated]
    )


async def lock(tx: Transaction, match_id: int) -> None:
    """Lock a match until the end of the transaction; rows that refer to it can still be added."""
    if tx.dialect != "sqlite":  # SQLite has one writer at a time
        await tx.rows(_LOCK, {"match": match_id})


async def lock_all(tx: Transaction, match_ids: Iterable[int]) -> None:
    """Lock matches until the end of the transaction, in the order of their numbers."""
    await tx.rows(_LOCK_ALL, {"these": sorted(set(match_ids))})


async def log(tx: Transaction, match_id: int, *, after: int = 0) -> tuple[Entry, ...]:
    """Return the log of a match, or the part after a ply, in order."""
    rows = await tx.rows(_LOG, {"match": match_id, "known": after})
    return tuple(Entry(*row) for row in rows)


async def decisions(tx: Transaction, match_id: int, *, after: int = 0) -> dict[int, int]:
    """Return the number of moves by seat, after a ply; seats without a move are omitted."""
    statement = select(moves.c.actor, func.count().label("made")).group_by(moves.c.actor)
    mine = (moves.c.match_id == match_id) & moves.c.actor.is_not(None) & (moves.c.ply > after)
    return {row.actor: row.made for row in await tx.rows(statement.where(mine))}


async def append(
    tx: Transaction,
    match_id: int,
    entries: Sequence[Entry],
    *,
    takebacks: int = 0,
    given_up: int = 0,
) -> None:
    """Append entries to a log, exactly at its end.

    Of two appends at the same ply, one wins; the other waits and is refused. ``takebacks`` and
    ``given_up`` are those of the `Match` when the entries were chosen: since then a ply may have
    been taken back and replayed, or a computer may have taken over the seat.

    Raises:
        StalePly: the log has grown or a seat was given up since.
        Finished: the match is over.
        LookupError: no match with that number.
        ValueError: the entries are not consecutive.
    """
    if not entries:
        return
    first = entries[0].ply
    if [entry.ply for entry in entries] != list(range(first, first + len(entries))):
        raise ValueError("log entries must be consecutive")
    known = (first - 1, takebacks, given_up)
    await _change_log(tx, match_id, known, (entries[-1].ply, takebacks))
    await tx.run(_APPEND, [{"match_id": match_id, **values_of(entry)} for entry in entries])


async def remove_last(
    tx: Transaction, match_id: int, *, ply: int, takebacks: int, actor: int, given_up: int = 0
) -> None:
    """Take a move back: remove the last entry of a log, which a seat made at a ply.

    ``takebacks`` and ``given_up`` are those of the `Match` before the takeback.

    Raises:
        StalePly: the log has changed or a seat was given up since.
        Finished: the match is over.
        LookupError: no match with that number.
        ValueError: the entry is a throw, or another seat's move; do not commit then.

    """
    await _change_log(tx, match_id, (ply, takebacks, given_up), (ply - 1, takebacks + 1))
    this = (moves.c.match_id == match_id) & (moves.c.ply == ply) & (moves.c.actor == actor)
    if not await tx.run(delete(moves).where(this)):
        raise ValueError("only a seat's own decision can be taken back")
    await tx.run(_FORGET_CONDITIONAL, {"match": match_id})


async def give_up(tx: Transaction, match_id: int, seat: int, *, how: str) -> int:
    """Record that a player gives up their seat at the end of the log; the match goes on.

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
        raise Finished(await _known(tx, match_id))
    seated = (players.c.match_id == match_id) & (players.c.seat == seat)
    values = {"gave_up": row.given_up, "gave_up_ply": row.plies, "gave_up_how": how}
    playing = seated & players.c.gave_up.is_(None)
    if not await tx.run(update(players).where(playing).values(values)):
        raise ValueError("the seat does not exist or has already been given up")
    await tx.run(_FORGET_CONDITIONAL, {"match": match_id})
    return int(row.given_up)


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

    Args:
        tx: the transaction.
        match_id: the match.
        ranks: by seat, for every seat; empty if the match ends without a result.
        reason: why it ended, in brief.
        at: the current time.
        ending: what ended it if not the rules, one word.
        ended_by: the user who ended it this way.

    Raises:
        Finished: it has already ended.
        LookupError: no match with that number.
        ValueError: a seat has no rank, or a rank no seat.

    """
    tx.announce(ENDED, match_id)
    this = (matches.c.id == match_id) & matches.c.finished_at.is_(None)
    values = {"finished_at": at, "reason": reason, "ending": ending, "ended_by": ended_by}
    ended = await tx.run(update(matches).where(this).values(values))
    match = await _known(tx, match_id)
    if not ended:
        raise Finished(match)
    await tx.run(_FREE, {"match": match_id})
    await tx.run(_FORGET_CONDITIONAL, {"match": match_id})
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


async def _change_log(
    tx: Transaction, match_id: int, known: tuple[int, int, int], then: tuple[int, int]
) -> None:
    """Change the length of a log and the number of takebacks, if nothing has changed.

    ``known`` has the expected length, takebacks and seats given up.

    Raises:
        StalePly: they differ.
        Finished: the match is over.
        LookupError: no match with that number.
    """
    values = {"match": match_id, "known": known[0], "taken": known[1], "left": known[2]}
    if not await tx.run(_CHANGE_LOG, values | {"then": then[0], "taken_then": then[1]}):
        match = await _known(tx, match_id)
        raise Finished(match) if match.finished else StalePly(match)


async def _known(tx: Transaction, match_id: int) -> Match:
    match = await get(tx, match_id)
    if match is None:
        raise LookupError(f"no match {match_id}")
    return match
