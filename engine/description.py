"""A picture in words: where everything stands, then the last moves as far as they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.phrase import Phrase, lines, say, shortened, translated

MAX_DESCRIPTION: Final = 1024
"""Discord's limit for a picture's description."""
_BETWEEN: Final = "; "


def described(facts: Iterable[str], last_moves: Sequence[str] = ()) -> Phrase:
    """Return a picture's description, at most `MAX_DESCRIPTION` characters in every language.

    The position is always complete. If space is short, the oldest of the last moves are dropped.

    Args:
        facts: sentences describing the position, the most important first.
        last_moves: the last moves, each without a full stop, the oldest first.
    """
    known = shortened(lines(facts, " "), MAX_DESCRIPTION)
    moves = tuple(last_moves)
    return Phrase(
        _fitted(known, moves, str),
        lambda tongue: _fitted(known, moves, lambda words: translated(words, tongue)),
    )


def _fitted(known: str, moves: Sequence[str], into: Callable[[str], str]) -> str:
    facts, kept = into(known), list[str]()
    room = MAX_DESCRIPTION - len(f"{facts} {into(_last(''))}")
    for move in reversed(moves):
        text = into(move)
        room -= len(_BETWEEN) + len(text) if kept else len(text)
        if room < 0:
            break
        kept.insert(0, text)
    return f"{facts} {into(_last(_BETWEEN.join(kept)))}" if kept else facts


def _last(moves: str) -> Phrase:
    # Translators: what was played since the last picture, such as "e1 to l2; b3 to b5".
    return say("Last: {moves}.", moves=moves)
