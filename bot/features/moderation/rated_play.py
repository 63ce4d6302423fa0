"""Excluding players from rated play in a server, and readmitting them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.errors import BadInput, NotAllowed
from bot.core.i18n.mentions import mention
from bot.core.scheduling.wall_clock import WallClock
from bot.features.moderation.service import Moderator, record
from data.challenges import open_challenges
from data.people.audit import Line
from data.ratings import excluded_players
from data.store.store import Store, Transaction
from engine.phrase import say


@dataclass(eq=False, repr=False)
class RatedPlay:
    """Decides who may play rated games. Callers check permissions."""

    store: Store
    clock: WallClock

    async def check(self, guild_id: int, user_id: int, *, by: int, allowed: bool) -> None:
        """Check that a decision would change something.

        Raises:
            BadInput: the player is already excluded, or not excluded.
            NotAllowed: they would let themselves back in.

        """
        async with self.store.read() as tx:
            await _check_not_own(tx, guild_id, user_id, by)
            if bool(await excluded_players.filter_excluded(tx, guild_id, [user_id])) is not allowed:
                raise _nothing_new(user_id, allowed=allowed)

    async def decide(self, user_id: int, moderator: Moderator, *, allowed: bool) -> Line:
        """Exclude a player from rated play, or readmit them; their open challenges then say so.

        Raises:
            BadInput: the player is already excluded, or not excluded.
            NotAllowed: they would let themselves back in.

        """
        guild_id, now = moderator.guild_id, self.clock()
        async with self.store.write() as tx:
            await _check_not_own(tx, guild_id, user_id, moderator.user_id)
            await open_challenges.redraw_rated(tx, guild_id, now, user_id=user_id)
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


async def _check_not_own(tx: Transaction, guild_id: int, user_id: int, by: int) -> None:
    """Raise NotAllowed if a moderator would undo another's decision about themselves."""
    if user_id == by and await excluded_players.decided_by(tx, guild_id, user_id) not in {None, by}:
        raise NotAllowed(say("Another moderator barred you, so ask another to let you back in."))


def _nothing_new(user_id: int, *, allowed: bool) -> BadInput:
    player = mention(user_id)
    if allowed:
        return BadInput(say("{player} can already play rated here.", player=player))
    return BadInput(say("{player} is already barred from rated play here.", player=player))
