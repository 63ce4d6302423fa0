"""How a feature declares a kind of post: where it goes, what it says now, what ends it, whom it pings.

Only `Pings.of` makes the value that `reply.send`, the transports and `only` take, so nothing that
is posted can notify a user without asking.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from bot.core.computers import is_person
from bot.core.interactions.layout import Layout, Pinged
from bot.core.posts.quiet_hours import quiet
from bot.core.requests.sending import Urgency
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from data.people import exclusions
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import Tongue

A_WEEK: Final = timedelta(days=7)
"""How long to try what nobody misses for longer."""
THREAD_MARKS: Final = range(-900_000_000, 0)
"""Messages that a thread is made from."""
OUTBOX_MARKS: Final = range(500_000_000)
"""Messages from the outbox, numbered by `data.matches.outbox`."""
POST_MARKS: Final = range(750_000_000, 1_100_000_000)
"""Messages from `bot.core.posts`."""
ALL_MARKS: Final = (THREAD_MARKS, OUTBOX_MARKS, POST_MARKS)
"""Numbers that find messages again, in the 32 bits of a component's id (`layout.FIRST_MARK`).

The ranges must not overlap, as several kinds are searched for in the same channels.
"""


@dataclass(frozen=True, slots=True)
class Content:
    """What a post says now, and where."""

    layout: Layout
    locale: Tongue
    channel_id: int | None = None
    """The channel; ``None`` for a direct message."""
    pings: tuple[int, ...] = ()
    """The users to notify when it is posted, if they want pings."""
    by: int | None = None
    """The player who caused it, see `Pings.of`."""
    message_id: int | None = None
    """The message to edit, if something else has posted it."""
    user_id: int | None = None
    """The recipient of a direct message, if it is not the post's own."""
    again: datetime | None = None
    """When it will say more by itself, so that it is edited then."""


class Later(Exception):
    """A post is not due before a certain time."""

    def __init__(self, at: datetime) -> None:
        """Keep the time."""
        super().__init__(at)
        self.at = at


class PostKind(ABC):
    """A kind of post. The poster calls it, one post at a time, and in no transaction."""

    kind: ClassVar[str]
    """Its name in the store."""
    urgency: ClassVar[Urgency] = Urgency.REMINDER
    """How much it matters: what fails with less of it delays nothing with more."""
    kept: ClassVar[bool] = True
    """Whether its message may change later, so that it is remembered once posted."""
    replaces: ClassVar[bool] = False
    """Whether a message that was deleted, or takes no more edits, is posted anew."""
    follows: ClassVar[Collection[str]] = ()
    """Kinds whose older posts about the same come before it, unless they take long."""
    renews: ClassVar[bool] = True
    """Whether one that takes no more edits is, too; else the edit waits."""
    tried_for: ClassVar[timedelta | None] = None
    """How long after it was asked for it is tried again; ``None``: until it works."""

    @abstractmethod
    async def content(self, post: Post) -> Content | None:
        """Return what it says now; ``None`` if there is nothing left to say, or it was done here.

        Raises:
            Later: it cannot be said yet.
            NoSuchMatch: what it is about is gone.
            FAILED, StoreError: unknown for now.

        """

    async def sent(self, post: Post, content: Content, message_id: int) -> None:  # noqa: B027
        """Called once its message is there, before this is recorded; perhaps more than once."""

    async def posted(self, tx: Transaction, post: Post, message_id: int) -> None:  # noqa: B027
        """Called in the transaction that records a new message."""

    async def left(self, tx: Transaction, post: Post) -> None:  # noqa: B027
        """Called in the transaction that leaves its message behind, as a new one takes its place."""

    async def ended(self, post: Post) -> None:  # noqa: B027
        """Called when its channel, ``post.channel_id``, is gone, or its recipient takes no messages.

        If this raises `Later`, it is tried again.
        """

    async def refused(self, post: Post, content: Content) -> None:  # noqa: B027
        """Called when the bot may not post it; it is tried again at least hourly."""


def kinds(base: type[PostKind] = PostKind) -> Iterator[type[PostKind]]:
    """Yield the kinds of posts that the bot declares."""
    for kind in base.__subclasses__():
        if "kind" in vars(kind) and kind.__module__.startswith("bot."):
            yield kind
        yield from kinds(kind)


@dataclass(eq=False, repr=False)
class Pings:
    """Knows which users want to be notified now."""

    store: Store
    settings: SettingsStore
    clock: WallClock

    async def of(self, users: Iterable[int], *, by: int | None = None) -> Pinged:
        """Return those of these users that a message may notify now.

        They are people who want pings and are outside their quiet hours. Users with a block between
        them and ``by``, the player who caused the message, are left out; ``None`` is for a match's
        own messages, such as a turn.
        """
        now = self.clock()
        found = []
        for user in users:
            if is_person(user):
                settings = await self.settings.player(user)
                if settings.pings and quiet(settings, now) is None:
                    found.append(user)
        if by is None or not found:
            return Pinged(tuple(found))
        async with self.store.read() as tx:
            apart = {one for pair in await exclusions.blocks_between(tx, by, found) for one in pair}
        return Pinged(tuple(user for user in found if user == by or user not in apart))
