"""Links that show: made by who may share something, ended by them and by those who are in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import Refusal, TooMany
from bot.core.scheduling.scheduler import WallClock
from bot.features.web.service import hashed, new_secret
from data.people import share_links
from data.people.share_links import MAX_OF_PERSON, Kind, ShareLink
from data.store.store import Store
from engine.phrase import say

MAX_MADE: Final = 20
"""Links a user may make per hour."""


@dataclass(eq=False, repr=False)
class ShareLinks:
    """Makes, finds and ends links that show something to anybody who has them."""

    store: Store
    clock: WallClock

    async def make(
        self,
        user_id: int,
        kind: Kind,
        subject: int,
        ply: int | None,
        locale: str,
        *,
        people: Iterable[int],
    ) -> tuple[str, int]:
        """Return the secret of a new link, and its number.

        Raises TooMany for too many, and Refusal if one of the ``people`` who were in it when it was
        allowed has deleted their data since: that ends links, so none may follow from before.
        """
        now = self.clock()
        await hourly_limits.take(self.store, user_id, "share-link", now, MAX_MADE)
        secret = new_secret()
        new = ShareLink(0, user_id, hashed(secret), kind, subject, ply, locale, now)
        async with self.store.write() as tx:
            if not set(people) <= await share_links.lock_people(tx, user_id, kind, subject):
                raise Refusal(say("It has just changed, so I made no link. Try again."))
            made = await share_links.add(tx, new)
        if made is None:
            raise TooMany(
                say(
                    "You already have {number} links. End some of them first.", number=MAX_OF_PERSON
                )
            )
        return secret, made.id

    async def find(self, secret: str) -> ShareLink | None:
        """Return the link with a secret; ``None`` if it was ended, or never existed."""
        async with self.store.read() as tx:
            return await share_links.get(tx, hashed(secret))

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
            return await share_links.end(tx, user_id, kind, subject)

    async def end_one(self, user_id: int, link_id: int) -> int:
        """End a link that a user made; return how many there were."""
        async with self.store.write() as tx:
            return await share_links.end_one(tx, user_id, link_id)
