"""Why a move is illegal: the rule of the document in use, and the squares."""

from __future__ import annotations

from typing import Final

from engine.errors import IllegalMove
from engine.game import Seat
from engine.games.tablan.board import COURSES, GOAL, GOAL_START, bits
from engine.games.tablan.documents import BY_NAME
from engine.games.tablan.state import Move, Order, Phase, Split, State, Throw, Walk
from engine.games.tablan.verdict import CALLED
from engine.games.tablan.walking import required
from engine.phrase import plural, say

# The rules that a move can break, each by Walker's number and by Bell's. A rule found in only one
# leaflet is quoted from that one.
_START: Final = ("W3", "W3")
_THROW_FIRST: Final = ("W7", "B2")
_USE_THE_SCORE: Final = ("W13", "B11")
_ONES_OWN_MAN: Final = ("W10", "B5")
_SCORE: Final = ("W10", "B2")
_HALVES: Final = ("W10", "B4")
_HALVES_OF_TWO: Final = ("W10", "B3")
_ALONGSIDE: Final = ("W5", "W5")
_OPPOSED: Final = ("B5", "B5")
_ARRIVED: Final = ("W11", "B7")
_ONE_MAN_A_SQUARE: Final = ("W12", "B10")
_SAFE: Final = ("W16", "B7")
_LOCKED: Final = ("B3", "B3")
_FURTHEST_FIRST: Final = ("W20", "W20")
_NEAREST_FIRST: Final = ("B8", "B8")


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is illegal, or ``None`` if it is legal.

    A split is checked in the order it is written. The game must not have ended.
    """
    if state.phase is not Phase.MOVE:
        return _to_throw(state, move)
    match move:
        case Throw():
            return _refused(
                state,
                _USE_THE_SCORE,
                plural(
                    "{seat} has {n} point to play before the next throw.",
                    "{seat} has {n} points to play before the next throw.",
                    state.score,
                    seat=_name(state),
                ),
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
            _START,
            say("No man moves yet: the sides throw for the start, {seat} next.", seat=_name(state)),
            *squares,
        )
    message = say("{seat} must throw the sticks before a man moves.", seat=_name(state))
    return _refused(state, _THROW_FIRST, message, *squares)


def _split(state: State, split: Split) -> IllegalMove | None:
    objection = _split_objection(state, split)
    turned = Split(split.second, split.first)
    if objection is None or _split_objection(state, turned) is not None:
        return objection
    # Translators: why a move of two halves cannot be played, and that the halves can be swapped.
    message = say(
        "{why} The other way round it can be played: {move}.",
        why=objection.sentence,
        move=_typed(turned),
    )
    return IllegalMove(objection.rule, message, objection.squares)


def _split_objection(state: State, split: Split) -> IllegalMove | None:
    """Return why a split cannot be played in the order it is written."""
    first, second = split.first, split.second
    check = _Check(state, state.score, split=True)
    objection = check.objection(first)
    if objection is not None:
        return objection
    if second.origin in {first.origin, first.target}:
        return _refused(
            state,
            check.splitting_rule,
            say(
                "The two halves of a split throw go to two different men, and the man from "
                "{square} has walked already.",
                square=first.origin,
            ),
            second.origin,
        )
    check.walk(first)
    return check.objection(second)


class _Check:
    """Checks one man's walk on a copy of the position, which a first half may have changed."""

    def __init__(self, state: State, score: int, *, split: bool = False) -> None:
        self._state = state
        self._places = state.settings.course.places[state.seat]
        self._walk = state.course(state.seat)
        self._own = state.men[state.seat]
        self._score = score
        self._split = split
        self._distance = score // 2 if split else score

    @property
    def splitting_rule(self) -> tuple[str, str]:
        """The rule on splitting this score."""
        return _HALVES_OF_TWO if self._score == 2 else _HALVES

    def walk(self, walk: Walk) -> None:
        """Make a walk that has no objection."""
        self._own ^= 1 << self._places[walk.origin] | 1 << self._places[walk.target]

    def objection(self, walk: Walk) -> IllegalMove | None:
        """Return why a man may not make this walk, or ``None``."""
        return self._no_man(walk) or self._too_far(walk) or self._no_room(walk)

    def _no_man(self, walk: Walk) -> IllegalMove | None:
        state, square = self._state, walk.origin
        if self._own >> self._places[square] & 1:
            if self._places[square] < GOAL_START:
                return None
            message = say(
                "The man on {square} has reached the last row and moves no more.", square=square
            )
            return _refused(state, _ARRIVED, message, square)
        if square in state.squares(_other(state)):
            message = say(
                "The man on {square} is {other}'s; it is {seat}'s turn.",
                square=square,
                other=CALLED[_other(state)],
                seat=_name(state),
            )
            return _refused(state, _ONES_OWN_MAN, message, square)
        message = say("{seat} has no man on {square}.", seat=_name(state), square=square)
        return _refused(state, _ONES_OWN_MAN, message, square)

    def _too_far(self, walk: Walk) -> IllegalMove | None:
        state, place = self._state, self._places[walk.origin]
        walked = self._places[walk.target] - place
        if walked == self._distance:
            return self._locked(walk)
        if walked <= 0:
            return self._backwards(walk)
        reached = self._walk[place + self._distance]
        squares = {"origin": walk.origin, "target": walk.target, "reached": reached}
        if not self._split and walked * 2 == self._score:
            # Translators: move is a move as it is typed, such as "e1-f1".
            message = plural(
                "{move} uses only half of the {n} point: {origin} walks all of them to {reached}, "
                "or a second man walks the other half.",
                "{move} uses only half of the {n} points: {origin} walks all of them to {reached}, "
                "or a second man walks the other half.",
                self._score,
                move=_typed(walk),
                **squares,
            )
            return _refused(state, _USE_THE_SCORE, message, walk.origin, walk.target)
        if self._split:
            message = plural(
                "From {origin} to {target} it is {walked}, but the man walks half of the {n} point, "
                "{half}, to {reached}.",
                "From {origin} to {target} it is {walked}, but the man walks half of the {n} points, "
                "{half}, to {reached}.",
                self._score,
                walked=walked,
                half=self._distance,
                **squares,
            )
            return _refused(state, self.splitting_rule, message, walk.target, reached)
        # Translators: walked is how many squares lie between the two.
        message = plural(
            "From {origin} to {target} it is {walked}, but the man walks {n} point, to {reached}.",
            "From {origin} to {target} it is {walked}, but the man walks {n} points, to {reached}.",
            self._score,
            walked=walked,
            **squares,
        )
        return _refused(state, _SCORE, message, walk.target, reached)

    def _locked(self, walk: Walk) -> IllegalMove | None:
        """Return the objection that a man walking the right distance may not walk yet, if so."""
        state = self._state
        if not state.settings.unlock or self._distance <= 2:
            return None
        if walk.origin not in state.unmoved(state.seat):
            return None
        message = say(
            "The man on {square} has not moved yet: only a throw of 2 unlocks it.",
            square=walk.origin,
        )
        return _refused(state, _LOCKED, message, walk.origin)

    def _backwards(self, walk: Walk) -> IllegalMove:
        state, place = self._state, self._places[walk.origin]
        following = self._walk[place + 1]
        direction = _ALONGSIDE if state.settings.course == COURSES["alongside"] else _OPPOSED
        if walk.origin == walk.target:
            message = say(
                "A man cannot stay where it is: from {square} its next square is {following}.",
                square=walk.origin,
                following=following,
            )
        else:
            message = say(
                "A man cannot walk back: from {square} its next square is {following}.",
                square=walk.origin,
                following=following,
            )
        return _refused(state, direction, message, walk.origin, walk.target)

    def _no_room(self, walk: Walk) -> IllegalMove | None:
        state, place = self._state, self._places[walk.target]
        settings, seat = state.settings, state.seat
        if self._own >> place & 1:
            message = say(
                "{seat}'s own man stands on {square}, and a square holds one man.",
                seat=_name(state),
                square=walk.target,
            )
            return _refused(state, _ONE_MAN_A_SQUARE, message, walk.target)
        held = settings.course.intruders[seat][state.men[_other(state)] >> GOAL_START]
        if held >> place & 1:
            message = say(
                "The enemy on {square} has arrived in {seat}'s home row and cannot be taken there.",
                square=walk.target,
                seat=_name(state),
            )
            return _refused(state, _SAFE, message, walk.target)
        if settings.order is Order.FREE or not GOAL >> place & 1:
            return None
        due = required(settings, self._own)
        if due >> place & 1:
            return None
        square = self._walk[bits(due)[0]]
        return _refused(
            state,
            _FURTHEST_FIRST if settings.order is Order.FURTHEST_FIRST else _NEAREST_FIRST,
            say(
                "The next square of the last row to be taken is {due}, not {square}.",
                due=square,
                square=walk.target,
            ),
            walk.target,
            square,
        )


def _refused(state: State, rule: tuple[str, str], sentence: str, *squares: str) -> IllegalMove:
    walker, bell = rule
    name = bell if state.settings.rules == "bell" else walker
    return IllegalMove(BY_NAME[name], sentence, squares)


def _name(state: State) -> str:
    return CALLED[state.seat]


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
