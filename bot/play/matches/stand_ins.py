"""Computers that take over for players who give up in a match of three or four.

Players who give up come last; the others play on for their places. The computer's level is the
same in every game and seat, and is shown on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.core.computers import is_computer, is_person, level_of
from bot.core.i18n.mentions import mention
from bot.play.matches.positions import MatchView
from data.matches.matches import Match, Player
from engine.phrase import Phrase, say
from engine.placing import placed

LEVEL: Final = 3
"""A club player: neither an easy win for the others nor the favourite."""


def computer_level(player: Player) -> int | None:
    """Return the level of the computer playing a seat; ``None`` for a person."""
    if is_computer(player.user_id):
        return level_of(player.user_id)
    return None if player.gave_up is None else LEVEL


def playing(match: Match) -> tuple[Player, ...]:
    """Return the players who have not given up."""
    return tuple(player for player in match.players if player.gave_up is None)


def can_continue(match: Match) -> bool:
    """Return whether the match can continue if another player gives up."""
    people = [player for player in playing(match) if is_person(player.user_id)]
    return len(people) > 2


def final_ranks(players: Sequence[Player], ranks: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks in the order of the players; those who gave up come last."""
    gave_up = [place for place, player in enumerate(players) if player.gave_up is not None]
    return placed(ranks, sorted(gave_up, key=lambda place: players[place].gave_up or 0))


def replacement_lines(view: MatchView) -> tuple[Phrase, ...]:
    """Return one line for each player replaced by a computer on this turn."""
    return tuple(_line(player) for player in view.match.players if view.stands_in(player))


def _line(player: Player) -> Phrase:
    facts = {"player": mention(player.user_id), "level": LEVEL}
    if player.gave_up_how == "resigned":
        return say("-# Computer (level {level}) plays for {player}, who resigned", **facts)
    if player.gave_up_how == "forfeited":
        return say("-# Computer (level {level}) plays for {player}, who ran out of time", **facts)
    return say("-# Computer (level {level}) plays for {player}, who left", **facts)
