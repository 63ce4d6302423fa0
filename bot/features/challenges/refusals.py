"""Reasons why a player cannot make or answer a challenge."""

from __future__ import annotations

from bot.core.errors import ChallengedBot, ChallengeGone, NotForYou
from bot.core.i18n.mentions import mention_all
from data.challenges.challenge import Challenge, State
from engine.phrase import Phrase, plural, say


def closed(state: State, match_id: int | None = None) -> ChallengeGone:
    """Return why a closed challenge cannot be answered."""
    return ChallengeGone(_ending(state, match_id))


def _ending(state: State, match_id: int | None) -> Phrase:
    match state:
        case State.OPEN:
            return say("This challenge is still open.")
        case State.STARTED:
            return say("This challenge was accepted. It's match #{match} now.", match=match_id)
        case State.DECLINED:
            return say("This challenge was declined.")
        case State.WITHDRAWN:
            return say("This challenge was withdrawn.")
        case State.EXPIRED:
            return say("This challenge has expired. Start a new one with `/play`.")


def joined(challenge: Challenge) -> ChallengeGone:
    """Return that a player has already joined, and who is missing."""
    waiting = [one.user_id for one in challenge.invited if one.joined is None]
    if challenge.free:
        return ChallengeGone(
            plural(
                "You're in. One more player is needed.",
                "You're in. {n} more players are needed.",
                challenge.free + len(waiting),
            )
        )
    return ChallengeGone(
        say(
            "You're in. Still waiting for {players}.",
            players=mention_all(waiting),
        )
    )


def not_invited(challenge: Challenge) -> NotForYou:
    """Return why an uninvited player cannot join."""
    if challenge.places is None:
        return _for_others(challenge)
    return NotForYou(
        say(
            "All open seats are taken. Find other challenges with `/{game} seek`.",
            game=challenge.game,
        )
    )


def not_to_decline(challenge: Challenge, *, joined: bool) -> NotForYou:
    """Return why a player cannot decline; ``joined`` if they took an open place."""
    if joined:
        return NotForYou(say("You joined this challenge yourself. To get out, press Leave."))
    if challenge.free:
        return NotForYou(say("This challenge is open to anyone, so there's no need to decline."))
    return _for_others(challenge)


def _for_others(challenge: Challenge) -> NotForYou:
    named = mention_all(one.user_id for one in challenge.invited[1:] if one.named)
    return NotForYou(say("This challenge is for {players}.", players=named))


def myself(game: str = "") -> ChallengedBot:
    """Return the refusal of a challenge to the bot, which offers the computer."""
    words = say("I'd love to. Pick a level, then press **Play the computer**.")
    return ChallengedBot(words, game)
