"""Finding matches: each with its players and its clock. `data.matches` changes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from data.clocks import Clock
from data.errors import StoreError
from data.schema import named
from data.tables import clocks, matches, players

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.transaction import Record, Transaction


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the board."""

    seat: int
    user_id: int
    salt: str
    rank: int | None = None
    """1 is the best, equal ranks are a tie; ``None`` until the match has a result."""


@dataclass(frozen=True, slots=True)
class Match:
    """One game between people. Its ``repr`` does not show the seed."""

    id: int
    game: str
    rules_version: int
    options: dict[str, str]
    guild_id: int | None
    """``None`` for direct messages."""
    channel_id: int
    seed: bytes = field(repr=False)
    commitment: str
    created_at: datetime
    finished_at: datetime | None
    reason: str | None
    """Why it ended, in a few words."""
    plies: int
    """How many entries its log has."""
    days: int | None = None
    """The time for each move in days; ``None`` where no clock runs."""
    place: str | None = None
    """What kind of place ``channel_id`` is; ``None`` for a channel like any other."""
    parent_id: int | None = None
    """The channel that the thread of this match belongs to."""
    takebacks: int = 0
    """How often a decision was taken back: an entry of the log may follow one of the same ply."""
    ending: str | None = None
    """What ended it where the rules did not, such as a resignation; one word."""
    ended_by: int | None = None
    """Whose doing that was."""
    casual: bool = False
    """Whether it is not rated."""
    hints: int = 0
    """How many hints were taken."""
    players: tuple[Player, ...] = ()
    """In the order of their seats."""
    clock: Clock | None = None
    """How long the player to move has; ``None`` where no clock runs."""

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return self.finished_at is not None

    @property
    def version(self) -> int:
        """Tells this state of the log from every other one that it ever had: it only grows.

        It is the number of entries while nothing was taken back. A decision that is taken back
        leaves one entry less and still one version more.
        """
        return self.plies + 2 * self.takebacks


class MatchError(StoreError):
    """A match cannot be changed like this; it is kept as it stands."""

    reason = ""

    def __init__(self, match: Match) -> None:
        super().__init__(self.reason)
        self.match = match


class StalePly(MatchError):
    """Another move was first: the log has grown since."""

    reason = "Another move was first: the board has changed since."


class Finished(MatchError):
    """The match has ended."""

    reason = "This match is over."


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log: a move of a seat, or a throw by chance."""

    ply: int
    """Counted from 1."""
    actor: int | None
    """The seat that moved, ``None`` for chance."""
    notation: str
    made_at: datetime


_CLOCK = tuple(column.label(f"clock_{column.name}") for column in clocks.c)
_GET = (
    select(matches, players.c.seat, players.c.user_id, players.c.salt, players.c.rank, *_CLOCK)
    .outerjoin(players, players.c.match_id == matches.c.id)
    .outerjoin(clocks, clocks.c.match_id == matches.c.id)
)
_GET_ONE = _GET.where(matches.c.id == bindparam("match")).order_by(players.c.seat)


async def get(tx: Transaction, match_id: int) -> Match | None:
    """Return a match, ``None`` where there is none of that number."""
    found = _read(await tx.rows(_GET_ONE, {"match": match_id}))
    return found[0] if found else None


async def of_player(
    tx: Transaction,
    user_id: int,
    *,
    guild_id: int | None = None,
    game: str | None = None,
    open_only: bool = True,
    limit: int = 25,
) -> tuple[Match, ...]:
    """Return the matches of a player, the newest first, in one server or everywhere."""
    return await _where(
        tx,
        user_id,
        matches.c.guild_id == guild_id if guild_id is not None else None,
        matches.c.game == game if game is not None else None,
        matches.c.finished_at.is_(None) if open_only else None,
        limit=limit,
    )


async def open_in_channel(
    tx: Transaction, channel_id: int, user_id: int | None = None, game: str | None = None
) -> tuple[Match, ...]:
    """Return the matches under way in a channel, the newest first; of one player or of all."""
    return await _where(
        tx,
        user_id,
        matches.c.channel_id == channel_id,
        matches.c.game == game if game is not None else None,
        matches.c.finished_at.is_(None),
    )


async def of_server(tx: Transaction, guild_id: int, *, limit: int) -> tuple[Match, ...]:
    """Return the matches of a server that are under way or have ended, the newest first."""
    return await _where(tx, None, matches.c.guild_id == guild_id, limit=limit)


async def _where(
    tx: Transaction, user_id: int | None, *wanted: Any, limit: int | None = None
) -> tuple[Match, ...]:
    chosen = select(matches.c.id).where(*(one for one in wanted if one is not None))
    if user_id is not None:
        mine = select(players.c.match_id).where(players.c.user_id == user_id)
        chosen = chosen.where(matches.c.id.in_(mine))
    chosen = chosen.order_by(matches.c.id.desc()).limit(limit)
    statement = _GET.where(matches.c.id.in_(chosen))
    return _read(await tx.rows(statement.order_by(matches.c.id.desc(), players.c.seat)))


def _read(rows: Iterable[Record]) -> tuple[Match, ...]:
    found: dict[int, tuple[Record, list[Player]]] = {}
    for row in rows:
        _, seated = found.setdefault(row.id, (row, []))
        if row.seat is not None:
            seated.append(Player(row.seat, row.user_id, row.salt, row.rank))
    return tuple(
        Match(**named(row, matches), players=tuple(seated), clock=_clock(row))
        for row, seated in found.values()
    )


def _clock(row: Record) -> Clock | None:
    # The columns of the clock are the last ones, in the order of its fields.
    found = row[-len(_CLOCK) :]
    return None if found[0] is None else Clock(*found)
