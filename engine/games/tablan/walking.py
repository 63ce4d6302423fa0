"""Which men may walk how far: only the rules of movement, on masks of places."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.tablan.board import COURSES, GOAL, GOAL_START, OUTSIDE, bits
from engine.games.tablan.state import Order, Settings, Split, State, Walk

Men: TypeAlias = tuple[int, int]
"""The places of both seats' men, as in `State`."""

_UNLOCKING: Final = 2
"""The unlocking score; men walk it whole or by halves of 1, never further."""


def origins(settings: Settings, seat: Seat, men: Men, fresh: Men, distance: int) -> int:
    """Return the places of the men that may now walk this distance by themselves.

    Args:
        settings: the options of the game.
        seat: the men's owner.
        men: where the men of both seats stand.
        fresh: those that have never moved.
        distance: 1, 2, 4, 6, 8 or 12.
    """
    own = men[seat]
    closed = own | settings.course.intruders[seat][men[1 - seat] >> GOAL_START]
    if settings.order is not Order.FREE:
        closed |= GOAL & ~required(settings, own)
    able = own & OUTSIDE & ~(closed >> distance)
    if settings.unlock and distance > _UNLOCKING:
        able &= ~fresh[seat]
    return able


def required(settings: Settings, own: int) -> int:
    """Return the only place of the last row that an order allows next, as a mask."""
    gaps = GOAL & ~own
    if settings.order is Order.NEAREST_FIRST:
        return gaps & -gaps
    return 1 << gaps.bit_length() >> 1


def seconds(settings: Settings, seat: Seat, men: Men, fresh: Men, *, first: int, half: int) -> int:
    """Return the places of the men that may walk the second half after one has walked the first."""
    own = men[seat] ^ 1 << first ^ 1 << first + half
    moved = (own, men[1]) if seat == 0 else (men[0], own)
    return origins(settings, seat, moved, fresh, half) & ~(1 << first + half)


def splits(
    settings: Settings, seat: Seat, men: Men, fresh: Men, half: int
) -> list[tuple[int, int]]:
    """Return the pairs of men that may walk half each, first and second by their places.

    If both orders are possible, only the one with the man further along first is returned.
    """
    after = {
        first: seconds(settings, seat, men, fresh, first=first, half=half)
        for first in bits(origins(settings, seat, men, fresh, half))
    }
    found = [
        (first, second) for first, able in after.items() for second in bits(able & (1 << first) - 1)
    ]
    if settings.order is Order.NEAREST_FIRST:  # only then may the man behind have to go first
        found += [
            (first, second)
            for first, able in after.items()
            for second in bits(able >> first << first)
            if not after.get(second, 0) >> first & 1
        ]
    return found


def usable(settings: Settings, seat: Seat, men: Men, fresh: Men, score: int) -> bool:
    """Return whether a seat has any way to play a score in full."""
    if origins(settings, seat, men, fresh, score):
        return True
    half = score // 2
    return any(
        seconds(settings, seat, men, fresh, first=first, half=half)
        for first in bits(origins(settings, seat, men, fresh, half))
    )


def stuck(settings: Settings, seat: Seat, men: Men, fresh: Men) -> bool:
    """Return whether a seat has no legal move with any throw."""
    return not (
        usable(settings, seat, men, fresh, 2)
        or usable(settings, seat, men, fresh, 8)
        or usable(settings, seat, men, fresh, 12)
    )


@lru_cache(maxsize=256)
def moves(state: State) -> tuple[Walk | Split, ...]:
    """Return the legal moves with the score in hand; cached, as a turn asks for them many times."""
    settings, seat, men, fresh = state.settings, state.seat, state.men, state.fresh
    score, half, course = state.score, state.score // 2, settings.course.name
    walks = _walks(course, seat, score)
    found: list[Walk | Split] = [
        walks[place] for place in bits(origins(settings, seat, men, fresh, score))
    ]
    pairs = _pairs(course, seat, half)
    found += [pairs[first][second] for first, second in splits(settings, seat, men, fresh, half)]
    return tuple(found)


@cache
def _walks(course: str, seat: Seat, distance: int) -> tuple[Walk, ...]:
    """Return every walk of this length by its place of origin; created once and shared."""
    squares = COURSES[course].squares[seat]
    return tuple(Walk(squares[place], squares[place + distance]) for place in range(GOAL_START))


@cache
def _pairs(course: str, seat: Seat, half: int) -> tuple[tuple[Split, ...], ...]:
    walks = _walks(course, seat, half)
    return tuple(tuple(Split(first, second) for second in walks) for first in walks)
