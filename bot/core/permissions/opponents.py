"""Checks that players take challenges, and that none of them has blocked another."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.computers import is_person
from bot.core.errors import BadOpponent, ChallengeGone, NotForYou, Unwelcome
from bot.core.i18n.mentions import mention, slash
from bot.core.settings.service import SettingsStore
from data.challenges.challenges import Challenge
from data.people import exclusions, owner_orders
from data.store.store import Transaction
from engine.phrase import Phrase, say


async def check_welcome(
    tx: Transaction, players: SettingsStore, user_id: int, others: Sequence[int]
) -> None:
    """Check that everyone takes challenges and no one has blocked this player or the reverse.

    Having blocked this player reads the same as taking no challenges: nothing here may tell them
    apart. Raises Unwelcome: the sentence names them.
    """
    apart = await check_blocks(tx, user_id, others)
    takes = [one not in apart and await _takes(tx, players, one) for one in others]
    for one, taken in zip(others, takes, strict=True):
        if not taken:
            raise Unwelcome(
                say(
                    "{person} isn't taking challenges right now. Pick someone else.",
                    person=mention(one),
                )
            )
    if not await _takes(tx, players, user_id):
        raise challenges_off()


async def check_joins(
    tx: Transaction, players: SettingsStore, challenge: Challenge, user_id: int
) -> None:
    """Check that a player may join: no block either way, and the challenger takes challenges.

    Raises Unwelcome: as in `check_welcome`, only a player who blocked someone learns the reason.
    """
    others = [one.user_id for one in challenge.invited if one.user_id != user_id]
    apart = await check_blocks(tx, user_id, others)
    takes = await _takes(tx, players, challenge.challenger_id)
    if apart or not takes:
        raise Unwelcome(
            say(
                "You can't join this challenge right now. {seek} lists others.",
                seek=slash(challenge.game, "seek"),
            )
        )


async def check_blocks(tx: Transaction, user_id: int, others: Sequence[int]) -> set[int]:
    """Return the others who have blocked this player, or are blocked by the bot's owner.

    Raises Unwelcome if this player has blocked any, or is blocked by the bot's owner.
    """
    gone = await owner_orders.filter_blocked(tx, [user_id, *others])
    if user_id in gone:
        raise Unwelcome(say("The bot's owner has blocked you, so you can't play here any more."))
    pairs = await exclusions.blocks_between(tx, user_id, others)
    for blocker, blocked in pairs:
        if blocker == user_id:
            raise Unwelcome(have_blocked(blocked))
    return {*gone, *(blocker for blocker, _ in pairs)}


def have_blocked(person: int) -> Phrase:
    """Return the refusal to play someone whom one has blocked oneself."""
    return say(
        "You've blocked {person}. To play together, `/unblock` them first.", person=mention(person)
    )


def challenges_off() -> Unwelcome:
    """Return the refusal of players who want to play, but take no challenges."""
    return Unwelcome(
        say(
            "You've turned challenges off, so nobody could play you. Turn them on in {settings} "
            "first.",
            settings=slash("me", "settings"),
        )
    )


def yourself() -> BadOpponent:
    """Return the refusal of a challenge to oneself."""
    return BadOpponent(say("You can't challenge yourself. Pick someone else."))


def not_here(user_id: int) -> BadOpponent:
    """Return the refusal of an opponent who has left the server, or never was there."""
    return BadOpponent(say("{person} isn't on this server.", person=mention(user_id)))


def check_withdraws(challenger_id: int, user_id: int) -> None:
    """Raise NotForYou unless a user withdraws their own challenge."""
    if user_id != challenger_id:
        raise NotForYou(
            say("Only {challenger} can withdraw this challenge.", challenger=mention(challenger_id))
        )


def challenge_gone() -> ChallengeGone:
    """Return the refusal of a challenge that does not exist."""
    return ChallengeGone(say("This challenge is gone."))


async def _takes(tx: Transaction, players: SettingsStore, user_id: int) -> bool:
    return not is_person(user_id) or (await players.player_in(tx, user_id)).challenges
