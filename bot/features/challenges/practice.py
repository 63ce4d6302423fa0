"""Practice: matches against computers, which accept at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.core.computers import computers, is_computer, is_practice
from bot.core.errors import NotForYou, TooMany
from bot.core.i18n.mentions import mention_all, timestamp
from bot.core.i18n.slash import slash
from bot.core.scheduling.wall_clock import WallClock
from bot.features.challenges import usage
from bot.features.challenges.rematches import check_over, open_rematch, rematch
from bot.features.challenges.service import Challenges
from data import locks
from data.challenges.challenge import Challenge, Invitation
from data.matches import matches
from data.matches.matches import Match
from data.store.store import Store, Transaction
from engine import registry
from engine.phrase import say

MAX_OPEN: Final = 10
"""Maximum open practice matches per player."""
MAX_PER_HOUR: Final = 60
"""Maximum practice matches per player per hour."""


def against(invitation: Invitation, level: int, players: int | None) -> Invitation:
    """Return an invitation with computers of a level in all other seats.

    If ``players`` is omitted, there are as few as the game allows.
    """
    number = players or registry.game(invitation.game).players[0]
    return replace(invitation, opponents=computers(level, number - 1), casual=True)


def again(match: Match, user_id: int) -> Invitation:
    """Return the invitation to play a practice match again.

    Raises:
        NotForYou: the match belongs to another player.
        MatchOver: it is not over yet.

    """
    people = [p.user_id for p in match.players if not is_computer(p.user_id)]
    if user_id not in people:
        raise NotForYou(
            say(
                "Only {players} can ask for this rematch. To start your own game, use {play}.",
                players=mention_all(people),
                play=slash("play"),
            )
        )
    check_over(match)
    return rematch(match, user_id, casual=True)


@dataclass(eq=False, repr=False)
class Practice:
    """Starts matches against computers."""

    store: Store
    challenges: Challenges
    clock: WallClock

    async def begin(self, invitation: Invitation, *, place: str | None = None) -> Challenge:
        """Start a match; return its challenge, accepted by all computers.

        Raises:
            BadOpponent, BadOption: see `bot.features.challenges.service.checked`.
            TooMany: too many matches are open, or were started within an hour.
            MatchOver: the rematch has already begun; its board is shown.

        """
        async with self.store.write() as tx:
            await _check(tx, invitation, self.clock())
            return await self.challenges.begin(tx, invitation, place=place)


async def _check(tx: Transaction, invitation: Invitation, now: datetime) -> None:
    user = invitation.challenger_id
    if invitation.rematch_of is not None:
        await open_rematch(tx, invitation.rematch_of, now)
    await locks.lock_id(tx, user)
    mine = await matches.of_player(tx, user, limit=1000)
    practice = [match for match in mine if is_practice(match)]
    if len(practice) >= MAX_OPEN:
        oldest = practice[-1]
        raise TooMany(
            say(
                "You already have {number} practice games. Finish one, or resign the oldest "
                "with `/{game} resign match:{match}`.",
                number=len(practice),
                game=oldest.game,
                match=oldest.id,
            )
        )
    begun = await (await usage.of(tx, user, now)).practised()
    if len(begun) >= MAX_PER_HOUR:
        raise TooMany(
            say(
                "You've started {number} practice games in an hour. You can start the next "
                "one {when}.",
                number=len(begun),
                when=timestamp(begun[-MAX_PER_HOUR] + usage.HOUR, "R"),
            )
        )
