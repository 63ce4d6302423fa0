"""What a move does, in the few words of a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.deed import Begun, Deed, Worth
from engine.game import Seat
from engine.games.tablan import notation
from engine.games.tablan.board import GOAL_START
from engine.games.tablan.danger import exposed
from engine.games.tablan.state import Split, Walk
from engine.phrase import listed, say

if TYPE_CHECKING:
    from engine.games.tablan.state import State


def deed(before: State, move: Walk | Split) -> Deed:
    """Return what a legal move does; the second half of a split alone is its short form."""
    match move:
        case Walk():
            told = _named(before, move)
            return Deed(told, told, _worth(before, move))
        case Split(first, second):
            worth = min(_worth(before, first), _worth(before, second))
            # Translators: two men walk half of a throw each, such as "e1 to f1, then g1 to h1".
            text = say(
                "{first}, then {second}",
                first=_named(before, first),
                second=_second(before, second),
            )
            # Translators: the second half of a move, such as "then g1 to h1".
            return Deed(text, say("then {second}", second=_second(before, second)), worth)


def risk(before: State, after: State, move: Walk | Split) -> str:
    """Return with which throws the other side could take a man who has walked."""
    walks = (move,) if isinstance(move, Walk) else (move.first, move.second)
    found = exposed(after, before.seat)
    scores = {score for walk in walks for score in found.get(walk.target, ())}
    if not scores:
        return ""
    thrown = listed(map(str, sorted(scores)), either=True)
    # Translators: beside a move in a menu; scores is what the enemy would have to throw: "2 or 8".
    return say("a {scores} could take it", scores=thrown)


def begun(state: State, steps: tuple[str, ...]) -> Begun:
    """Return the first half of a split throw, and the question which man walks the other."""
    walk = notation.read(steps[0])
    assert isinstance(walk, Walk)
    told = _named(state, walk)
    question = say(
        "{origin} to {target}. Which man walks the other half?",
        origin=walk.origin,
        target=walk.target,
    )
    return Begun(told, question)


def _worth(before: State, walk: Walk) -> Worth:
    if before.holds(Seat(1 - before.seat), walk.target):
        return Worth.TAKES
    home = before.settings.course.places[before.seat][walk.target] >= GOAL_START
    return Worth.GAINS if home else Worth.PLAIN


def _named(before: State, walk: Walk) -> str:
    worth = _worth(before, walk)
    if worth is Worth.TAKES:
        # Translators: an entry of a menu: a man is taken, and from where.
        return say("capture on {target} from {origin}", origin=walk.origin, target=walk.target)
    if worth is Worth.GAINS:
        # Translators: an entry of a menu: a man reaches the last row, and from where.
        return say("home on {target} from {origin}", origin=walk.origin, target=walk.target)
    # Translators: an entry of a menu: a man goes from one square to another.
    return say("man {origin} to {target}", origin=walk.origin, target=walk.target)


def _second(before: State, walk: Walk) -> str:
    if _worth(before, walk) is Worth.PLAIN:
        return say("{origin} to {target}", origin=walk.origin, target=walk.target)
    return _named(before, walk)
