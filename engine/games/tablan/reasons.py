"""What a move gains (men out of reach or home) and gives up (men within reach)."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tablan.board import GOAL_START
from engine.games.tablan.danger import exposed
from engine.games.tablan.state import Phase, Split, State, Walk
from engine.phrase import listed, plural, say


def reason(before: State, move: Walk | Split, after: State) -> str:
    """Return a sentence on what a legal move gains; empty if not obvious."""
    if after.phase is Phase.OVER:
        return ""
    walks = (move,) if isinstance(move, Walk) else (move.first, move.second)
    in_reach, still = exposed(before, before.seat), exposed(after, before.seat)
    saved = [walk.origin for walk in walks if walk.origin in in_reach and walk.target not in still]
    if saved:
        return plural(
            "It brings the man on {squares} out of reach.",
            "It brings the men on {squares} out of reach.",
            len(saved),
            squares=listed(saved),
        )
    if in_reach and not still:
        return say("It leaves no man in reach.")
    places = before.settings.course.places[before.seat]
    if any(places[walk.target] >= GOAL_START for walk in walks):
        return say("That's one more square of the home row.")
    if any(before.holds(Seat(1 - before.seat), walk.target) for walk in walks):
        return "" if still else say("No throw can take a man back.")
    return ""


def price(before: State, move: Walk | Split, after: State) -> str:
    """Return a sentence on what a legal move gives up; empty if not obvious."""
    if after.phase is Phase.OVER:
        return ""
    walks = (move,) if isinstance(move, Walk) else (move.first, move.second)
    were, went = exposed(before, before.seat), {walk.target: walk.origin for walk in walks}
    lost = [
        square
        for square in exposed(after, before.seat)
        if square not in were and went.get(square) not in were
    ]
    if not lost:
        return ""
    return plural(
        "Then a throw could take the man on {squares}.",
        "Then throws could take the men on {squares}.",
        len(lost),
        squares=listed(sorted(lost)),
    )
