"""What a move does, in a menu's few words."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from engine.game import Seat
from engine.games.tablan import notation
from engine.games.tablan.board import GOAL_START
from engine.games.tablan.danger import threats
from engine.games.tablan.state import Settings, Split, State, Walk
from engine.games.tablan.walking import Men
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import listed, say


def move_label(before: State, move: Walk | Split) -> MoveLabel:
    """Return what a legal move does; the second half of a split alone is its short form.

    Cached: menus are full of them, and most recur.
    """
    if isinstance(move, Walk):
        label = _of_walk(move, _worth(before, move))
        starts = [move.origin]
    else:
        label = _of_split(move, _worth(before, move.first), _worth(before, move.second))
        starts = [move.first.origin, move.second.origin]
    if label.kind or not before.settings.unlock:
        return label
    if not any(square in before.unmoved(before.seat) for square in starts):
        return label
    # Translators: the name of a menu: first moves of men, after which they may walk further.
    return replace(label, kind=say("Unlock a man"))


@cache
def _of_walk(walk: Walk, worth: Worth) -> MoveLabel:
    text = _named(walk, worth)
    return MoveLabel(text, text, worth, kind=_kind(worth))


@lru_cache(maxsize=4096)
def _of_split(split: Split, one: Worth, two: Worth) -> MoveLabel:
    then = _second(split.second, two)
    # Translators: two men walk half of a throw each, such as "e1 to f1, then g1 to h1".
    text = say("{first}, then {second}", first=_named(split.first, one), second=then)
    # Translators: the second half of a move, such as "then g1 to h1".
    worth = min(one, two)
    return MoveLabel(text, say("then {second}", second=then), worth, kind=_kind(worth))


def _kind(worth: Worth) -> str:
    # Translators: the name of a menu: moves that bring a man to the last row.
    return say("Bring a man home") if worth is Worth.GAINS else ""


def risk(settings: Settings, seat: Seat, men: Men, fresh: Men, move: Walk | Split) -> str:
    """Return the throws with which the other side could take a man that has walked.

    Args:
        settings: the options of the game.
        seat: the mover.
        men: where the men of both seats stand after the move.
        fresh: those that have never moved.
        move: the move.
    """
    places, across = settings.course.places[seat], settings.course.across[seat]
    scores: set[int] = set()
    for walk in (move,) if isinstance(move, Walk) else (move.first, move.second):
        place = places[walk.target]
        if men[seat] >> place & 1:  # otherwise the same man has walked on
            scores |= threats(settings, Seat(1 - seat), men, fresh, across[place])
    return _taken_with(tuple(sorted(scores))) if scores else ""


@cache
def _taken_with(scores: tuple[int, ...]) -> str:
    thrown = listed(map(str, scores), either=True)
    # Translators: beside a move in a menu; scores is what the enemy would have to throw: "2 or 8".
    return say("a {scores} could take it", scores=thrown)


def steps_label(state: State, steps: tuple[str, ...]) -> StepsLabel:
    """Return the first half of a split throw, and the question of who walks the other half."""
    walk = notation.read(steps[0])
    assert isinstance(walk, Walk)
    text = _named(walk, _worth(state, walk))
    question = say(
        "{origin} to {target}. Which man walks the other half?",
        origin=walk.origin,
        target=walk.target,
    )
    return StepsLabel(text, question)


def _worth(before: State, walk: Walk) -> Worth:
    if before.holds(Seat(1 - before.seat), walk.target):
        return Worth.TAKES
    home = before.settings.course.places[before.seat][walk.target] >= GOAL_START
    return Worth.GAINS if home else Worth.PLAIN


@cache
def _named(walk: Walk, worth: Worth) -> str:
    """Return a walk in words."""
    if worth is Worth.TAKES:
        # Translators: an entry of a menu: a man is taken, and from where.
        return say("capture on {target} from {origin}", origin=walk.origin, target=walk.target)
    if worth is Worth.GAINS:
        # Translators: an entry of a menu: a man reaches the last row, and from where.
        return say("home on {target} from {origin}", origin=walk.origin, target=walk.target)
    # Translators: an entry of a menu: a man goes from one square to another.
    return say("man {origin} to {target}", origin=walk.origin, target=walk.target)


@cache
def _second(walk: Walk, worth: Worth) -> str:
    if worth is Worth.PLAIN:
        return say("{origin} to {target}", origin=walk.origin, target=walk.target)
    return _named(walk, worth)
