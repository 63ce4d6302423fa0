"""Why a move is not legal: the rule of the document that is played by, and the squares."""

from __future__ import annotations

from typing import Final

from engine.errors import IllegalMove
from engine.game import Seat
from engine.games.tablan.board import GOAL, GOAL_START, bits
from engine.games.tablan.documents import BY_NAME
from engine.games.tablan.state import Move, Order, Phase, Split, State, Throw, Walk
from engine.games.tablan.verdict import NAMES
from engine.games.tablan.walking import required

# What Walker's rules say, and where Bell says the same. Bell does not tell how to start.
_IN_BELL: Final = {
    "W3": "W3",
    "W5": "B5",
    "W7": "B2",
    "W10": "B4",
    "W11": "B7",
    "W12": "B10",
    "W13": "B11",
    "W16": "B7",
}


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is not legal, or ``None`` where it is.

    A split is checked in the order it is written. The game has not ended.
    """
    if state.phase is not Phase.MOVE:
        return _to_throw(state, move)
    match move:
        case Throw():
            return _refused(
                state,
                "W13",
                f"{_name(state)} has {state.score} points to play before the next throw.",
            )
        case Walk():
            return _Check(state, state.score).objection(move)
        case Split():
            return _split(state, move)


def _to_throw(state: State, move: Move) -> IllegalMove | None:
    if isinstance(move, Throw):
        return None
    squares = _squares(move)
    if state.phase is Phase.START:
        return _refused(
            state,
            "W3",
            f"No man moves yet: the sides throw for the start, {_name(state)} next.",
            *squares,
        )
    return _refused(
        state, "W7", f"{_name(state)} must throw the sticks before a man moves.", *squares
    )


def _split(state: State, split: Split) -> IllegalMove | None:
    first, second = split.first, split.second
    check = _Check(state, state.score, split=True)
    objection = check.objection(first)
    if objection is not None:
        return _with_hint(state, split, objection)
    if second.origin in {first.origin, first.target}:
        return _refused(
            state,
            check.splitting_rule,
            f"The two halves of a split throw go to two different men, and the man from "
            f"{first.origin} has walked already.",
            second.origin,
        )
    check.walk(first)
    return check.objection(second)


def _with_hint(state: State, split: Split, objection: IllegalMove) -> IllegalMove:
    """Add the advice to turn a split round, where that makes it legal."""
    if split.second.origin != split.first.target:
        return objection
    turned = Split(split.second, split.first)
    if _split_is_legal(state, turned):
        advice = f" Write it the other way round: {_typed(turned)}."
        return IllegalMove(objection.rule, objection.sentence + advice, objection.squares)
    return objection


def _split_is_legal(state: State, split: Split) -> bool:
    check = _Check(state, state.score, split=True)
    if check.objection(split.first) is not None:
        return False
    check.walk(split.first)
    return check.objection(split.second) is None


class _Check:
    """Checks one man's walk on a copy of the position that a first half may have changed."""

    def __init__(self, state: State, score: int, *, split: bool = False) -> None:
        self._state = state
        self._places = state.settings.course.places[state.seat]
        self._walk = state.course(state.seat)
        self._own = state.men[state.seat]
        self._score = score
        self._split = split
        self._distance = score // 2 if split else score

    @property
    def splitting_rule(self) -> str:
        """The rule on splitting this score, as Walker numbers it or as Bell does."""
        return "B3" if self._state.settings.rules == "bell" and self._score == 2 else "W10"

    def walk(self, walk: Walk) -> None:
        """Make a walk to which there is no objection."""
        self._own ^= 1 << self._places[walk.origin] | 1 << self._places[walk.target]

    def objection(self, walk: Walk) -> IllegalMove | None:
        """Return why a man may not walk so, or ``None``."""
        return self._no_man(walk) or self._too_far(walk) or self._no_room(walk)

    def _no_man(self, walk: Walk) -> IllegalMove | None:
        state, square = self._state, walk.origin
        if self._own >> self._places[square] & 1:
            if self._places[square] < GOAL_START:
                return None
            return _refused(
                state,
                "W11",
                f"The man on {square} has reached the last row and moves no more.",
                square,
            )
        if square in state.squares(_other(state)):
            whose = NAMES[_other(state)].capitalize()
            return _refused(
                state,
                "W10",
                f"The man on {square} is {whose}'s; it is {_name(state)}'s turn.",
                square,
            )
        return _refused(state, "W10", f"{_name(state)} has no man on {square}.", square)

    def _too_far(self, walk: Walk) -> IllegalMove | None:
        state, place = self._state, self._places[walk.origin]
        walked = self._places[walk.target] - place
        if walked == self._distance:
            if state.settings.unlock and walked > 2 and walk.origin in state.unmoved(state.seat):
                return _refused(
                    state,
                    "B3",
                    f"The man on {walk.origin} has not moved yet: only a throw of 2 unlocks it.",
                    walk.origin,
                )
            return None
        if walked <= 0:
            onward = f"from {walk.origin} its next square is {self._walk[place + 1]}"
            why = "stay where it is" if walked == 0 else "walk back"
            return _refused(state, "W5", f"A man cannot {why}: {onward}.", walk.origin, walk.target)
        reached = self._walk[place + self._distance]
        if not self._split and walked * 2 == self._score:
            return _refused(
                state,
                "W13",
                f"{_typed(walk)} uses only half of the {self._score} points: {walk.origin} walks "
                f"all of them to {reached}, or a second man walks the other half.",
                walk.origin,
                walk.target,
            )
        share = f"{self._score} points"
        if self._split:
            share = f"half of the {self._score} points, {self._distance}"
        return _refused(
            state,
            self.splitting_rule if self._split else "W10",
            f"From {walk.origin} to {walk.target} it is {walked}, but the man walks {share}, "
            f"to {reached}.",
            walk.target,
            reached,
        )

    def _no_room(self, walk: Walk) -> IllegalMove | None:
        state, place = self._state, self._places[walk.target]
        settings, seat = state.settings, state.seat
        if self._own >> place & 1:
            return _refused(
                state,
                "W12",
                f"{_name(state)}'s own man stands on {walk.target}, and a square holds one man.",
                walk.target,
            )
        held = settings.course.intruders[seat][state.men[_other(state)] >> GOAL_START]
        if held >> place & 1:
            return _refused(
                state,
                "W16",
                f"The enemy on {walk.target} has arrived in {_name(state)}'s home row and cannot "
                "be taken there.",
                walk.target,
            )
        if settings.order is Order.FREE or not GOAL >> place & 1:
            return None
        due = required(settings, self._own)
        if due >> place & 1:
            return None
        square = self._walk[bits(due)[0]]
        return _refused(
            state,
            "W20" if settings.order is Order.FURTHEST_FIRST else "B8",
            f"The next square of the last row to be taken is {square}, not {walk.target}.",
            walk.target,
            square,
        )


def _refused(state: State, walker: str, sentence: str, *squares: str) -> IllegalMove:
    """Return a refusal by a rule of Walker's, or by the one of Bell's that says the same."""
    name = _IN_BELL.get(walker, walker) if state.settings.rules == "bell" else walker
    return IllegalMove(BY_NAME[name], sentence, squares)


def _name(state: State) -> str:
    return NAMES[state.seat].capitalize()


def _other(state: State) -> Seat:
    return Seat(1 - state.seat)


def _squares(move: Walk | Split) -> tuple[str, ...]:
    match move:
        case Walk(origin, target):
            return (origin, target)
        case Split(first, second):
            return (first.origin, first.target, second.origin, second.target)


def _typed(move: Walk | Split) -> str:
    match move:
        case Walk(origin, target):
            return f"{origin}-{target}"
        case Split(first, second):
            return f"{_typed(first)},{_typed(second)}"
