"""Rematches: the same rules and the same time, each player in the next seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.invitations import Invitation
from bot.challenges.text import link
from bot.errors import BadOpponent, ChallengeGone, MatchOver, NotForYou, RematchAsked
from bot.i18n.mentions import all_of, who
from data import challenges, matches, open_challenges
from data.challenges import State
from engine.phrase import say

if TYPE_CHECKING:
    from bot.challenges.service import Challenges
    from bot.matches.positions import MatchView
    from bot.scheduling.wall_clock import WallClock
    from data.challenges import Challenge
    from data.matches import Match
    from data.store import Store


class Rematches:
    """Asks players of a finished match to play again."""

    def __init__(self, store: Store, challenges: Challenges, *, clock: WallClock) -> None:
        """Read a store and make challenges, with the time of day from ``clock``."""
        self._store = store
        self._challenges = challenges
        self._clock = clock

    async def ask(
        self, view: MatchView, user_id: int, salt: str, *, place: str | None = None
    ) -> tuple[Challenge, MatchView | None]:
        """Challenge the others of a finished match, or accept if one of them has asked.

        Args:
            view: the match.
            user_id: the player who asks.
            salt: the id of the press.
            place: what kind of place the new match is played in, if known already.

        Returns:
            The challenge, and the new match if it has begun.

        Raises:
            MatchOver: the match goes on; or its rematch does, whose board is shown.
            NotForYou: not a player of it.
            BadOpponent: the data of one of its players was deleted.
            ChallengeGone: this player has asked already.
            Refusal: whatever making and accepting challenges raises.

        """
        match = view.match
        _check_player(match, user_id)
        # If two players ask at once, the second sees the first's challenge and accepts it.
        for _ in range(2):
            asked = await self._asked(match.id)
            if asked is not None:
                _check_not_mine(asked, user_id, match.id)
                return await self._challenges.accept(asked.id, user_id, salt, place=place)
            try:
                again = _again(match, user_id, salt, casual=await self._casual(match))
                return await self._challenges.offer(again), None
            except RematchAsked:
                continue
        raise RematchAsked(
            say(
                "A rematch of match #{number} has been asked for already. Press again to "
                "accept it.",
                number=match.id,
            )
        )

    async def _casual(self, match: Match) -> bool:
        """Return whether the players asked for a casual match."""
        async with self._store.read() as tx:
            asked = await challenges.of_match(tx, match.id)
        return match.casual if asked is None else asked.casual

    async def _asked(self, match_id: int) -> Challenge | None:
        """Return the open rematch of a match.

        Raises:
            MatchOver: it has begun and goes on.

        """
        now = self._clock()
        async with self._store.read() as tx:
            for one in await open_challenges.rematches(tx, match_id):
                if one.state is State.OPEN and not one.expired(now):
                    return one
                if one.match_id is None:
                    continue
                again = await matches.get(tx, one.match_id)
                if again is not None and not again.finished:
                    raise MatchOver(
                        say(
                            "The rematch of match #{number} has begun: it is match #{rematch}.",
                            number=match_id,
                            rematch=again.id,
                        ),
                        match_id=again.id,
                    )
        return None


def _again(match: Match, user_id: int, salt: str, *, casual: bool) -> Invitation:
    return Invitation(
        game=match.game,
        options=match.options,
        guild_id=match.guild_id,
        channel_id=match.parent_id or match.channel_id,
        challenger_id=user_id,
        opponents=tuple(p.user_id for p in match.players if p.user_id != user_id),
        seat=None,
        salt=salt,
        days=match.days,
        rematch_of=match.id,
        casual=casual,
    )


def check_over(match: Match) -> None:
    """Refuse a rematch of a match that goes on.

    Raises:
        MatchOver: it is not over.

    """
    if not match.finished:
        raise MatchOver(
            say(
                "Match #{number} is not over yet. A rematch can be asked for when it is.",
                number=match.id,
            ),
            match_id=match.id,
        )


def _check_player(match: Match, user_id: int) -> None:
    players = [player.user_id for player in match.players]
    if user_id not in players:
        raise NotForYou(
            say(
                "Only {players} can ask for a rematch of match #{number}. `/{game} challenge` "
                "begins a match of your own.",
                players=all_of(players),
                number=match.id,
                game=match.game,
            )
        )
    check_over(match)
    if any(one <= 0 for one in players):
        raise BadOpponent(
            say(
                "Somebody who played match #{number} does not play any more. `/{game} challenge` "
                "finds you another opponent.",
                number=match.id,
                game=match.game,
            )
        )


def _check_not_mine(asked: Challenge, user_id: int, match_id: int) -> None:
    mine = asked.of(user_id)
    if mine is None or mine.joined is None:
        return
    waiting = all_of(one.user_id for one in asked.invited if one.joined is None)
    by_me = asked.challenger_id == user_id
    raise ChallengeGone(
        say(
            "{asker} has asked for a rematch of match #{number} already: {where}. It waits for "
            "{waiting}.",
            asker=who(asked.challenger_id),
            number=match_id,
            where=link(asked),
            waiting=waiting,
        ),
        withdrawable=asked.id if by_me else None,
    )
