"""Following: who wants to be told when a match, or any match of a player in a server, ends.

The commit that ends a match says who is to be told (`data.watching.ended`). Whether they may still
see it is asked when they are: they may have left, the channel may have been closed to them, and
somebody may have blocked somebody meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.errors import NotAllowed, Refusal, TooMany
from bot.i18n.mentions import who
from bot.matches.computers import COMPUTERS, is_person
from bot.matches.turns import over
from data import blocks, boards, matches, watching
from data.open_challenges import serialize
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.boards import Shown
    from data.match import Match
    from data.store import Store, Transaction
    from data.watching import Report

MAX_FOLLOWED: Final = 25
"""How many matches and players one user may follow, in all servers."""
MAX_FOLLOWERS: Final = 100
"""How many users may follow the same match, or the same player in a server."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What a user follows, as seen in a server."""

    matches: Sequence[MatchView]
    players: Sequence[int]


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that has ended, and where its last board is."""

    view: MatchView
    board: Shown | None


class Watching:
    """What the users of a store follow. Callers check that they may see a match."""

    def __init__(
        self, store: Store, matches_: Matches, settings: SettingsStore, *, clock: WallClock
    ) -> None:
        """Work on a store, by the settings of its players."""
        self._store = store
        self._matches = matches_
        self._settings = settings
        self._clock = clock

    async def open_here(self, guild_id: int, *, before: int | None, most: int) -> Sequence[Match]:
        """Return the open matches of people in a server, newest first, from one on."""
        async with self._store.read() as tx:
            numbers = await watching.open_in_server(
                tx, guild_id, before=before, most=most, without=COMPUTERS
            )
            found = [await matches.get(tx, number) for number in numbers]
        return [match for match in found if match is not None]

    async def standing(self, found: Sequence[Match]) -> Sequence[MatchView]:
        """Return matches as they stand."""
        return [await self._matches.standing(match) for match in found]

    async def followed(self, user_id: int, guild_id: int) -> Followed:
        """Return what a user follows in a server, newest first."""
        async with self._store.read() as tx:
            numbers = await watching.matches_of(tx, user_id)
            players = await watching.players_of(tx, user_id, guild_id)
        views = [await self._matches.view(number) for number in numbers]
        return Followed([view for view in views if view.match.guild_id == guild_id], players)

    async def board(self, view: MatchView) -> Shown | None:
        """Return the message with the newest board of a match."""
        async with self._store.read() as tx:
            return await boards.latest(tx, view.match.id)

    async def follow_match(self, view: MatchView, user_id: int) -> None:
        """Let a user be told when a match ends.

        Raises:
            MatchOver: it has.
            Refusal: it is their own.
            NotAllowed: one of its players keeps their profile private, or they have blocked each
                other.
            TooMany: they follow too much, or too many follow it.

        """
        match = view.match
        if view.player_of(user_id) is not None:
            raise Refusal(say("That's your own game. I tell you about it anyway."))
        now = self._clock()
        async with self._store.write() as tx:
            await serialize(tx, user_id)
            stands = await matches.get(tx, match.id)
            if stands is None or stands.finished:
                raise over(match.id)
            if not await self._may_follow(tx, user_id, _people(match)):
                raise NotAllowed(say("You can't follow match #{number}.", number=match.id))
            if match.id not in await watching.matches_of(tx, user_id):
                await self._check_room(tx, user_id)
                if await watching.followers_of_match(tx, match.id) >= MAX_FOLLOWERS:
                    raise TooMany(say("Too many people follow this one already."))
            await watching.follow_match(tx, user_id, match.id, now)

    async def follow_player(self, player_id: int, user_id: int, guild_id: int) -> None:
        """Let a user be told when matches of a player in a server end.

        Raises:
            Refusal: it is themselves, or nobody who plays.
            NotAllowed: that player keeps their profile private, or one has blocked the other.
            TooMany: they follow too much, or too many follow that player.

        """
        if player_id == user_id or not is_person(player_id):
            raise Refusal(say("Pick somebody else who plays here."))
        now = self._clock()
        async with self._store.write() as tx:
            await serialize(tx, user_id)
            if not await self._may_follow(tx, user_id, [player_id]):
                # Whether they are blocked is not told apart from a private profile.
                raise NotAllowed(say("{player} can't be followed.", player=who(player_id)))
            if player_id not in await watching.players_of(tx, user_id, guild_id):
                await self._check_room(tx, user_id)
                if await watching.followers_of_player(tx, guild_id, player_id) >= MAX_FOLLOWERS:
                    raise TooMany(say("Too many people follow this one already."))
            await watching.follow_player(tx, user_id, guild_id, player_id, now)

    async def leave_match(self, match_id: int, user_id: int) -> None:
        """Let a user not be told when a match ends."""
        async with self._store.write() as tx:
            await watching.leave_match(tx, user_id, match_id)

    async def leave_player(self, player_id: int, user_id: int, guild_id: int) -> None:
        """Let a user not be told when matches of a player in a server end."""
        async with self._store.write() as tx:
            await watching.leave_player(tx, user_id, guild_id, player_id)

    async def ended(self, report: Report) -> Ended | None:
        """Return the match that somebody is to be told of, ``None`` if they may not follow it now.

        Who follows one of its players is told nothing of another one who may not be followed.
        """
        view = await self._matches.view(report.match_id)
        async with self._store.read() as tx:
            if not await self._may_follow(tx, report.user_id, _people(view.match)):
                return None
            return Ended(view, await boards.latest(tx, view.match.id))

    async def _may_follow(self, tx: Transaction, user_id: int, players: Sequence[int]) -> bool:
        """Return whether no player has a private profile or is blocked, in either direction."""
        for player in players:
            if not (await self._settings.player_in(tx, player)).profile:
                return False
        return not await blocks.concerning(tx, user_id, players)

    async def _check_room(self, tx: Transaction, user_id: int) -> None:
        if await watching.number_of(tx, user_id) >= MAX_FOLLOWED:
            raise TooMany(
                say(
                    "You already follow {number} games and players. Stop following one first.",
                    number=MAX_FOLLOWED,
                )
            )


def _people(match: Match) -> list[int]:
    return [player.user_id for player in match.players if is_person(player.user_id)]
