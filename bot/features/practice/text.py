"""Text of practice matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.play.matches.advice import CERTAIN, percent
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from bot.features.practice.hints import Hint
    from bot.play.matches.positions import MatchView
    from engine.phrase import Phrase

_CLOSE: Final = 0.02
"""Moves whose values differ by less count as equally good."""


def hint(view: MatchView, given: Hint, taken: int) -> Phrase:
    """Return the text of a hint: the move, the reason, and the number of hints so far."""
    game, state = view.game, view.state
    move = game.read(state, given.move)
    counted = plural(
        "-# {n} hint so far. The result says how many you took.",
        "-# {n} hints so far. The result says how many you took.",
        taken,
    )
    sentence = _hint(given, game.move_label(state, move).text)
    judged = (game.reason(state, move), game.price(state, move), _compared(given))
    reason = lines(filter(None, judged), " ")
    return lines((sentence, reason, counted))


def _hint(given: Hint, move: str) -> Phrase:
    if given.expected > CERTAIN:
        # Translators: move is what the notation means: "man e5 to e9", "enter a piece".
        return say("**{notation}**, {move}: this wins.", notation=given.move, move=move)
    return say(
        # Translators: move is what the notation means: "man e5 to e9", "enter a piece".
        "**{notation}**, {move}: {expected} % win chance.",
        notation=given.move,
        move=move,
        expected=percent(given.expected),
    )


def _compared(given: Hint) -> Phrase:
    if given.second is None:
        return say("It's your only move.")
    if given.expected < 1 - CERTAIN:
        return say("I don't see a way to save this one.")
    other, less = given.second
    if given.expected - less < _CLOSE:
        # Translators: other is another move in notation.
        return say("{other} is almost as good.", other=other)
    return say("Next best is {other}, at {less} %.", other=other, less=percent(less))
