"""Limits on the challenges of one player.

Uses are counted in the store, so neither a restart nor deleting one's data resets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.core.errors import ChallengeGone, TooMany
from bot.core.i18n.mentions import mention, timestamp
from bot.core.permissions import opponents
from bot.core.settings.service import SettingsStore
from bot.features.challenges import usage
from bot.features.challenges.text import link
from data import locks
from data.challenges import open_challenges
from data.challenges.challenge import Challenge, Invitation
from data.store.store import Transaction
from engine.phrase import say

MAX_OPEN_TO_ONE: Final = 3
"""Maximum open challenges from one player to another, over all games and servers."""
MAX_OPEN: Final = 10
"""Maximum open challenges per player."""
MAX_PER_HOUR: Final = 20
"""Maximum challenges per player and hour."""
MAX_UNSUCCESSFUL: Final = 6
"""Maximum challenges from one player to another within a day that lead to no match."""


async def check(
    tx: Transaction, players: SettingsStore, invitation: Invitation, now: datetime
) -> None:
    """Check that a challenge may be made, in the transaction that records it.

    Raises:
        Unwelcome: see `opponents.check_welcome`.
        ChallengeGone: the same challenge is already open.
        TooMany: a limit is reached; the sentence says what to do, or when to try again.

    """
    challenger = invitation.challenger_id
    # The opponents too: what names them waits while one of them deletes their data.
    for one in sorted({challenger, *invitation.opponents}):
        await locks.lock_id(tx, one)
    await opponents.check_welcome(tx, players, challenger, invitation.opponents)
    mine = [one for one in await open_challenges.made_by(tx, challenger) if not one.expired(now)]
    for opponent in invitation.opponents:
        _check_opponent(invitation, opponent, mine)
    if not invitation.opponents:
        _check_open(invitation, mine)
    if len(mine) >= MAX_OPEN:
        raise TooMany(
            say(
                "You already have {number} open challenges. Withdraw one first: `/{game} "
                "withdraw`.",
                number=len(mine),
                game=invitation.game,
            )
        )
    used = await usage.of(tx, challenger, now)
    made = await used.made()
    if len(made) >= MAX_PER_HOUR:
        raise TooMany(
            say(
                "That's {number} challenges within an hour. You can make the next one {when}.",
                number=len(made),
                when=timestamp(made[-MAX_PER_HOUR] + usage.HOUR, "R"),
            )
        )
    for opponent in invitation.opponents:
        vain = await used.unsuccessful(opponent)
        if len(vain) >= MAX_UNSUCCESSFUL:
            raise TooMany(
                say(
                    "You've challenged {opponent} a lot today. Ask again {when}, or challenge "
                    "someone else.",
                    opponent=mention(opponent),
                    when=timestamp(vain[-MAX_UNSUCCESSFUL] + usage.DAY, "R"),
                )
            )
        until = await used.repeatable_from(invitation.game, opponent)
        if until is not None:
            raise TooMany(
                say(
                    "{opponent} just declined your challenge. Ask again {when}, or challenge "
                    "someone else.",
                    opponent=mention(opponent),
                    when=timestamp(until, "R"),
                )
            )


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
                "Your challenge to {opponent} is still open: {where}. Wait for an answer, "
                "or withdraw it.",
                opponent=mention(opponent),
                where=link(same[-1]),
            ),
            withdrawable=same[-1].id,
        )
    if len(to_them) >= MAX_OPEN_TO_ONE:
        raise TooMany(
            say(
                "You already have {number} open challenges to {opponent}, the latest here: "
                "{where}. Wait for an answer, or withdraw one.",
                number=len(to_them),
                opponent=mention(opponent),
                where=link(to_them[-1]),
            ),
            withdrawable=to_them[-1].id,
        )


def _check_open(invitation: Invitation, mine: Sequence[Challenge]) -> None:
    for one in mine:
        alike = (one.game, one.guild_id, one.options) == (
            invitation.game,
            invitation.guild_id,
            invitation.options,
        )
        if alike and one.places is not None and not any(i.named for i in one.invited[1:]):
            raise ChallengeGone(
                say(
                    "Your open challenge is still up: {where}. Wait for someone to accept, or "
                    "withdraw it.",
                    where=link(one),
                ),
                withdrawable=one.id,
            )
