"""A player's block list, and what blocking somebody does to open challenges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.core.errors import BadOpponent
from bot.core.i18n.mentions import mention
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import jobs
from bot.play.matches.computer_players import can_continue, playing
from data.challenges import challenges
from data.challenges.challenges import State
from data.matches import matches
from data.people import exclusions
from data.store.store import Store
from engine.phrase import say

MAX_BLOCKED: Final = 500
"""Maximum blocked people per player."""
_MAX_MATCHES: Final = 1000


@dataclass(eq=False, repr=False)
class Blocks:
    """The block lists in a store.

    Ongoing matches of two are unaffected. In one of three or four that can continue without the
    blocker, a computer takes the blocker's seat.
    """

    store: Store
    clock: WallClock

    async def of(self, user_id: int) -> tuple[int, ...]:
        """Return the people that a player has blocked."""
        async with self.store.read() as tx:
            return await exclusions.blocked_by(tx, user_id)

    async def shared_matches(self, user_id: int, other: int) -> dict[int, str | None]:
        """Return the open matches of three or four that a player shares with another, with links.

        Only those that can continue without the player.
        """
        async with self.store.read() as tx:
            mine = await matches.of_player(tx, user_id, limit=_MAX_MATCHES)
            shared = [
                match
                for match in mine
                if can_continue(match) and other in {player.user_id for player in playing(match)}
            ]
            return await jobs.board_links(tx, shared)

    async def add(self, user_id: int, other: int) -> None:
        """Block a person, which closes or leaves open challenges.

        It does only what the player could do by hand: it withdraws their own challenges to the
        person, and leaves challenges both have joined. The person's challenges stay open until they
        expire, like any that go unanswered. Raises BadOpponent if the list is full.
        """
        if user_id == other:
            raise BadOpponent(say("You can't block yourself. Pick someone else."))
        now = self.clock()
        async with self.store.write() as tx:
            known = await exclusions.blocked_by(tx, user_id)
            if other not in known and len(known) >= MAX_BLOCKED:
                raise BadOpponent(
                    say(
                        "You've blocked {number} people, and that's the limit. `/unblock` someone "
                        "first.",
                        number=len(known),
                    )
                )
            await exclusions.block(tx, user_id, other, now)
            for one in await challenges.lock_with(tx, user_id, other):
                both = [asked for asked in one.invited if asked.user_id in {user_id, other}]
                if one.challenger_id == user_id:
                    await challenges.close(tx, one.id, State.WITHDRAWN, now)
                elif all(asked.joined is not None for asked in both):
                    await challenges.leave(tx, one, user_id)
                else:
                    continue
                await challenges.show(tx, one, now)

    async def remove(self, user_id: int, other: int) -> None:
        """Unblock a person; raise BadOpponent if they are not blocked."""
        async with self.store.write() as tx:
            if not await exclusions.unblock(tx, user_id, other):
                raise BadOpponent(say("{person} isn't blocked.", person=mention(other)))
