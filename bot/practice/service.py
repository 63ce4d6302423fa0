"""Practice: matches against computers, which accept at once."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.challenges import invitations
from bot.challenges.invitations import Invitation
from bot.challenges.rematches import check_over
from bot.errors import BadOpponent, MatchOver, NotForYou, TooMany
from bot.i18n import timestamps
from bot.i18n.mentions import all_of
from bot.matches.computers import COMPUTERS, computers, is_computer, is_practice, salt_of
from data import challenge_responses, challenges, matches, open_challenges
from engine import registry
from engine.phrase import listed, say

if TYPE_CHECKING:
    from datetime import datetime

    from bot.challenges.service import Challenges
    from bot.matches.positions import MatchView
    from bot.scheduling.wall_clock import WallClock
    from data.challenges import Challenge
    from data.store import Store, Transaction

MAX_OPEN: Final = 10
"""Maximum open practice matches per player."""
MAX_PER_HOUR: Final = 60
"""Maximum practice matches per player and hour."""
_HOUR: Final = timedelta(hours=1)


def against(invitation: Invitation, level: int, players: int | None) -> Invitation:
    """Return an invitation with computers in all other seats.

    Args:
        invitation: what the player asks for, without opponents.
        level: the level of the computers.
        players: the number of players; ``None`` for the fewest.

    Raises:
        BadOpponent: the game is not for this number.

    """
    game = registry.game(invitation.game)
    number = game.players[0] if players is None else players
    if number not in game.players:
        span = listed((str(one) for one in game.players), either=True)
        raise BadOpponent(
            say("This game is for {span} players, not {number}.", span=span, number=number)
        )
    opponents = computers(level, number - 1)
    return dataclasses.replace(invitation, opponents=opponents, casual=True, days=None)


def again(view: MatchView, user_id: int, salt: str) -> Invitation:
    """Return the invitation to play a practice match again.

    Raises:
        NotForYou: the match of another player.
        MatchOver: it is not over yet.

    """
    match = view.match
    if view.player_of(user_id) is None:
        raise NotForYou(
            say(
                "Only {players} can ask for a rematch of match #{number}. `/{game} practice` "
                "begins a match of your own.",
                players=all_of(p.user_id for p in match.players if not is_computer(p.user_id)),
                number=match.id,
                game=match.game,
            )
        )
    check_over(match)
    return Invitation(
        game=match.game,
        options=match.options,
        guild_id=match.guild_id,
        channel_id=match.parent_id or match.channel_id,
        challenger_id=user_id,
        opponents=tuple(p.user_id for p in match.players if is_computer(p.user_id)),
        seat=None,
        salt=salt,
        rematch_of=match.id,
        casual=True,
    )


class Practice:
    """Begins matches against computers."""

    def __init__(self, store: Store, challenges: Challenges, *, clock: WallClock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._challenges = challenges
        self._clock = clock

    async def begin(self, invitation: Invitation, *, place: str | None = None) -> Challenge:
        """Begin a match; return the challenge that it comes from, accepted by all computers.

        Args:
            invitation: what is asked for, with computers in all other seats.
            place: what kind of place it is played in, if known already.

        Raises:
            BadOption: no such option or value, or the seat is not used.
            TooMany: too many matches are open, or were begun within an hour.
            MatchOver: the rematch has begun already; its board is shown.

        """
        game = registry.game(invitation.game)
        invitations.check_seat(invitation, game, 1 + len(invitation.opponents))
        options = game.settle(invitation.options)
        now = self._clock()
        async with self._store.write() as tx:
            await self._check(tx, invitation, now)
            challenge = await challenges.add(
                tx,
                game=game.slug,
                options=options,
                guild_id=invitation.guild_id,
                channel_id=invitation.channel_id,
                challenger_id=invitation.challenger_id,
                challenger_salt=invitation.salt,
                opponents=invitation.opponents,
                seed=self._challenges.seed(),
                seat=invitation.seat,
                at=now,
                days=invitation.days,
                rematch_of=invitation.rematch_of,
                casual=True,
            )
            for one in invitation.opponents:
                challenge = await challenge_responses.accept(tx, challenge.id, one, salt_of(one))
            match_id = await self._challenges.begin(tx, challenge, now, place)
            await challenges.started(tx, challenge.id, match_id)
            return await challenges.known(tx, challenge.id)

    async def _check(self, tx: Transaction, invitation: Invitation, now: datetime) -> None:
        user = invitation.challenger_id
        await open_challenges.serialize(tx, user)
        if invitation.rematch_of is not None:
            await _not_begun(tx, invitation.rematch_of)
        mine = await matches.of_player(tx, user, limit=1000)
        practice = [match for match in mine if is_practice(match)]
        if len(practice) >= MAX_OPEN:
            oldest = practice[-1]
            raise TooMany(
                say(
                    "{number} practice matches of yours are open. Play one to its end first, or "
                    "give one up: `/{game} resign match:{match}` ends the oldest.",
                    number=len(practice),
                    game=oldest.game,
                    match=oldest.id,
                )
            )
        begun = await open_challenges.made_to(tx, user, COMPUTERS, now - _HOUR)
        if len(begun) >= MAX_PER_HOUR:
            raise TooMany(
                say(
                    "You have begun {number} practice matches within an hour. You can begin the "
                    "next one {when}.",
                    number=len(begun),
                    when=timestamps.distance(begun[-MAX_PER_HOUR] + _HOUR),
                )
            )


async def _not_begun(tx: Transaction, match_id: int) -> None:
    """Refuse to play a match again while a rematch goes on."""
    for one in await open_challenges.rematches(tx, match_id):
        found = None if one.match_id is None else await matches.get(tx, one.match_id)
        if found is not None and not found.finished:
            raise MatchOver(
                say(
                    "The rematch of match #{number} has begun: it is match #{rematch}.",
                    number=match_id,
                    rematch=found.id,
                ),
                match_id=found.id,
            )
