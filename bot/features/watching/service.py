"""Following: notifies users when a match, or any match of a player in a server, ends.

The commit that ends a match asks for the messages (`data.matches.watching.tell_followers`). Whether the
follower may still see the match is checked on delivery: they may have left, the channel may have
been closed to them, or there may be a block by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.computers import COMPUTERS, is_person
from bot.core.errors import NotAllowed, Refusal, TooMany
from bot.core.hooks import on_match_ended
from bot.core.i18n.mentions import mention
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.play.matches.positions import Position, over
from bot.play.matches.service import Matches
from data import locks
from data.matches import boards, matches, watching
from data.matches.boards import PostedMessage
from data.matches.match import Match
from data.people import exclusions
from data.store.store import Store, Transaction
from engine.phrase import say

MAX_FOLLOWED: Final = 25
"""Maximum matches and players a user may follow, across all servers."""
MAX_FOLLOWERS: Final = 100
"""Maximum followers of a match, or of a player in a server."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What a user follows in a server."""

    matches: Sequence[Position]
    players: Sequence[int]


@dataclass(eq=False, repr=False)
class Watching:
    """What users follow. Callers check that they may see a match."""

    store: Store
    matches: Matches
    settings: SettingsStore
    clock: WallClock

    async def open_here(self, guild_id: int, *, before: int | None, limit: int) -> Sequence[Match]:
        """Return a server's open matches between people, newest first, older than a given one."""
        async with self.store.read() as tx:
            numbers = await watching.open_in_server(
                tx, guild_id, before=before, limit=limit, without=COMPUTERS
            )
            results = await matches.of_numbers(tx, numbers)
        return [results[number] for number in numbers if number in results]

    async def current(
        self, rows: Sequence[Match]
    ) -> Sequence[tuple[Position, PostedMessage | None]]:
        """Return matches with their current positions, and the messages with their latest boards."""
        found = [await self.matches.current(match) for match in rows]
        async with self.store.read() as tx:
            latest = await boards.latest_of(tx, [position.match.id for position in found])
        return [(position, latest.get(position.match.id)) for position in found]

    async def followed(self, user_id: int, guild_id: int) -> Followed:
        """Return what a user follows in a server, newest first."""
        async with self.store.read() as tx:
            numbers = await watching.matches_of(tx, user_id)
            players = await watching.players_of(tx, user_id, guild_id)
        found = [await self.matches.position(number) for number in numbers]
        return Followed(
            [position for position in found if position.match.guild_id == guild_id], players
        )

    async def follow_match(self, position: Position, user_id: int) -> None:
        """Follow a match, to be notified when it ends.

        Raises:
            MatchOver: it has ended.
            Refusal: it is their own.
            NotAllowed: one of its players has a private profile, or either has blocked the other.
            TooMany: they follow too much, or too many follow it.

        """
        match = position.match
        if position.player_of(user_id) is not None:
            raise Refusal(say("That's your own game. I'll tell you about it anyway."))
        now = self.clock()
        async with self.store.write() as tx:
            await locks.lock_id(tx, user_id)
            await locks.lock_match(tx, match.id)  # it may be ending, and tells those who follow it
            stands = await matches.get(tx, match.id)
            if stands is None or stands.finished:
                raise over(match.id)
            if not await self._may_follow(tx, user_id, _people(match)):
                raise NotAllowed(say("You can't follow match #{number}.", number=match.id))
            if match.id not in await watching.matches_of(tx, user_id):
                followers = await watching.followers_of_match(tx, match.id)
                await self._check_room(tx, user_id, followers)
            await watching.follow_match(tx, user_id, match.id, now)

    async def follow_player(self, player_id: int, user_id: int, guild_id: int) -> None:
        """Follow a player in a server, to be notified when their matches end.

        Raises:
            Refusal: they picked themselves, or a user who doesn't play.
            NotAllowed: that player has a private profile, or either has blocked the other.
            TooMany: they follow too much, or too many follow that player.

        """
        if player_id == user_id or not is_person(player_id):
            raise Refusal(say("Pick someone else who plays here."))
        now = self.clock()
        async with self.store.write() as tx:
            await locks.lock_id(tx, user_id)
            if not await self._may_follow(tx, user_id, [player_id]):
                # Don't reveal whether it is a block or a private profile.
                raise NotAllowed(say("{player} can't be followed.", player=mention(player_id)))
            if player_id not in await watching.players_of(tx, user_id, guild_id):
                followers = await watching.followers_of_player(tx, guild_id, player_id)
                await self._check_room(tx, user_id, followers)
            await watching.follow_player(tx, user_id, guild_id, player_id, now)

    async def leave_match(self, match_id: int, user_id: int) -> None:
        """Stop following a match."""
        async with self.store.write() as tx:
            await watching.unfollow_match(tx, user_id, match_id)

    async def leave_player(self, player_id: int, user_id: int, guild_id: int) -> None:
        """Stop following a player in a server."""
        async with self.store.write() as tx:
            await watching.unfollow_player(tx, user_id, guild_id, player_id)

    async def ended(
        self, match_id: int, user_id: int
    ) -> tuple[Position, PostedMessage | None] | None:
        """Return an ended match, and the message with its last board, for a follower.

        ``None`` if they may not follow it now. Following one player reveals nothing about another
        who may not be followed.
        """
        position = await self.matches.position(match_id)
        async with self.store.read() as tx:
            if not await self._may_follow(tx, user_id, _people(position.match)):
                return None
            return position, await boards.latest(tx, position.match.id)

    async def _may_follow(self, tx: Transaction, user_id: int, players: Sequence[int]) -> bool:
        """Return whether no player has a private profile or a block with the user, either way."""
        known = await self.settings.players_in(tx, players)
        if not all(one.profile for one in known.values()):
            return False
        return not await exclusions.blocks_between(tx, user_id, players)

    async def _check_room(self, tx: Transaction, user_id: int, followers: int) -> None:
        if await watching.count_followed(tx, user_id) >= MAX_FOLLOWED:
            raise TooMany(
                say(
                    "You already follow {number} games and players. Stop following one first.",
                    number=MAX_FOLLOWED,
                )
            )
        if followers >= MAX_FOLLOWERS:
            raise TooMany(say("Too many people already follow this one."))


def _people(match: Match) -> list[int]:
    return [player.user_id for player in match.players if is_person(player.user_id)]


on_match_ended(order=40)(watching.tell_followers)
