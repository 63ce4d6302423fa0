"""How many throws are usable: the quick count against an exhaustive one, and long series."""

from __future__ import annotations

import random

import pytest

from engine.errors import BadPosition
from engine.games.thaayam import GAME
from engine.games.thaayam.board import OPPOSITE
from engine.games.thaayam.packing import Supply, most
from engine.games.thaayam.series import parted, plays
from engine.games.thaayam.state import SOUTH
from engine.menu import MAX_OPTIONS, choices
from tests.engine.games.thaayam.slow import SlowGame

PLACES = [0, 7, 8, 8, 8, 12, 15, 18, 20, 21, 22, 22, 23, 23, 23, 24, 24, 24]


def fields(dice: random.Random) -> str:
    """Return a side's pieces, mostly near places where the throws matter most."""
    tokens: list[str] = []
    left = 4
    while left:
        mark = "!" * (dice.random() < 0.15)
        if left > 1 and dice.random() < 0.3:
            place = dice.choice([8, 12, 20, 22, 22, 23, 23])
            tokens.append(f"{place}&{place}{mark}")
            left -= 2
        else:
            place = dice.choice(PLACES)
            tokens.append("-" if dice.random() < 0.12 else f"{place}{mark if place else ''}")
            left -= 1
    return ",".join(tokens)


@pytest.mark.parametrize("seed", range(8))
def test_the_quick_count_and_the_moves_match_an_exhaustive_search(seed: int) -> None:
    dice = random.Random(seed)
    compared = 0
    while compared < 80:
        throws = dice.choices([1, 4, 8], [4, 2, 2], k=dice.randrange(5))
        if dice.random() < 0.8 or not throws:
            throws.append(dice.choice([2, 3]))
        line = f"south:{fields(dice)} north:-,-,-,- south {','.join(map(str, throws))}"
        slow = SlowGame.read(line)
        best = slow.most()
        try:
            state = GAME.read_position(line)
        except BadPosition as error:
            if "cannot use" in error.sentence:
                assert best == 0, line
            continue
        assert most(state.side, tuple(sorted(throws, reverse=True))) == best, line
        assert {GAME.write(move) for move in GAME.legal_moves(state)} == slow.moves(), line
        compared += 1


@pytest.mark.parametrize(
    ("pieces", "throws", "best"),
    [
        ("22,22,24,24", [1] * 40 + [2], 6),  # 2 + 2 points bring all home, then two are borne off
        ("0,0,0,0", [8] * 12 + [4] * 12 + [1] * 200 + [2], 96),  # 4 pieces, 24 points each
        ("-,-,-,-", [1] * 50 + [8] * 20 + [3], 56),  # 46 ones and the 3 leave room for five 8s
        ("8&8,8&8", [8] * 30 + [4] * 30 + [1] * 99 + [2], 66),  # 33 points each
    ],
)
def test_throws_are_counted_for_a_series_of_any_length(
    pieces: str, throws: list[int], best: int
) -> None:
    hand = ",".join(map(str, throws))
    state = GAME.read_position(f"south:{pieces} north:-,-,-,- south {hand}")
    assert most(state.side, tuple(sorted(throws, reverse=True))) == best


def test_menus_fit_even_for_a_very_long_series() -> None:
    throws = [1] * 12 + [4] * 9 + [8] * 9 + [2]
    state = GAME.read_position(f"south:0,3,8,- north:-,-,-,- south {','.join(map(str, throws))}")
    moves = GAME.legal_moves(state)
    assert len(moves) > MAX_OPTIONS
    open_ends: list[tuple[str, ...]] = [()]
    reached = 0
    while open_ends:
        found = choices(GAME, state, open_ends.pop())
        assert 0 < len(found) <= 5 * MAX_OPTIONS
        reached += sum(choice.move is not None for choice in found)
        open_ends += [choice.steps for choice in found if choice.move is None]
    assert reached >= len(moves)


def test_subsets_of_a_series_are_distinct_and_leave_the_rest() -> None:
    parts = parted(Supply.of((8, 4, 4, 2, 1)))
    assert len({part.taken for part in parts}) == len(parts) == 2 * 3 * 2 * 2 - 1
    for part in parts:
        assert sorted(part.taken + part.rest) == [1, 2, 4, 4, 8]
        assert sum(part.taken) == part.points


def test_without_a_usable_throw_there_are_no_moves_and_no_twins() -> None:
    moved = 2 * OPPOSITE + 1
    assert plays(SOUTH, (moved, moved, moved, moved), (8,)) == ()
