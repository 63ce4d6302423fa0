"""What has been chosen in the message of ``/play``, and the match that starts from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot.core.interactions.controls import Control
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import Id
from bot.core.permissions import play
from bot.features.challenges.buttons import invitation
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.practice import Practice, against
from bot.features.challenges.service import Challenges
from bot.features.guide import play_text
from data.challenges.challenge import Challenge, Invitation
from engine import registry
from engine.game import Option
from engine.phrase import say
from engine.registry import AnyGame

Against = Literal["all", "computer", "people"]
"""The opponents on offer."""


class Choices(Control):
    """The choices so far. A number of 0 is the default."""

    against: Against
    opponent: Id | None
    """The person to challenge, if already decided."""
    level: int
    players: int
    seat: int
    """Counted from 1."""
    days: int
    bank: int
    """Days of a time bank at the start; 0 for no bank."""
    rated: bool
    folded: bool
    """Whether the options are hidden."""
    game: str
    rules: str

    @property
    def played(self) -> AnyGame:
        """The game, or the first one if the chosen one no longer exists."""
        return registry.games().get(self.game) or next(iter(registry.games().values()))


def rule_sets(game: AnyGame) -> Option | None:
    """Return the option that chooses a rule set, ``None`` if the game has only one."""
    return next((option for option in game.options if option.presets), None)


async def practise(reply: Reply, chosen: Choices) -> None:
    """Start a match against computers."""
    await play.require_practice(reply)
    asked = against(_invitation(reply, chosen), chosen.level, chosen.players or None)
    begun = await reply.get(Practice).begin(asked, place=reply.match_place)
    await _post(reply, begun, say("Your game is on."))


async def challenge(reply: Reply, chosen: Choices, people: list[int]) -> None:
    """Post a challenge to the given people, or to anyone if there are none."""
    await play.require_challenges(reply)
    places = max(chosen.players, len(people) + 1) if chosen.players else None
    if not people:
        places = chosen.players or chosen.played.players[0]
    asked = replace(
        _invitation(reply, chosen),
        opponents=tuple(people),
        places=places if len(chosen.played.players) > 1 else None,
        days=chosen.days or None,
        bank=chosen.bank or None,
        casual=not chosen.rated,
    )
    offered = await reply.get(Challenges).offer(asked)
    await _post(reply, offered, play_text.posted(people))


async def _post(reply: Reply, challenge: Challenge, words: str) -> None:
    """Post a challenge publicly, and replace the controls with some words."""
    try:
        await reply.replace(text_layout(words))
    finally:
        await reply.get(ChallengeMessages).post(reply, challenge)


def _invitation(reply: Reply, chosen: Choices) -> Invitation:
    seat = chosen.seat - 1 if chosen.seat else None
    return invitation(reply, chosen.played, options_of(chosen), seat)


def options_of(chosen: Choices) -> dict[str, str]:
    """Return the options of the game that were chosen."""
    sets = rule_sets(chosen.played)
    return {sets.name: chosen.rules} if sets is not None and chosen.rules in sets.values else {}
