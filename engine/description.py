"""A picture in words: where everything stands, then what was played last, as far as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.phrase import Phrase, lines, say, shortened, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MOST: Final = 1024
"""The longest description that Discord takes for a picture."""


def described(facts: Iterable[str], told: Sequence[str] = ()) -> Phrase:
    """Return the description of a picture, in every language at most `MOST` characters.

    The position is always complete. Where room is short, the oldest of the last moves are left
    out.

    Args:
        facts: sentences that tell the position, the most important first.
        told: what was played last, each without a full stop, the oldest first.

    """
    known = shortened(lines(facts, " "), MOST)
    moves = tuple(told)
    return Phrase(
        _fitted(known, moves, str),
        lambda tongue: _fitted(known, moves, lambda words: translated(words, tongue)),
    )


def _fitted(known: str, moves: Sequence[str], into: Callable[[str], str]) -> str:
    facts = into(known)
    kept = [into(move) for move in moves]
    while kept:
        # Translators: what was played since the last picture, such as "e1 to l2; b3 to b5".
        last = into(say("Last: {moves}.", moves="; ".join(kept)))
        if len(facts) + 1 + len(last) <= MOST:
            return f"{facts} {last}"
        del kept[0]
    return facts
