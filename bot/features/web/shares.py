"""Links that show: made by who may share something, ended by them and by those who are in it."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import TooMany
from bot.core.owner_decisions import OwnerDecisions
from bot.core.scheduling.scheduler import WallClock
from data.people import share_links
from data.people.share_links import MAX_OF_PERSON, Kind, ShareLink
from data.store.store import Store
from engine.phrase import say

MAX_MADE: Final = 20
"""Links a user may make per hour."""
_BITS: Final = 128
_SECRET: Final = re.compile(r"[\w-]{22}", re.ASCII)


@dataclass(eq=False, repr=False)
class ShareLinks:
    """Makes, finds and ends links that show something to anybody who has them."""

    store: Store
    clock: WallClock
    owner: OwnerDecisions

    async def make(
        self, user_id: int, kind: Kind, subject: int, ply: int | None, locale: str
    ) -> tuple[str, int]:
        """Return the secret of a new link, and its number; raise TooMany for too many."""
        now = self.clock()
        await hourly_limits.take(self.store, user_id, "share-link", now, MAX_MADE)
        secret = secrets.token_urlsafe(_BITS // 8)
        new = ShareLink(0, user_id, _hash(secret), kind, subject, ply, locale, now)
        async with self.store.write() as tx:
            made = await share_links.add(tx, new)
        if made is None:
            raise TooMany(
                say(
                    "You already have {number} links. End some of them first.", number=MAX_OF_PERSON
                )
            )
        return secret, made.id

    async def find(self, secret: str) -> ShareLink | None:
        """Return the link with a secret; ``None`` if it was ended, or its maker is blocked."""
        if not _SECRET.fullmatch(secret):
            return None
        async with self.store.read() as tx:
            found = await share_links.get(tx, _hash(secret))
        if found is None or self.owner.refusal(found.user_id, None) is not None:
            return None
        return found

    async def of_user(self, user_id: int) -> Sequence[ShareLink]:
        """Return the links that a user made, newest first."""
        async with self.store.read() as tx:
            return await share_links.of_user(tx, user_id)

    async def in_hand(self, user_id: int, kind: Kind, subject: int) -> Sequence[ShareLink]:
        """Return the links to something that a user may end, newest first."""
        async with self.store.read() as tx:
            return await share_links.in_hand(tx, user_id, kind, subject)

    async def end(self, user_id: int, kind: Kind, subject: int) -> int:
        """End all links to something that a user may end; return how many."""
        async with self.store.write() as tx:
            found = await share_links.in_hand(tx, user_id, kind, subject)
            return await share_links.end(tx, *(one.id for one in found))

    async def end_one(self, user_id: int, link_id: int) -> int:
        """End a link that a user made; return how many there were."""
        async with self.store.write() as tx:
            own = [one.id for one in await share_links.of_user(tx, user_id) if one.id == link_id]
            return await share_links.end(tx, *own)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
