"""What decided a game: who led since when, and whose pieces were sent back."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Entry
from engine.games.thaayam.sentences import captured
from engine.games.thaayam.state import CALLED, HAND, OFF, PAIR, Move, Phase, Side, State, Throw
from engine.phrase import Phrase, lines, listed, plural, say

_HOME = OFF // 2
"""What a piece brought home counts as: further than the keep."""


def story(log: Sequence[Entry[State, Move]], end: State) -> str:
    """Return a sentence on who led, and one on captures."""
    if not any(not isinstance(entry.move, Throw) for entry in log):
        return ""
    return lines(filter(None, (_lead(log, end), _sent_back(log, end))), " ")


def _lead(log: Sequence[Entry[State, Move]], end: State) -> Phrase | None:
    """Return since when the winner, or whoever is furthest at an early end, was furthest."""
    ways = [[_way(side) for side in state.sides] for state in (*(e.before for e in log), end)]
    leader = (
        end.turn if end.phase is Phase.OVER else max(range(len(ways[-1])), key=ways[-1].__getitem__)
    )

    def leads(way: Sequence[int]) -> bool:
        return all(way[leader] > other for seat, other in enumerate(way) if seat != leader)

    if not leads(ways[-1]):
        return None
    since = next(place for place in range(len(ways), 0, -1) if not leads(ways[place - 1]))
    facts = {"leader": CALLED[end.seats[leader]], "move": log[since - 1].turn}
    others = [max(way[s] for s in range(len(way)) if s != leader) - way[leader] for way in ways]
    if (behind := max(others)) > 0:
        # Translators: n squares behind whoever was furthest; all pieces together.
        return plural(
            "{leader} was once {n} square behind, but ahead for good from move {move} on.",
            "{leader} was once {n} squares behind, but ahead for good from move {move} on.",
            behind,
            **facts,
        )
    return say("{leader} was ahead from move {move} on.", **facts)


def _way(side: Side) -> int:
    """Return how many squares all pieces of a side have come."""
    return sum(map(_piece, side))


def _piece(code: int) -> int:
    if code in {HAND, OFF}:
        return _HOME if code == OFF else 0
    return 2 * ((code - PAIR) // 2) if code >= PAIR else code // 2


def _sent_back(log: Sequence[Entry[State, Move]], end: State) -> Phrase:
    """Return how many pieces of each side were sent back to the start."""
    sent = [0] * len(end.sides)
    after = [*(entry.before for entry in log[1:]), end]
    for entry, later in zip(log, after, strict=True):
        if not isinstance(entry.move, Throw):
            for index, number in captured(entry.before, later):
                sent[index] += max(0, number) if index != entry.before.turn else 0
    if not any(sent):
        return say("Nobody's pieces were sent back.")
    # Translators: seat is a side such as South: so many of its pieces were captured.
    parts = [
        say("{seat} {n}×", seat=CALLED[seat], n=number)
        for seat, number in zip(end.seats, sent, strict=True)
        if number
    ]
    # Translators: sides is a list such as "South 3× and North 7×".
    return say("Sent back to the start: {sides}.", sides=listed(parts))
