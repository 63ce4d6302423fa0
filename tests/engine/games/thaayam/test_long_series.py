"""A series of thousands of throws, possible only in a record, uses memory linear in its length."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from engine.games.thaayam import GAME
from engine.games.thaayam.series import plays, without
from engine.games.thaayam.state import SOUTH, Series, State
from engine.record import MAX_ENTRIES
from engine.replay import replay

BYTES = 2000
"""Per entry, to replay it and hold the position after it."""


def series(length: int, scores: str = "014") -> list[str]:
    """Return the log of an opening and a series that begins with a 1 and ends with a 2."""
    dice = random.Random(length)
    return ["*4", "*1", "*1", *(f"*{dice.choice(scores)}" for _ in range(length - 2)), "*2"]


@pytest.mark.parametrize("length", [1000, MAX_ENTRIES])
def test_replaying_a_record_of_one_long_series_takes_memory_linear_in_its_length(
    length: int,
) -> None:
    log = [*series(length), "in", "in", "in", "in"]
    tracemalloc.start()
    played = list(replay(GAME, log))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(played) == len(log)
    assert peak < BYTES * length + 2_000_000  # the caches for moves


def test_beyond_enough_throws_the_legal_moves_stay_the_same() -> None:
    side = (0, 6, 16, 52)
    many = [1, 4, 8] * 130
    assert plays(SOUTH, side, [*many, 2]) == plays(SOUTH, side, [*many * 50, 2])


def test_throws_stay_in_the_order_thrown_and_the_earliest_of_equal_ones_is_used_first() -> None:
    log = series(500)
    state = final(log)
    scores = [{"*0": 8, "*1": 1, "*2": 2, "*4": 4}[entry] for entry in log[2:]]
    assert GAME.write_position(state).endswith(f"south {','.join(map(str, scores))}")
    entered = final([*log, "in"])
    assert list(entered.throws) == scores[1:]
    assert GAME.read_position(GAME.write_position(entered)) == entered


def test_throws_before_the_first_one_are_lost_however_many() -> None:
    state = final(["*4", "*1", *["*4"] * 2000, "*1", "*0", "*2"])
    assert GAME.write_position(state).endswith("south 1,8,2")


def test_the_earliest_of_equal_throws_is_used_first() -> None:
    assert list(without([4, 1, 8, 4, 1, 2], (4, 1))) == [8, 4, 1, 2]


def test_a_series_continued_in_two_ways_is_two_series() -> None:
    begun = Series([4, 1])
    assert list(begun.and_then(8)) == [4, 1, 8]
    assert list(begun.and_then(2)) == [4, 1, 2]
    assert list(begun) == [4, 1]
    assert begun.and_then(2) == Series([4, 1, 2])
    assert hash(begun.and_then(2)) == hash(Series([4, 1, 2]))
    assert begun.and_then(2) != begun.and_then(3)


def test_a_series_of_any_length_can_be_compared_shown_and_freed() -> None:
    one, two = Series([1] * 200_000), Series([1] * 200_000)
    assert one == two
    assert len(repr(one)) > 200_000
    del one, two


def final(log: list[str]) -> State:
    """Return the final position of a log."""
    *_, last = replay(GAME, log)
    return last.after
