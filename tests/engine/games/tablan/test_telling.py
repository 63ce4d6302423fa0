"""How the log describes opening throws and ordinary moves; the rules' tests have more."""

from __future__ import annotations

from engine.games.tablan import GAME
from engine.games.tablan.state import WHITE, Move, State
from tests.engine.games.tablan.boards import description, play


def test_an_opening_throw_says_who_is_next() -> None:
    assert description(GAME.initial(), "*4") == (
        "White threw 4 plain sides: only 1 starts, so Black throws next"
    )
    assert description(GAME.initial(), "*0").startswith("White threw no plain side: only 1 starts")


def test_the_throw_that_starts_the_game_says_what_to_play() -> None:
    assert description(GAME.initial(), "*1") == (
        "White threw 1 plain side and starts the game with 2 points"
    )


def test_a_scoring_throw_says_its_points() -> None:
    state = play(GAME.initial(), "*1", "k1-l2")
    assert description(state, "*0") == "White threw no plain side: 12 points"


def test_a_split_mentions_both_men_and_the_points_they_share_and_the_points_they_share_and_the_points_they_share() -> (
    None
):
    assert description(play(GAME.initial(), "*1"), "l1-l2,k1-l1") == (
        "l1 to l2, then k1 to l1 (2 points)"
    )


def test_throws_in_a_row_that_brought_nothing_are_one_sentence_and_a_move_tells_its_own() -> None:
    throws = later(["*1", "k1-l2"], "*2", "*3", "*2", "*3", "*0")
    points = "White threw no plain side: 12 points"
    nothing = "Black threw 3 plain sides: nothing, the sticks pass to White"
    assert GAME.tell_throws(throws, moved=False) == (
        "White, Black, White and Black threw nothing",
        points,
    )
    assert GAME.tell_throws(throws[3:], moved=False) == (nothing, points)
    assert GAME.tell_throws(throws[3:], moved=True) == (nothing,)
    assert GAME.tell_throws(throws[4:], moved=True) == ()


def test_many_throws_that_brought_nothing_are_counted() -> None:
    throws = later(["*1", "k1-l2"], "*2", "*2", "*2", "*2", "*2", "*1")
    assert GAME.tell_throws(throws, moved=True) == ("5 throws brought nothing",)
    assert GAME.tell_throws(later([], "*2", "*0", "*3", "*1"), moved=True) == (
        "3 throws did not start the game: only exactly 1 plain side does",
    )


def test_throws_whose_points_cannot_be_used_are_told_one_by_one() -> None:
    throws = later(["*1", "l1-l2,k1-l1"], "*2", "*4", "*4", "*2", "*1", bell=True)
    lost = "Black threw 4 plain sides: 8 points, which cannot be used, and throws again"
    assert GAME.tell_throws(throws, moved=True) == (
        "White threw 2 plain sides: nothing, the sticks pass to Black",
        lost,
        lost,
        "Black threw 2 plain sides: nothing, the sticks pass to White",
    )


def later(before: list[str], *then: str, bell: bool = False) -> list[tuple[State, Move]]:
    """Return moves with the positions before them, after others."""
    state = play(GAME.initial({"rules": "bell"} if bell else None), *before)
    moves: list[tuple[State, Move]] = []
    for text in then:
        moves.append((state, GAME.read(state, text)))
        state = play(state, text)
    return moves


def test_a_goal_says_what_ends_the_game_and_what_a_lock_means() -> None:
    walker, bell = GAME.initial(), GAME.initial({"rules": "bell"})
    assert "that one side has left" in GAME.goal(walker, WHITE)
    assert "lock" not in GAME.goal(walker, WHITE)
    assert "that both sides have left" in GAME.goal(bell, WHITE)
    assert GAME.goal(bell, WHITE).endswith("A locked man starts only with a 2.")
