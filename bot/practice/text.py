"""The text of practice matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.matches.positions import MatchView
    from bot.practice.hints import Hint
    from engine.phrase import Phrase

LEVELS: Final[Mapping[int, Phrase]] = {
    # Translators: the five levels of computers, chosen in a menu; at most 100 characters each.
    1: say("1 · a beginner, whom a child beats"),
    2: say("2 · knows the rules and takes what it sees"),
    3: say("3 · looks ahead a little, and slips now and then"),
    4: say("4 · a good player, who seldom slips"),
    5: say("5 · as strong as it can be in a second"),
}
"""Descriptions of the levels."""
_CLOSE: Final = 0.02
"""Moves whose values differ by less count as equally good."""
CERTAIN: Final = 0.999
"""Expected results above this count as a certain win."""


def percent(expected: float) -> str:
    """Return an expected result in percent of a win."""
    return str(round(100 * expected))


def hint(view: MatchView, given: Hint, taken: int) -> Phrase:
    """Return the text of a hint: the move, the reason, and the number of hints so far."""
    move = view.game.read(view.state, given.move)
    counted = plural(
        "-# {n} hint in this match so far; the end tells how many.",
        "-# {n} hints in this match so far; the end tells how many.",
        taken,
    )
    told = say(
        "I would play **{notation}**: {move}.",
        notation=given.move,
        move=view.game.tell(view.state, move),
    )
    return lines((told, _why(given), counted))


def _why(given: Hint) -> Phrase:
    if given.second is None:
        return say("It is the only move you have.")
    if given.expected > CERTAIN:
        return say("It wins, as far as I can see.")
    if given.expected < 1 - CERTAIN:
        return say("As far as I can see this game is lost, whatever you play.")
    other, less = given.second
    if given.expected - less < _CLOSE:
        return say(
            "It promises you about {expected} of 100 games; {other} is nearly as good.",
            expected=percent(given.expected),
            other=other,
        )
    return say(
        "It promises you about {expected} of 100 games, the next best move, {other}, only {less}.",
        expected=percent(given.expected),
        other=other,
        less=percent(less),
    )


def hints_taken(number: int) -> Phrase:
    """Return how many hints a player has taken, told at the end of a match."""
    return plural("With {n} hint.", "With {n} hints.", number)
