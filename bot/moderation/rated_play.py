"""Excluding players from rated play in a server, and readmitting them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.errors import BadInput
from bot.i18n.mentions import who
from bot.moderation.service import record
from data import challenges, excluded_players
from engine.phrase import say

if TYPE_CHECKING:
    from bot.moderation.service import Moderator
    from bot.scheduling.wall_clock import WallClock
    from data.audit import Line
    from data.challenges import Challenge
    from data.store import Store

NAMED: Final = 20
"""The number of excluded players that a list names."""


@dataclass(frozen=True, slots=True)
class ExcludedPlayers:
    """The players excluded from rated play in a server."""

    people: tuple[int, ...] = ()
    """The first of them, to name in a list."""
    more: int = 0
    """The number of others."""


class RatedPlay:
    """Decides who may play rated games. Callers check permissions."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Write decisions into a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def of_server(self, guild_id: int) -> ExcludedPlayers:
        """Return the players excluded from rated play in a server."""
        async with self._store.read() as tx:
            people = await excluded_players.of_server(tx, guild_id, most=NAMED)
            more = await excluded_players.count(tx, guild_id) - len(people)
        return ExcludedPlayers(people, more)

    async def check(self, guild_id: int, user_id: int, *, allowed: bool) -> None:
        """Check that a decision would change something.

        Raises:
            BadInput: the player is already excluded, or not excluded.

        """
        async with self._store.read() as tx:
            if bool(await excluded_players.filter_excluded(tx, guild_id, [user_id])) is not allowed:
                raise _nothing_new(user_id, allowed=allowed)

    async def decide(self, user_id: int, moderator: Moderator, *, allowed: bool) -> Line:
        """Exclude a player from rated play, or readmit them.

        Raises:
            BadInput: the player is already excluded, or not excluded.

        """
        guild_id, now = moderator.guild_id, self._clock()
        async with self._store.write() as tx:
            if allowed:
                changed = await excluded_players.readmit(tx, guild_id, user_id)
            else:
                changed = await excluded_players.exclude(
                    tx, guild_id, user_id, by=moderator.user_id, at=now
                )
            if not changed:
                raise _nothing_new(user_id, allowed=allowed)
            action = "admitted" if allowed else "barred"
            return await record(tx, moderator, action, now, player=user_id)

    async def concerned(self, guild_id: int, user_id: int | None = None) -> tuple[Challenge, ...]:
        """Return the open rated challenges, of one player or all, newest first."""
        async with self._store.read() as tx:
            found = await challenges.open_in(tx, guild_id)
        return tuple(
            one
            for one in reversed(found)
            if not one.casual and (user_id is None or one.of(user_id))
        )


def _nothing_new(user_id: int, *, allowed: bool) -> BadInput:
    player = who(user_id)
    if allowed:
        return BadInput(say("{player} can already play rated here.", player=player))
    return BadInput(say("{player} is already barred from rated play here.", player=player))
