"""Lessons: the right move is right, and replies to other moves are true and quote a rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import registry
from engine.errors import IllegalMove
from engine.game import CHANCE
from engine.lesson import Lesson
from engine.marking import begin, mark
from engine.overlay import Arrow, Kind
from engine.registry import AnyGame

LESSONS = [
    pytest.param(game, lesson, id=f"{game.slug}-{number}")
    for game in registry.games().values()
    for number, lesson in enumerate(game.lessons, start=1)
    if lesson.replies
]
lessons = pytest.mark.parametrize(("game", "lesson"), LESSONS)


@pytest.mark.parametrize("slug", list(registry.games()))
def test_every_game_has_some_lessons(slug: str) -> None:
    found = registry.game(slug).lessons
    assert 4 <= len(found) <= 25
    assert not found[0].replies, "a course begins with the goal, before the first question"
    assert not found[1].replies


@pytest.mark.parametrize("slug", list(registry.games()))
def test_a_page_shows_a_position_and_points_only_at_squares_of_its_board(slug: str) -> None:
    game = registry.game(slug)
    for page in game.lessons:
        scene = game.scene(begin(game, page))
        squares = {name for name, _, _ in scene.board.squares}
        for mark_ in page.marks:
            named = {mark_.start, mark_.end} if isinstance(mark_, Arrow) else {mark_.square}
            assert named <= squares, page.title
        assert page.task
        assert len(page.task) <= 240, "a page is short"


@lessons
def test_a_wrong_answer_is_drawn_on_the_board(game: AnyGame, lesson: Lesson) -> None:
    for reply in lesson.wrong:
        marks = mark(game, lesson, reply).marks
        drawn = [one for one in marks if isinstance(one, Arrow) and one.kind is Kind.WRONG]
        assert drawn, reply.move


@lessons
def test_a_lesson_starts_at_a_players_decision(game: AnyGame, lesson: Lesson) -> None:
    state: Any = begin(game, lesson)
    assert game.outcome(state) is None
    assert game.actor(state) is not CHANCE
    assert lesson.title
    assert lesson.task
    assert game.rule(lesson.rule).name == lesson.rule


@lessons
def test_the_right_move_is_legal_and_praised(game: AnyGame, lesson: Lesson) -> None:
    assert lesson.right is not None
    marked = mark(game, lesson, lesson.right)
    assert marked.kind == "right"
    assert marked.words.startswith("Yes")
    assert marked.rule == game.rule(lesson.rule)
    assert marked.state != begin(game, lesson)
    assert not marked.marks


@lessons
def test_a_wrong_move_is_explained_and_changes_nothing(game: AnyGame, lesson: Lesson) -> None:
    state: Any = begin(game, lesson)
    for reply in lesson.wrong:
        marked = mark(game, lesson, reply)
        assert marked.state == state
        assert len(marked.words) > 10, reply.move
        if marked.kind == "refused":
            assert not reply.answer, f"{reply.move} is refused: its answer is never read"
            with pytest.raises(IllegalMove) as caught:
                game.read(state, reply.move)
            assert marked.rule == caught.value.rule
        else:
            assert marked.kind == "wrong"
            assert game.read(state, reply.move)


@lessons
def test_the_answers_offered_are_few_and_different(game: AnyGame, lesson: Lesson) -> None:
    moves = [reply.move for reply in lesson.replies]
    assert len(set(moves)) == len(moves)
    assert 2 <= len(moves) <= 5
    assert all("~" not in move and len(move) <= 40 for move in moves)
    labels = [reply.label for reply in lesson.replies]
    assert len(set(labels)) == len(labels)
    for label in labels:
        assert re.search(r"[a-z]\d|\s", label), f"{label} names a square, or is said in words"
        assert not re.search(r"[+&]", label), f"{label} is no code"
