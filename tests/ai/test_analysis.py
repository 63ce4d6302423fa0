"""The analysis of a match adds up, and blames no player for what could not be foreseen."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from ai.analysis import Analysis, analyse
from ai.explanations import Cause
from ai.position import fast, shares
from engine import registry
from engine.errors import BadRecord
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import final, replay
from tests.contract.games import whole_game
from tests.toy import SLUG, dropped_in

QUICK = 0.01
"""The shortest time per entry."""
SUM = 1e-9


def random_log(game: AnyGame, players: int, options: Mapping[str, str] | None = None) -> list[str]:
    """Return the log of a random game."""
    steps, _ = whole_game(game, f"look back {players}", game.settle(options), players)
    return [game.write(step.move) for step in steps]


def opening_log(game: AnyGame, players: int, most: int = 40) -> list[str]:
    """Return the beginning of a random game's log, shorter where analysis takes long."""
    return random_log(game, players)[: most if fast(game.slug) else most // 4]


def assert_adds_up(analysis: Analysis, results: Sequence[float]) -> None:
    """Check all sums, starting from the entries."""
    places = range(len(results))
    for place, result in zip(places, results, strict=True):
        assert analysis.result[place] == pytest.approx(result, abs=SUM)
        total = (
            analysis.start[place]
            + analysis.luck[place]
            + analysis.skill[place]
            + analysis.early[place]
        )
        assert math.isclose(total, result, abs_tol=SUM)
        skill = analysis.gained[place] - analysis.lost[place] + analysis.unforeseen[place]
        assert math.isclose(analysis.skill[place], skill, abs_tol=SUM)
        throws = [ply for ply in analysis.plies if ply.place is None]
        luck = sum(ply.played[place] - ply.before[place] for ply in throws)
        assert math.isclose(analysis.luck[place], luck, abs_tol=SUM)
        lost = sum(ply.loss for ply in analysis.plies if ply.place == place)
        assert math.isclose(analysis.lost[place], lost, abs_tol=SUM)
        assert analysis.lost[place] >= 0
    for values in (analysis.start, analysis.result):
        assert math.isclose(sum(values), 1, abs_tol=1e-6)
    for values in (analysis.luck, analysis.skill, analysis.unforeseen, analysis.early):
        assert math.isclose(sum(values), 0, abs_tol=1e-6)
    chain = [analysis.start, *(ply.after for ply in analysis.plies)]
    assert [ply.before for ply in analysis.plies] == chain[:-1]
    assert chain[-1] == pytest.approx(analysis.result, abs=SUM)


def test_start_luck_and_skill_add_up_to_the_result(game: AnyGame) -> None:
    for players in game.players:
        log = opening_log(game, players)
        analysis = analyse(game.slug, {}, players, log, seconds=QUICK)
        ended = game.outcome(final(game, log, {}, players))
        assert_adds_up(analysis, analysis.result if ended is None else shares(ended))
        assert len(analysis.plies) == len(log)


def test_a_whole_game_ends_with_its_result(game: AnyGame) -> None:
    if fast(game.slug) is None and game.slug != SLUG:
        pytest.skip("looking back at so long a game takes too long without a fast board")
    log = random_log(game, game.players[0])
    analysis = analyse(game.slug, {}, game.players[0], log, seconds=QUICK)
    ended = game.outcome(final(game, log, {}, game.players[0]))
    assert ended is not None
    assert_adds_up(analysis, shares(ended))
    assert not any(analysis.early)


def test_who_moves_up_as_a_stand_in_came_first_is_told_so_and_nobody_lost() -> None:
    """All who gave up come last, even if the computer that took over wins on the board."""
    game = registry.game("thaayam")
    log = random_log(game, 3)
    ended = game.outcome(final(game, log, {}, 3))
    assert ended is not None
    shared = tuple(0.0 if rank == 1 else 0.5 for rank in ended.ranks)
    analysis = analyse("thaayam", {}, 3, log, result=shared, seconds=QUICK)
    assert_adds_up(analysis, shared)
    causes = [one.cause for one in analysis.explanations]
    assert [cause is Cause.MOVED_UP for cause in causes] == [share > 0 for share in shared]


def test_every_entry_has_a_legal_best_move(game: AnyGame) -> None:
    log = opening_log(game, game.players[0])
    analysis = analyse(game.slug, {}, game.players[0], log, seconds=QUICK)
    for ply, entry in zip(analysis.plies, replay(game, log, {}, game.players[0]), strict=True):
        assert ply.notation == game.write(entry.move)
        assert math.isclose(sum(ply.before), 1, abs_tol=1e-6)
        assert math.isclose(sum(ply.played), 1, abs_tol=1e-6)
        if ply.place is None:
            assert (ply.best, ply.loss, ply.choices) == (None, 0, 1)
        else:
            assert ply.best
            assert game.read(entry.before, ply.best) in game.legal_moves(entry.before)
            assert ply.loss >= 0
            assert ply.loss == 0 or ply.best != ply.notation
            assert ply.choices == len(game.legal_moves(entry.before))
            assert 0 <= ply.margin <= 1


def test_analysing_the_same_match_again_gives_the_same_analysis(game: AnyGame) -> None:
    log = opening_log(game, game.players[0], 20)
    one, two = (analyse(game.slug, {}, game.players[0], log, seconds=QUICK) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("result", [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
def test_a_match_that_ends_early_counts_the_rest_separately(
    game: AnyGame, result: tuple[float, float]
) -> None:
    log = opening_log(game, 2, 8)
    analysis = analyse(game.slug, {}, 2, log, result=result, seconds=QUICK)
    assert_adds_up(analysis, result)
    going_on = analyse(game.slug, {}, 2, log, seconds=QUICK)
    assert not any(going_on.early)
    for place in range(2):
        left = result[place] - going_on.result[place]
        assert math.isclose(analysis.early[place], left, abs_tol=SUM)
    for field in ("luck", "skill", "lost", "gained", "unforeseen"):
        assert getattr(analysis, field) == getattr(going_on, field)
    if max(map(abs, analysis.early)) > 0.1:
        assert analysis.explanations[0].cause is not analysis.explanations[1].cause


def test_if_one_of_three_resigns_the_others_keep_their_ranks() -> None:
    log = random_log(registry.game("thaayam"), 3)[:9]
    analysis = analyse("thaayam", {}, 3, log, result=(1.0, 0.0, 0.0), seconds=QUICK)
    assert_adds_up(analysis, (1.0, 0.0, 0.0))


def test_a_match_of_two_games_is_worth_one_result() -> None:
    game = registry.game("tablut")
    log = random_log(game, 2, {"match": "true"})
    analysis = analyse("tablut", {"match": "true"}, 2, log, seconds=QUICK)
    ended = game.outcome(final(game, log, {"match": "true"}, 2))
    assert ended is not None
    assert_adds_up(analysis, shares(ended))
    # Both play both sides, so neither is ahead at the start
    assert analysis.start == pytest.approx((0.5, 0.5), abs=0.02)


def test_an_empty_log_leaves_everything_at_the_start(game: AnyGame) -> None:
    analysis = analyse(game.slug, {}, game.players[0], [], seconds=QUICK)
    assert analysis.plies == ()
    assert analysis.start == analysis.result
    assert_adds_up(analysis, analysis.start)


def test_the_best_move_loses_nothing_whatever_happens_next() -> None:
    """A mistake is a difference between two moves in one evaluation, not what shows later."""
    game = registry.game("tablut")
    dice, state, log = random.Random(3), game.initial(), list[str]()
    for _ in range(4):
        move = game.write(dice.choice(game.legal_moves(state)))
        best = analyse("tablut", {}, 2, [*log, move], seconds=QUICK).plies[-1].best
        assert best
        log.append(best)
        state = game.after(state, game.read(state, best))
    analysis = analyse("tablut", {}, 2, log, seconds=QUICK)
    assert [ply.loss for ply in analysis.plies] == [0, 0, 0, 0]
    assert not any((*analysis.lost, *analysis.gained))
    assert analysis.skill == analysis.unforeseen


def test_luck_averages_to_zero_over_all_throws(game: AnyGame) -> None:
    """Each throw is compared with the mean of all throws in the same evaluation."""
    state = game.initial()
    if game.actor(state) is not CHANCE:
        pytest.skip("no throw at the beginning")
    mean = [0.0] * game.players[0]
    for throw, chance in game.odds(state).items():
        analysis = analyse(game.slug, {}, game.players[0], [game.write(throw)], seconds=QUICK)
        for place, luck in enumerate(analysis.luck):
            mean[place] += float(chance) * luck
    rough = 1e-6 if game.slug != SLUG else 0.25
    assert mean == pytest.approx([0.0] * len(mean), abs=rough)


def test_a_log_that_cannot_be_replayed_is_refused(game: AnyGame) -> None:
    with pytest.raises(BadRecord):
        analyse(game.slug, {}, game.players[0], ["nonsense"], seconds=QUICK)


def test_a_game_dropped_in_can_be_analysed() -> None:
    with dropped_in() as game:
        log = random_log(game, 3)
        analysis = analyse(game.slug, {}, 3, log, seconds=QUICK)
        ended = game.outcome(final(game, log, {}, 3))
        assert ended is not None
        assert_adds_up(analysis, shares(ended))


def test_an_ending_that_can_be_solved_is_analysed_with_certainty() -> None:
    """No draw is possible, so near the end one side has a sure win, and a mistake reverses it."""
    log = (
        "a1 c2 a3 c6 a5 h1 a7 h7 b2 b1 b4 d3 b6 b7 c1 g4 c7 e6 d2 d7 d4 d1 d6 a2 e1 g2 e3 e4 "
        "e5 a6 e7 h5 f2 f1 f6 f7 g1 e2 g3 h3 g5 g6"
    )
    analysis = analyse("tablaaza", {}, 2, log.split(), seconds=3)
    ended = analysis.plies[30:]
    assert {round(value, 6) for ply in ended for value in ply.before} == {0, 1}
    for ply, following in pairwise(ended):
        assert ply.played == following.before
        assert ply.loss in {0, 1}
