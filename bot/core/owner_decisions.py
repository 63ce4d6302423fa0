"""What the bot's owner has decided for all of it: who is blocked, what is announced, what its status says.

It is kept in memory, as every press asks for it. Commits of any process refresh it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self, TypeAlias

from bot.core.background import Background
from bot.core.errors import NotAllowed
from bot.core.i18n.mentions import slash, timestamp
from bot.core.scheduling.scheduler import WallClock
from data.people import owner_orders
from data.people.owner_orders import BotBlock
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from engine.phrase import lines, say

ShowPresence: TypeAlias = Callable[[str], Awaitable[None]]
"""Shows a text in the bot's status, or none for an empty one."""

_ANNOUNCEMENT: Final = "announcement"
_PRESENCE: Final = "presence"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence on boards and at ``/play``, until a certain time."""

    text: str
    """As typed; if empty, a sentence about maintenance in each reader's language."""
    until: datetime

    def line(self) -> str:
        """Return the line that boards show."""
        until = timestamp(self.until)
        if self.text:
            return say("-# {announcement} (until {moment})", announcement=self.text, moment=until)
        return say(
            "-# Maintenance until {moment}: I may be away for a while. Your games are safe.",
            moment=until,
        )

    @classmethod
    def read(cls, stored: str | None) -> Self | None:
        """Return what `put_announcement` has stored."""
        if stored is None:
            return None
        text, until = json.loads(stored)
        return cls(text, datetime.fromisoformat(until))


async def put_announcement(tx: Transaction, new: Announcement | None) -> None:
    """Announce something, or nothing any more; give an order in the same transaction."""
    if new is None:
        await key_values.remove(tx, _ANNOUNCEMENT)
    else:
        await key_values.set(tx, _ANNOUNCEMENT, json.dumps([new.text, new.until.isoformat()]))


async def put_presence(tx: Transaction, text: str) -> None:
    """Change the text in the bot's status, empty for none; give an order in the same transaction."""
    await key_values.set(tx, _PRESENCE, text)


@dataclass(eq=False, repr=False)
class OwnerDecisions:
    """The decisions in force."""

    store: Store
    clock: WallClock
    show_presence: ShowPresence
    presence: str = field(default="", init=False)
    """The text in the bot's status; empty for none."""
    work: Background = field(init=False)
    _blocks: dict[int, BotBlock] = field(default_factory=dict, init=False)
    _announcement: Announcement | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Listen to what changes them, in this process or another."""
        self.work = Background("owner-decisions", self.load, (StoreError,))
        self.store.listen(owner_orders.CHANGED, self.work.wake)
        self.store.listen_missed(self.work.wake)

    async def load(self) -> None:
        """Read them all: there are few. Raises StoreError."""
        async with self.store.read() as tx:
            blocks = await owner_orders.all_blocks(tx)
            announcement = Announcement.read(await key_values.get(tx, _ANNOUNCEMENT))
            presence = await key_values.get(tx, _PRESENCE) or ""
        self._blocks = {one.blocked_id: one for one in blocks}
        self._announcement = announcement
        changed, self.presence = presence != self.presence, presence
        if changed:
            await self.show_presence(presence)

    @property
    def announcement(self) -> str:
        """The line to show on boards and at ``/play``; empty if nothing is announced now."""
        found = self._announcement
        return "" if found is None or found.until <= self.clock() else found.line()

    def is_blocked(self, blocked_id: int) -> bool:
        """Return whether a user or a server is blocked."""
        return blocked_id in self._blocks

    def refusal(self, user_id: int, guild_id: int | None) -> NotAllowed | None:
        """Return what to tell a user who uses the bot, if they or their server are blocked."""
        if (found := self._blocks.get(user_id)) is not None:
            words = say(
                "The bot's owner has blocked you, so you can't play here any more. {export} and "
                "{delete} still work.",
                export=slash("privacy", "export"),
                delete=slash("privacy", "delete"),
            )
        elif (found := self._blocks.get(guild_id or 0)) is not None:
            words = say("The bot's owner has blocked this server, so there are no games here.")
        else:
            return None
        reason = [say("Reason: {reason}", reason=found.reason)] if found.reason else []
        return NotAllowed(lines([words, *reason]))
