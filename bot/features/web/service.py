"""Who may use the page: one-time links from Discord, and the sessions that they become."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache, TTLCache

from bot.core import hourly_limits
from bot.core.errors import NotAllowed
from bot.core.owner_decisions import OwnerDecisions
from bot.core.scheduling.scheduler import WallClock
from bot.core.shards.ownership import Shards
from data.people import web_sessions
from data.people.web_sessions import WebSession
from data.store.store import Store, Transaction
from engine.phrase import say

LINK_VALID: Final = timedelta(minutes=10)
SESSION_VALID: Final = timedelta(days=30)
ACTIVITY_VALID: Final = timedelta(hours=12)
"""How long a session in Discord lasts: each opening makes a new one."""
MAX_LINKS: Final = 60
"""Links a user may ask for per hour, and as many sessions in Discord."""
_BITS: Final = 128
_KNOWN: Final = timedelta(seconds=30)
"""How long a session is believed in without a look at the store: until another process ends it."""
_MAX_KNOWN: Final = 10_000
_MAX_DEVICE: Final = 250
"""Characters kept of what a browser says of itself."""
_EVERY: Final = timedelta(minutes=1)


@dataclass(eq=False, repr=False)
class WebAccess:
    """Links to the page, and its sessions; a source of the scheduler, which deletes expired ones."""

    store: Store
    clock: WallClock
    owner: OwnerDecisions
    shards: Shards
    _known: TTLCache[str, WebSession, datetime] = field(init=False)
    _last: LRUCache[str, WebSession] = field(
        default_factory=lambda: LRUCache(_MAX_KNOWN), init=False
    )
    """Sessions as they were last read, however long ago that is."""
    _endings: int = field(default=0, init=False)
    """How many endings were announced: what was read before one may have ended."""

    def __post_init__(self) -> None:
        """Listen to ended sessions."""
        self._known = TTLCache(_MAX_KNOWN, _KNOWN, self.clock)
        self.store.listen(web_sessions.ENDED, self._forget)
        self.store.listen_missed(self._doubt)

    async def link(self, user_id: int, *, match_id: int | None, locale: str) -> str:
        """Return a secret that opens the page once, for this user; raise TooMany for too many."""
        now = self.clock()
        await hourly_limits.take(self.store, user_id, "web", now, MAX_LINKS)
        secret = new_secret()
        new = WebSession(
            0,
            user_id,
            hashed(secret),
            opened=False,
            match_id=match_id,
            locale=locale,
            device="",
            since=now,
            expires_at=now + LINK_VALID,
        )
        async with self.store.write() as tx:
            await web_sessions.add(tx, new)
        return secret

    async def open(
        self, link: str, *, device: str, replaces: str | None = None
    ) -> tuple[str, WebSession]:
        """Return the secret of a new session, and the session; raise NotAllowed for a link that is no good.

        It ends the session that it ``replaces`` in a browser, given by its secret.
        """
        now, secret = self.clock(), new_secret()
        opened = None
        async with self.store.read() as tx:
            good = await web_sessions.is_link(tx, hashed(link), now)
        if good:  # who guesses must not make those wait who write
            async with self.store.write() as tx:
                opened = await web_sessions.open_link(
                    tx,
                    hashed(link),
                    hashed(secret),
                    device=device[:_MAX_DEVICE],
                    now=now,
                    until=now + SESSION_VALID,
                )
                if opened is not None:
                    tx.announce_due(opened.expires_at)
                    if replaces is not None:
                        await web_sessions.end_secret(tx, hashed(replaces))
        if opened is None:
            raise NotAllowed(
                say(
                    "This link has been used, or is older than ten minutes. Press **Open the board** "
                    "in Discord again for a new one."
                )
            )
        self._check(opened)
        return secret, opened

    async def enter(self, user_id: int, *, locale: str, device: str) -> tuple[str, WebSession]:
        """Return the secret of a new session of a user's in Discord, and the session.

        It leads where the user's newest link does, if that has not expired: so the page learns what they
        wanted to open. Raises TooMany for too many sessions, NotAllowed for the blocked.
        """
        now, secret = self.clock(), new_secret()
        await hourly_limits.take(self.store, user_id, "activity", now, MAX_LINKS)
        async with self.store.write() as tx:
            link = await web_sessions.last_link(tx, user_id, now)
            new = WebSession(
                0,
                user_id,
                hashed(secret),
                opened=True,
                match_id=None if link is None else link.match_id,
                locale=locale,
                device=device[:_MAX_DEVICE],
                since=now,
                expires_at=now + ACTIVITY_VALID,
            )
            self._check(new)
            new = await web_sessions.add(tx, new)
        return secret, new

    def last_known(self, secret: str) -> WebSession | None:
        """Return the session with this secret without a look at the store: it may have ended since."""
        found = self._last.get(hashed(secret))
        return found if found is not None and found.expires_at > self.clock() else None

    async def session(self, secret: str) -> WebSession | None:
        """Return the session with this secret; ``None`` if it has ended. Raises NotAllowed for the blocked."""
        key = hashed(secret)
        found = self._known.get(key)
        if found is None:
            endings = self._endings
            async with self.store.read() as tx:
                found = await web_sessions.get(tx, key, self.clock())
            if found is None:
                self._last.pop(key, None)
                return None
            if endings == self._endings:
                self._known[key] = self._last[key] = found
        self._check(found)
        return found if found.expires_at > self.clock() else None

    async def of_user(self, user_id: int) -> tuple[WebSession, ...]:
        """Return a user's sessions, newest first."""
        async with self.store.read() as tx:
            return await web_sessions.of_user(tx, user_id, self.clock())

    async def end(self, user_id: int, session_id: int | None = None) -> int:
        """End one of a user's sessions, or all; return how many."""
        async with self.store.write() as tx:
            ended = await web_sessions.end(tx, user_id, session_id)
        self._forget(user_id)
        return ended

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next link or session expires."""
        return await web_sessions.first_end(tx) if self.shards.owns(None) else None

    async def due(self, now: datetime, /) -> timedelta:
        """Delete everything expired."""
        async with self.store.write() as tx:
            await web_sessions.forget(tx, now)
        return _EVERY

    def _check(self, session: WebSession) -> None:
        refusal = self.owner.refusal(session.user_id, None)
        if refusal is not None:
            raise refusal

    def _forget(self, user_id: int) -> None:
        self._endings += 1
        for kept in (self._known, self._last):
            for key in [one for one, known in kept.items() if known.user_id == user_id]:
                kept.pop(key, None)

    def _doubt(self) -> None:
        """Believe in no session before another look: an ending may have gone unheard."""
        self._endings += 1
        self._known.clear()


def new_secret() -> str:
    """Return a secret that nobody guesses."""
    return secrets.token_urlsafe(_BITS // 8)


def hashed(secret: str) -> str:
    """Return what is stored of a secret: SHA-256, in hexadecimal digits."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
