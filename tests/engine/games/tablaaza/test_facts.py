"""Facts proved for every game of Tablaaza, checked on random games."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from engine.game import Seat
from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import ALL, BITS, GREEN, OF, PLOTS, RED, colour, corridors
from engine.games.tablaaza.state import State
from tests.contract.games import STEADY, whole_game
from tests.engine.games.tablaaza.boards import pavilions, play
from tests.engine.games.tablaaza.slow import read

seeds = st.integers(1, 25).map(str)
"""The same games for every fact."""


@cache
def positions(seed: str) -> list[State]:
    """Return every position of a random game, start to end."""
    steps, last = whole_game(GAME, seed, {}, 2)
    return [*(step.state for step in steps), last]


@STEADY
@given(seed=seeds)
def test_a_vacant_plot_never_shares_a_corridor_with_a_pavilion_of_the_other_colour(
    seed: str,
) -> None:
    for state in positions(seed):
        for plot in pavilions(state):
            for run in corridors(plot):
                others = (other for other in run if colour(other) != colour(plot))
                assert not any(state.vacant & BITS[other] for other in others)


@STEADY
@given(seed=seeds)
def test_only_stones_make_a_pavilion_rise(seed: str) -> None:
    """So it does not matter whether a plot with a pavilion counts as occupied."""
    for state in positions(seed):
        for plot in pavilions(state):
            for run in corridors(plot):
                others = (other for other in run if colour(other) != colour(plot))
                assert all(state.stones & BITS[other] for other in others)


@STEADY
@given(seed=seeds)
def test_every_game_ends_with_a_full_board_and_not_before(seed: str) -> None:
    for state in positions(seed):
        assert (GAME.outcome(state) is not None) == (state.vacant == 0)


@STEADY
@given(seed=seeds)
def test_red_ends_with_one_more_pavilion_if_red_moved_last_and_otherwise_equal(
    seed: str,
) -> None:
    steps, state = whole_game(GAME, seed, {}, 2)
    last = steps[-1].state.seat
    more = len(state.raised(RED)) - len(state.raised(GREEN))
    assert more == (1 if last == RED else 0)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks[last] == 1
    assert (state.pavilions.bit_count() % 2 == 1) == (last == RED)


@STEADY
@given(seed=seeds)
def test_the_sides_alternate_and_play_only_on_their_own_colour(seed: str) -> None:
    for number, state in enumerate(positions(seed)):
        assert state.seat == number % 2
        assert state.stones.bit_count() == number
        red, green = ((state.stones & OF[seat]).bit_count() for seat in (RED, GREEN))
        assert red - green == number % 2


@STEADY
@given(seed=seeds)
def test_stones_and_pavilions_never_move_and_only_the_mover_raises(seed: str) -> None:
    steps, last = whole_game(GAME, seed, {}, 2)
    afters = [*(step.state for step in steps[1:]), last]
    for (before, move), after in zip(steps, afters, strict=True):
        assert after.stones == before.stones | BITS[move.square]
        rising = after.pavilions & ~before.pavilions
        assert after.pavilions == before.pavilions | rising
        assert not rising & OF[before.seat]
        assert after.vacant | after.stones | after.pavilions == ALL


@STEADY
@given(seed=seeds)
def test_forty_nine_stones_are_always_enough(seed: str) -> None:
    assert positions(seed)[-1].stones.bit_count() <= 49


# ---------------------------------------------------------------- reachable positions


@st.composite
def stones(draw: st.DrawFn) -> tuple[frozenset[str], Seat]:
    """Draw a set of stones, equal in number or with one more red, and the seat to move."""
    each = draw(st.integers(1, 24))
    seat = draw(st.sampled_from((RED, GREEN)))
    dice = draw(st.randoms(use_true_random=False))
    reds = dice.sample(PLOTS[:25], each + seat)
    return frozenset(reds + dice.sample(PLOTS[25:], each)), seat


def surrounded(plot: str, held: frozenset[str]) -> bool:
    """Return whether stones occupy every plot of the other colour in a plot's corridors."""
    return all(
        other in held for run in corridors(plot) for other in run if colour(other) != colour(plot)
    )


def line(held: frozenset[str], seat: Seat) -> str:
    """Return the position line for these stones, with the pavilions they raise."""
    slow = read(GAME.write_position(GAME.initial()))
    slow.stones = {(plot[0], plot[1]) for plot in held}
    slow.pavilions = {
        (plot[0], plot[1]) for plot in PLOTS if plot not in held and surrounded(plot, held)
    }
    slow.colour = "RG"[seat]
    return slow.line()


def possible_opening(held: frozenset[str]) -> tuple[str, str] | None:
    """Return a red and a green stone that could have been the first two, if any."""
    for red in sorted(held & set(PLOTS[:25])):
        answers = {GAME.write(m) for m in GAME.legal_moves(play(GAME.initial(), red))}
        if answers & held:
            return red, min(answers & held)
    return None


@STEADY
@given(drawn=stones())
def test_every_readable_position_can_be_reached_by_legal_moves(
    drawn: tuple[frozenset[str], Seat],
) -> None:
    """Stones are removed one by one, each from a plot without a pavilion, then replayed."""
    held, seat = drawn
    first = possible_opening(held)
    if first is None:
        return
    state = GAME.read_position(line(held, seat))
    log: list[str] = []
    left, taker = set(held) - set(first), Seat(1 - seat)
    while left:
        standing = frozenset(left) | set(first)
        plot = next(
            plot
            for plot in sorted(left)
            if colour(plot) == taker and not surrounded(plot, standing - {plot})
        )
        left.remove(plot)
        log.insert(0, plot)
        taker = Seat(1 - taker)
    assert play(GAME.initial(), *first, *log) == state


def test_a_side_always_has_a_stone_to_take_back() -> None:
    """Why the search above never fails.

    Red (or Green) would be stuck only if all of its stones but the first were surrounded. Then
    those stones and the empty plots of the other colour share no corridor, and together they number
    at least 24. No two non-empty sets like that are so large.
    """
    for own in (PLOTS[:25], PLOTS[25:]):
        needs = [
            frozenset(o for run in corridors(p) for o in run if colour(o) != colour(p)) for p in own
        ]
        unions = {frozenset[str]()}
        for need in needs:
            unions |= {union | need for union in unions}
        largest = max(
            sum(need <= union for need in needs) + 25 - len(union)
            for union in unions
            if union and len(union) < 25
        )
        assert largest == 22
