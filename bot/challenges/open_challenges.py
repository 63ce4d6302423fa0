"""The open challenges of a server that a player could accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data import blocks, challenges

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.scheduling.wall_clock import WallClock
    from data.challenges import Challenge
    from data.store import Store


class OpenChallenges:
    """Finds open challenges."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Read a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def open_to(
        self, user_id: int, guild_id: int, sees: Callable[[int], bool], *, game: str | None = None
    ) -> tuple[Challenge, ...]:
        """Return the challenges that a player could accept, those that name them first.

        Args:
            user_id: the player.
            guild_id: the server.
            sees: returns whether this player can read a channel.
            game: one game; ``None`` for all.

        """
        now = self._clock()
        async with self._store.read() as tx:
            found = await challenges.open_in(tx, guild_id, None)
            blocked = {one for pair in await blocks.concerning(tx, user_id) for one in pair}
        fitting = [
            one
            for one in found
            if game in {None, one.game}
            and _takes(one, user_id)
            and not one.expired(now)
            and blocked.isdisjoint(i.user_id for i in one.invited if i.user_id != user_id)
            and sees(one.channel_id)
        ]
        return tuple(sorted(fitting, key=lambda one: one.of(user_id) is None))


def _takes(challenge: Challenge, user_id: int) -> bool:
    """Return whether a player who has not joined a challenge can do so."""
    if challenge.challenger_id <= 0:
        return False
    mine = challenge.of(user_id)
    if mine is None:
        return challenge.free > 0
    return mine.joined is None
