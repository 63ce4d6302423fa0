"""Matches and their players. Their moves are in `data.matches.match_log`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam, case, delete, func, select, text, update

from data import posts
from data.challenges import challenges
from data.matches import offers
from data.matches.conditional_moves import conditional_moves
from data.matches.match import (
    CHANNEL,
    THREAD,
    Finished,
    Match,
    MatchClock,
    Player,
    clocks,
    matches,
    moves,
    players,
)
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction

_CLOCK = tuple(column.label(f"clock_{column.name}") for column in clocks.c)
_SEAT = tuple(players.c[one.name].label(f"player_{one.name}") for one in fields(Player))
_COLUMNS = tuple(matches.c.keys())
_SEATED = slice(len(_COLUMNS), len(_COLUMNS) + len(_SEAT))
_SEAT_NUMBER = [one.name for one in fields(Player)].index("seat")
_GET = (
    select(matches, *_SEAT, *_CLOCK)
    .outerjoin(players, players.c.match_id == matches.c.id)
    .outerjoin(clocks, clocks.c.match_id == matches.c.id)
)
_LAST_NUMBER: Final = {
    "sqlite": text("SELECT seq FROM sqlite_sequence WHERE name = 'matches'"),
    "postgresql": text("SELECT pg_sequence_last_value(pg_get_serial_sequence('matches', 'id'))"),
}
_GET_ONE = Prepared(_GET.where(matches.c.id == bindparam("match")).order_by(players.c.seat))


_OFFERED: Final = (
    select(func.sum(10 * offers.offers.c.id + func.length(offers.offers.c.agreed)))
    .where(offers.offers.c.match_id == matches.c.id, offers.offers.c.state == "open")
    .scalar_subquery()
)
_AGAIN: Final = (
    select(func.sum(10 * challenges.challenges.c.id + 1))
    .join(challenges.invited, challenges.invited.c.challenge_id == challenges.challenges.c.id)
    .where(
        challenges.asks_again(
            matches.c.id, func.coalesce(matches.c.parent_id, matches.c.channel_id)
        ),
        challenges.invited.c.joined >= 0,
    )
    .scalar_subquery()
)
_STAMPS: Final = select(
    matches.c.id,
    matches.c.plies,
    matches.c.takebacks,
    matches.c.given_up,
    matches.c.finished_at,
    _OFFERED,
    case((matches.c.finished_at.is_not(None), _AGAIN)),
)
_UNDER_WAY: Final = (
    select(
        players.c.user_id,
        players.c.match_id,
        case((matches.c.to_move == players.c.seat, matches.c.plies)),
    )
    .join(matches, matches.c.id == players.c.match_id)
    # Those with a result are most: the index leaves them out.
    .where(players.c.result_id.is_(None), players.c.gave_up.is_(None))
    .where(matches.c.finished_at.is_(None))
)


async def get(tx: Transaction, match_id: int) -> Match | None:
    """Return a match, ``None`` if it does not exist."""
    rows = _read(await tx.rows(_GET_ONE, {"match": match_id}))
    return rows[0] if rows else None


class Stamp(NamedTuple):
    """Differs after whatever changes what a board shows."""

    id: int
    plies: int
    takebacks: int
    given_up: int
    finished_at: datetime | None
    offered: int | None
    """Differs with the open offers, and with who has agreed to them."""
    again: int | None
    """Differs with who wants a rematch."""


async def stamps(tx: Transaction, match_ids: Collection[int]) -> tuple[Stamp, ...]:
    """Return the stamps of some matches."""
    return await tx.records(Stamp, _STAMPS.where(matches.c.id.in_(match_ids)))


class UnderWay(NamedTuple):
    """A match that a user plays."""

    user_id: int
    match_id: int
    waits: int | None
    """Its length if it waits for this user's move."""


async def under_way(tx: Transaction, users: Collection[int]) -> tuple[UnderWay, ...]:
    """Return the matches that some users play."""
    return await tx.records(UnderWay, _UNDER_WAY.where(players.c.user_id.in_(users)))


async def of_player(
    tx: Transaction,
    user_id: int,
    *,
    guild_id: int | None = None,
    game: str | None = None,
    open_only: bool = True,
    limit: int = 25,
) -> tuple[Match, ...]:
    """Return a player's matches, newest first, in one server or everywhere.

    ``open_only`` omits finished matches and those whose seat the player has given up.
    """
    mine, wanted = select(players.c.match_id).where(players.c.user_id == user_id), list[Any]()
    if open_only:
        mine = mine.where(players.c.gave_up.is_(None))
        wanted.append(matches.c.finished_at.is_(None))
    if guild_id is not None:
        wanted.append(matches.c.guild_id == guild_id)
    if game is not None:
        wanted.append(matches.c.game == game)
    return await _where(tx, *wanted, matches.c.id.in_(mine), limit=limit)


class OpenMatch(NamedTuple):
    """What it takes to put a player's open matches in order."""

    id: int
    waits: bool
    """Whether this player is to move."""
    due_at: datetime | None
    """The deadline, no matter whose turn it is; ``None`` without a running clock."""


