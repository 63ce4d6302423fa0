"""Links that show a finished match, its analysis, or a tournament's table to anybody who has them.

Only hashes of their secrets are stored, so what is read from the database opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from sqlalchemy import Column, ColumnElement, Index, and_, delete, func, or_, select

from data import locks
from data.matches.match import players
from data.sql.columns import Id, table
from data.sql.transaction import Transaction
from data.tournaments import tournament_entrants, tournaments
from data.tournaments.tournaments import entrants

Kind: TypeAlias = Literal["match", "analysis", "tournament"]
MAX_OF_PERSON: Final = 100
"""Links that a user may have."""


@dataclass(frozen=True, slots=True)
class ShareLink:
    """A link, which works until it is ended."""

    id: int
    user_id: int
    """Who made it."""
    secret_hash: str
    """SHA-256 of its secret, in hexadecimal digits."""
    kind: Kind
    subject: int
    """The number of the match or tournament."""
    ply: int | None
    """The turn of a match that it opens at; ``None`` for the last."""
    locale: str
    """The language of its maker, for readers who name none."""
    since: datetime


share_links = table(
    "share_links",
    Column("subject", Id, nullable=False),
    Index("ix_share_links_secret_hash", "secret_hash", unique=True),
    Index("ix_share_links_user_id", "user_id"),
    Index("ix_share_links_subject", "subject"),
    rows=ShareLink,
)
_l = share_links.c


async def add(tx: Transaction, new: ShareLink) -> ShareLink | None:
    """Add a link, with a generated number; ``None`` if its maker has too many."""
    await locks.lock_id(tx, new.user_id)
    count = await tx.scalar(select(func.count()).where(_l.user_id == new.user_id))
    if count is not None and count >= MAX_OF_PERSON:
        return None
    return replace(new, id=await tx.insert(share_links, new))


async def lock_people(tx: Transaction, user_id: int, kind: Kind, subject: int) -> frozenset[int]:
    """Return everyone in what a user's new link is to show.

    Until the transaction ends, neither they nor the user can delete their data.
    """
    await locks.lock_id(tx, user_id)
    if kind == "tournament":
        await tournaments.lock(tx, subject)
        return frozenset(one.user_id for one in await tournament_entrants.of(tx, subject))
    await locks.lock_match(tx, subject)
    seated = select(players.c.user_id).where(players.c.match_id == subject)
    return frozenset(await tx.scalars(seated))


async def get(tx: Transaction, secret_hash: str) -> ShareLink | None:
    """Return the link with a secret; ``None`` if it was ended, or never existed."""
    return await tx.record(ShareLink, select(share_links).where(_l.secret_hash == secret_hash))


async def of_user(tx: Transaction, user_id: int) -> tuple[ShareLink, ...]:
    """Return the links that a user made, newest first."""
    mine = select(share_links).where(_l.user_id == user_id)
    return await tx.records(ShareLink, mine.order_by(_l.id.desc()))


async def in_hand(tx: Transaction, user_id: int, kind: Kind, subject: int) -> tuple[ShareLink, ...]:
    """Return the links to something that a user may end, newest first.

    Those are their own, and all of them if they are in it. An analysis is one of its match.
    """
    found = select(share_links).where(_in_hand(user_id, kind, subject))
    return await tx.records(ShareLink, found.order_by(_l.id.desc()))


async def end(tx: Transaction, user_id: int, kind: Kind, subject: int) -> int:
    """End the links to something that a user may end; return how many there were."""
    return await tx.run(delete(share_links).where(_in_hand(user_id, kind, subject)))


async def end_one(tx: Transaction, user_id: int, link_id: int) -> int:
    """End a link that a user made; return how many there were."""
    return await tx.run(delete(share_links).where(_l.id == link_id, _l.user_id == user_id))


async def end_of_player(tx: Transaction, user_id: int) -> int:
    """End all links that a user made, or that show matches and tournaments they are in."""
    return await tx.run(delete(share_links).where(or_(_l.user_id == user_id, _shows(user_id))))


def _in_hand(user_id: int, kind: Kind, subject: int) -> ColumnElement[bool]:
    alike = _l.kind == "tournament" if kind == "tournament" else _l.kind != "tournament"
    return and_(alike, _l.subject == subject, or_(_l.user_id == user_id, _shows(user_id)))


def _shows(user_id: int) -> ColumnElement[bool]:
    """Return whether a link shows a match or tournament that a user is in."""
    played = select(players.c.match_id).where(players.c.user_id == user_id)
    entered = select(entrants.c.tournament_id).where(entrants.c.user_id == user_id)
    return or_(
        and_(_l.kind != "tournament", _l.subject.in_(played)),
        and_(_l.kind == "tournament", _l.subject.in_(entered)),
    )
