"""Who may use the page in the browser: links that open it once, and the sessions they become.

Only hashes of their secrets are stored, so what is read from the database opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Index, delete, func, select, update

from data import locks
from data.sql.columns import table
from data.sql.transaction import Transaction

ENDED: Final = "web_session"
"""Announced with the user whose sessions were ended."""
MAX_OF_PERSON: Final = 20
"""Sessions and unused links a user may have; one more ends the one that would end first."""


@dataclass(frozen=True, slots=True)
class WebSession:
    """A link that was not used yet, or the session that it has become."""

    id: int
    user_id: int
    secret_hash: str
    """SHA-256 of the link's secret, then of the session's, in hexadecimal digits."""
    opened: bool
    """Whether it is a session."""
    match_id: int | None
    """The match that the link leads to."""
    locale: str
    """The user's language according to Discord."""
    device: str
    """The browser and system, as it names them; empty for a link."""
    since: datetime
    expires_at: datetime


sessions = table(
    "web_sessions",
    Index("ix_web_sessions_secret_hash", "secret_hash", unique=True),
    Index("ix_web_sessions_user_id", "user_id"),
    Index("ix_web_sessions_expires_at", "expires_at"),
    rows=WebSession,
)
_s = sessions.c


async def add(tx: Transaction, new: WebSession) -> WebSession:
    """Add a link or a session, with a generated number; too many replace those that end first.

    So neither links nor short sessions end the long ones.
    """
    await locks.lock_id(tx, new.user_id)
    mine = select(_s.id).where(_s.user_id == new.user_id)
    lasting = mine.order_by(_s.expires_at.desc(), _s.id.desc())
    if first := await tx.scalars(lasting.offset(MAX_OF_PERSON - 1)):
        await tx.run(delete(sessions).where(_s.id.in_(first)))
        tx.announce(ENDED, new.user_id)
    tx.announce_due(new.expires_at)
    return replace(new, id=await tx.insert(sessions, new))


async def open_link(
    tx: Transaction,
    link_hash: str,
    session_hash: str,
    *,
    device: str,
    now: datetime,
    until: datetime,
) -> WebSession | None:
    """Turn a link into a session; ``None`` if it was used before, has expired or never existed.

    Of two who use it at once, one gets the session.
    """
    changed = {
        "secret_hash": session_hash,
        "opened": True,
        "device": device,
        "since": now,
        "expires_at": until,
    }
    unused = (_s.secret_hash == link_hash) & _unused(now)
    if not await tx.run(update(sessions).where(unused).values(changed)):
        return None
    return await get(tx, session_hash, now)


async def last_link(tx: Transaction, user_id: int, now: datetime) -> WebSession | None:
    """Return a user's newest link that is neither used nor expired."""
    unused = (_s.user_id == user_id) & _unused(now)
    return await tx.record(
        WebSession, select(sessions).where(unused).order_by(_s.id.desc()).limit(1)
    )


async def is_link(tx: Transaction, link_hash: str, now: datetime) -> bool:
    """Return whether a link can still be used."""
    unused = (_s.secret_hash == link_hash) & _unused(now)
    return await tx.scalar(select(_s.id).where(unused)) is not None


def _unused(now: datetime) -> ColumnElement[bool]:
    return ~_s.opened & (_s.expires_at > now)


async def get(tx: Transaction, session_hash: str, now: datetime) -> WebSession | None:
    """Return the session with a secret; ``None`` if it has ended."""
    valid = (_s.secret_hash == session_hash) & _s.opened & (_s.expires_at > now)
    return await tx.record(WebSession, select(sessions).where(valid))


async def of_user(tx: Transaction, user_id: int, now: datetime) -> tuple[WebSession, ...]:
    """Return a user's sessions, newest first."""
    mine = (_s.user_id == user_id) & _s.opened & (_s.expires_at > now)
    return await tx.records(WebSession, select(sessions).where(mine).order_by(_s.id.desc()))


async def end(tx: Transaction, user_id: int, session_id: int | None = None) -> int:
    """End one of a user's sessions, or all with their unused links; return how many."""
    mine = _s.user_id == user_id
    these = mine if session_id is None else mine & (_s.id == session_id)
    tx.announce(ENDED, user_id)
    return await tx.run(delete(sessions).where(these))


async def end_secret(tx: Transaction, session_hash: str) -> None:
    """End the session with a secret, if there is one."""
    found = await tx.record(WebSession, select(sessions).where(_s.secret_hash == session_hash))
    if found is not None and found.opened:
        await end(tx, found.user_id, found.id)


async def first_end(tx: Transaction) -> datetime | None:
    """Return when the first link or session expires, if there is one."""
    return await tx.scalar(select(func.min(_s.expires_at)))


async def forget(tx: Transaction, now: datetime) -> int:
    """Delete what has expired; return its number."""
    return await tx.run(delete(sessions).where(_s.expires_at <= now))
