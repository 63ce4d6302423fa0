"""What keeps one person from flooding others with challenges, and what those say no to.

All of it is counted from what the store holds, so a restart forgets nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.errors import ChallengeGone, RematchAsked, TooMany, Unwelcome
from bot.i18n import timestamps
from bot.i18n.mentions import who
from bot.matches.computers import COMPUTERS
from data import blocks, seeking
from data.challenges import State
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from bot.challenges.invitations import Invitation
    from data.challenges import Challenge
    from data.store import Transaction

MOST_TO_ONE = 3
"""So many challenges of one person to another may be open, over all games and servers."""
MOST_OPEN = 10
"""So many challenges of one person may be open in all."""
MOST_AN_HOUR = 20
"""So many challenges may one person make in an hour."""
REST = timedelta(hours=1)
"""So long a declined challenge is not made again."""

_HOUR = timedelta(hours=1)


async def check(
    tx: Transaction, invitation: Invitation, options: Mapping[str, str], now: datetime
) -> None:
    """Make sure that a challenge may be made, in the transaction that records it.

    Raises:
        Unwelcome: one of them has blocked the other.
        RematchAsked: another player of the match has asked first.
        ChallengeGone: the same challenge is open already.
        TooMany: more than others should bear; it tells what to do, or when.

    """
    challenger = invitation.challenger_id
    await seeking.alone(tx, challenger)
    await welcome(tx, challenger, invitation.opponents)
    if invitation.rematch_of is not None:
        await _first_to_ask(tx, invitation.rematch_of, now)
    mine = [one for one in await seeking.by(tx, challenger) if not over(one, now)]
    for opponent in invitation.opponents:
        _check_opponent(invitation, opponent, mine)
    if not invitation.opponents:
        _check_open(invitation, options, mine)
    if len(mine) >= MOST_OPEN:
        raise TooMany(
            say(
                "You have {number} open challenges, more must wait: withdraw one with "
                "`/{game} withdraw`, or let one be answered.",
                number=len(mine),
                game=invitation.game,
            )
        )
    practised = await seeking.made_to(tx, challenger, COMPUTERS, now - _HOUR)
    made = [
        at for at in await seeking.made_since(tx, challenger, now - _HOUR) if at not in practised
    ]
    if len(made) >= MOST_AN_HOUR:
        raise TooMany(
            say(
                "You have made {number} challenges within an hour. You can make the next one "
                "{when}.",
                number=len(made),
                when=timestamps.distance(made[-MOST_AN_HOUR] + _HOUR),
            )
        )
    for opponent in invitation.opponents:
        await _check_rest(tx, invitation, opponent, now)


async def welcome(tx: Transaction, user_id: int, others: Iterable[int]) -> None:
    """Make sure that nobody among others has blocked somebody, nor the other way round.

    Raises:
        Unwelcome: tells whom one has blocked oneself; of the others' blocks it says little.

    """
    for blocker, blocked in await blocks.concerning(tx, user_id, others):
        if blocker == user_id:
            raise Unwelcome(
                say(
                    "You have blocked {person}. `/unblock` comes first if you want to play "
                    "with them.",
                    person=who(blocked),
                )
            )
        raise Unwelcome(
            say(
                "{person} does not take challenges from you. Choose somebody else.",
                person=who(blocker),
            )
        )


def over(challenge: Challenge, now: datetime) -> bool:
    """Return whether the time of a challenge is over, whether it was closed since or not."""
    return challenge.expires_at is not None and challenge.expires_at <= now


def where(challenge: Challenge) -> str:
    """Return where an open challenge is: a link to its message, or its channel."""
    if challenge.message_id is None:
        return f"<#{challenge.channel_id}>"
    server = challenge.guild_id or "@me"
    return f"https://discord.com/channels/{server}/{challenge.channel_id}/{challenge.message_id}"


def _check_opponent(invitation: Invitation, opponent: int, mine: Sequence[Challenge]) -> None:
    to_them = [one for one in mine if one.of(opponent) is not None]
    same = [
        one
        for one in to_them
        if one.game == invitation.game and one.guild_id == invitation.guild_id
    ]
    if same:
        raise ChallengeGone(
            say(
                "Your challenge to {opponent} is still open: {where}. "
                "They can accept it there, or you can withdraw it.",
                opponent=who(opponent),
                where=where(same[-1]),
            ),
            withdrawable=same[-1].id,
        )
    if len(to_them) >= MOST_TO_ONE:
        raise TooMany(
            say(
                "{number} challenges of yours to {opponent} are open, the last of them here: "
                "{where}. Wait for an answer, or withdraw one.",
                number=len(to_them),
                opponent=who(opponent),
                where=where(to_them[-1]),
            ),
            withdrawable=to_them[-1].id,
        )


def _check_open(
    invitation: Invitation, options: Mapping[str, str], mine: Sequence[Challenge]
) -> None:
    for one in mine:
        nobody_named = one.places is not None and not any(i.named for i in one.invited[1:])
        alike = (one.game, one.guild_id, one.options) == (
            invitation.game,
            invitation.guild_id,
            dict(options),
        )
        if nobody_named and alike:
            raise ChallengeGone(
                say(
                    "Your challenge to anyone is still open: {where}. "
                    "Somebody can accept it there, or you can withdraw it.",
                    where=where(one),
                ),
                withdrawable=one.id,
            )


async def _check_rest(
    tx: Transaction, invitation: Invitation, opponent: int, now: datetime
) -> None:
    declined = await seeking.declined_at(tx, invitation.game, invitation.challenger_id, opponent)
    if declined is not None and declined + REST > now:
        raise TooMany(
            say(
                "{opponent} has just declined your challenge. You can ask again {when}, or "
                "challenge somebody else.",
                opponent=who(opponent),
                when=timestamps.distance(declined + REST),
            )
        )


async def _first_to_ask(tx: Transaction, match_id: int, now: datetime) -> None:
    await seeking.alone(tx, -match_id)
    for one in await seeking.rematches(tx, match_id):
        if one.state is State.OPEN and not over(one, now):
            raise RematchAsked(
                say(
                    "{asker} has asked for a rematch of match #{number} already.",
                    asker=who(one.challenger_id),
                    number=match_id,
                )
            )