async def open_of_player(
    tx: Transaction, user_id: int, *, game: str | None, limit: int
) -> tuple[OpenMatch, ...]:
    """Return a player's open matches, newest first, except those whose seat they have given up."""
    mine = (players.c.match_id == matches.c.id) & (players.c.user_id == user_id)
    waits = func.coalesce(players.c.seat == matches.c.to_move, sa.false())
    statement = (
        select(matches.c.id, waits, clocks.c.due_at)
        .join(players, mine & players.c.gave_up.is_(None))
        .outerjoin(clocks, clocks.c.match_id == matches.c.id)
        .where(matches.c.finished_at.is_(None))
        .order_by(matches.c.id.desc())
        .limit(limit)
    )
    statement = statement if game is None else statement.where(matches.c.game == game)
    return await tx.records(OpenMatch, statement)


async def open_in(tx: Transaction, guild_id: int, *, limit: int) -> tuple[int, ...]:
    """Return the oldest open matches of a server."""
    here = (matches.c.guild_id == guild_id) & matches.c.finished_at.is_(None)
    return await tx.scalars(select(matches.c.id).where(here).order_by(matches.c.id).limit(limit))


async def open_against(
    tx: Transaction, users: Collection[int], *, user_id: int | None, guild_id: int | None
) -> tuple[int, ...]:
    """Return the open matches that any of some users play against a user, or in a server."""
    seats = players.alias()
    mine = select(seats.c.match_id).where(seats.c.user_id.in_(users), seats.c.gave_up.is_(None))
    found = select(matches.c.id).where(matches.c.finished_at.is_(None), matches.c.id.in_(mine))
    if user_id is not None:
        other = (players.c.match_id == matches.c.id) & (players.c.user_id == user_id)
        found = found.join(players, other & players.c.gave_up.is_(None))
    if guild_id is not None:
        found = found.where(matches.c.guild_id == guild_id)
    return await tx.scalars(found.order_by(matches.c.id))


async def of_numbers(tx: Transaction, numbers: Collection[int]) -> dict[int, Match]:
    """Return matches by number; those that do not exist are omitted."""
    return {one.id: one for one in await _where(tx, matches.c.id.in_(numbers))}


async def in_thread(tx: Transaction, channel_id: int) -> Match | None:
    """Return the match that a thread belongs to, ongoing or finished."""
    here = (matches.c.channel_id == channel_id) & matches.c.parent_id.is_not(None)
    return next(iter(await _where(tx, here, limit=1)), None)


async def running_in(
    tx: Transaction, channel_id: int, *, guild_id: int | None, limit: int
) -> tuple[Match, ...]:
    """Return the newest ongoing matches that are played in a channel or thread.

    With its server, they include those in threads that belong to matches of the channel.
    """
    here = matches.c.channel_id == channel_id
    if guild_id is not None:  # threads have no index of their own
        here |= (matches.c.guild_id == guild_id) & (matches.c.parent_id == channel_id)
    return await _where(tx, here, matches.c.finished_at.is_(None), limit=limit)


async def of_server(tx: Transaction, guild_id: int, *, limit: int) -> tuple[Match, ...]:
    """Return a server's matches, ongoing and finished, newest first."""
    return await _where(tx, matches.c.guild_id == guild_id, limit=limit)


async def _where(
    tx: Transaction, *wanted: sa.ColumnElement[bool], limit: int | None = None
) -> tuple[Match, ...]:
    chosen = select(matches.c.id).where(*wanted).order_by(matches.c.id.desc()).limit(limit)
    statement = _GET.where(matches.c.id.in_(chosen))
    return _read(await tx.rows(statement.order_by(matches.c.id.desc(), players.c.seat)))


def _read(rows: Iterable[Sequence[Any]]) -> tuple[Match, ...]:
    found: dict[int, tuple[Sequence[Any], list[Player]]] = {}
    for row in rows:
        _, seated = found.setdefault(row[0], (row, []))
        player = row[_SEATED]
        if player[_SEAT_NUMBER] is not None:
            seated.append(Player(*player))
    return tuple(
        Match(**dict(zip(_COLUMNS, row, strict=False)), players=tuple(seated), clock=_clock(row))
        for row, seated in found.values()
    )


def _clock(row: Sequence[Any]) -> MatchClock | None:
    # The clock's columns come last; they are in the order of its fields, as are a player's.
    found = row[-len(_CLOCK) :]
    return None if found[0] is None else MatchClock(*found)


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


async def last_number(tx: Transaction) -> int:
    """Return the highest number that a match ever had, or that was skipped; 0 if there is none."""
    return await tx.scalar(_LAST_NUMBER[tx.dialect]) or 0


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


async def set_channel(
    tx: Transaction, match_id: int, *, kind: str, channel_id: int, parent_id: int | None
) -> None:
    """Set where a match is played: the channel or thread, and its parent."""
    values = {"channel_kind": kind, "channel_id": channel_id, "parent_id": parent_id}
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
    if match.channel_kind in {THREAD, None}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)
        await show_thread_name(tx, match, at)


async def show_turning_point(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the message that tells the result tell the turning point, too."""
    if match.channel_kind in {THREAD, CHANNEL}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)


async def show_thread_name(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the thread of a match named anew."""
    await posts.want(tx, THREAD_NAME, match.id, at=at, guild_id=match.guild_id)
