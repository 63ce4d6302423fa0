"""Whom a player does not want to be challenged by. What is under way goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import BadOpponent
from bot.i18n.mentions import who
from data import answers, blocks, challenges, seeking
from data.challenges import State
from engine.phrase import say

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import Clock
    from data.challenges import Challenge
    from data.store import Store

MOST_BLOCKED = 500
"""So many people may one player block."""


class Blocks:
    """All blocks in the store."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def of(self, user_id: int) -> tuple[int, ...]:
        """Return whom somebody has blocked."""
        async with self._store.read() as tx:
            return await blocks.of(tx, user_id)

    async def add(self, user_id: int, other: int) -> tuple[Challenge, ...]:
        """Block somebody, and end what is open between the two.

        Returns:
            The challenges that were closed or left by it, as they stand now.

        Raises:
            BadOpponent: oneself, or more people than can be blocked.

        """
        if user_id == other:
            raise BadOpponent(say("You cannot block yourself. Choose somebody else."))
        now = self._clock()
        async with self._store.write() as tx:
            known = await blocks.of(tx, user_id)
            if other not in known and len(known) >= MOST_BLOCKED:
                raise BadOpponent(
                    say(
                        "You have blocked {number} people, more than that is not possible. "
                        "`/unblock` somebody first.",
                        number=len(known),
                    )
                )
            await blocks.add(tx, user_id, other, now)
            changed = []
            for one in await seeking.between(tx, user_id, other):
                asked = one.of(other if one.challenger_id == user_id else user_id)
                if asked is not None and not asked.named:
                    changed.append(await answers.leave(tx, one.id, asked.user_id))
                else:
                    changed.append(await challenges.close(tx, one.id, State.WITHDRAWN, now))
            return tuple(changed)

    async def remove(self, user_id: int, other: int) -> None:
        """Take challenges from somebody again.

        Raises:
            BadOpponent: they are not blocked.

        """
        async with self._store.write() as tx:
            if not await blocks.remove(tx, user_id, other):
                raise BadOpponent(say("You have not blocked {person}.", person=who(other)))
