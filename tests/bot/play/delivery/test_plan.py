"""The steps that bring Discord up to date with a match."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.play.delivery.plan import Plan, Situation, plan
from bot.play.matches.jobs import BOARD_JOB
from data.matches.boards import PostedMessage, TurnCall
from data.matches.outbox import Job

MATCH, CHANNEL, ANN, BEN = 1, 2, 3, 4


def job(number: int, ply: int, after: int) -> Job:
    """Return the job that shows a turn after a move."""
    payload = {"ply": ply, "after": after}
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Job(number, MATCH, BOARD_JOB, payload, f"m1p{ply}", now, 0, None)


def board(message: int, ply: int) -> PostedMessage:
    """Return a live board."""
    return PostedMessage(message, CHANNEL, MATCH, ply, live=True)


def test_a_turn_passed_by_an_earlier_job_counts_as_passed() -> None:
    call = TurnCall(11, CHANNEL, MATCH, 5)
    jobs = [job(1, 6, after=ANN), job(2, 7, after=BEN)]
    now = Situation(7, CHANNEL, BEN, jobs, [board(10, 5)], [call], in_place=True)
    todo = plan(now)
    assert todo.keep == board(10, 5)
    assert todo.call
    assert todo.answered == (call,)


def test_a_turn_still_on_the_board_has_not_passed() -> None:
    jobs = [job(1, 6, after=ANN), job(2, 7, after=BEN)]
    todo = plan(Situation(7, CHANNEL, BEN, jobs, [board(10, 6)], []))
    assert todo.keep == board(10, 6)
    assert todo.rewrite
    assert todo.strip == ()


def test_a_board_that_stays_keeps_its_controls_however_it_is_recorded() -> None:
    pressed, other = board(10, 7), PostedMessage(11, CHANNEL, MATCH, 5, live=False)
    old = [PostedMessage(10, CHANNEL, MATCH, 6, live=False), other]
    todo = plan(Situation(7, CHANNEL, BEN, [], [pressed], [], uncertain={10, 11}, old=old))
    assert todo.keep == pressed
    assert todo.rewrite
    assert todo.strip == (other,)


MOVED = Situation(7, CHANNEL, BEN, [job(1, 7, after=ANN)], [board(10, 6)], [])
"""Ann has moved, and the newest board still shows her turn."""
SAME = replace(MOVED, jobs=[job(1, 7, after=BEN)])
"""Ben has moved and moves again: the turn has not passed."""
QUIET = Situation(7, CHANNEL, BEN, [], [board(10, 7)], [])
"""All is shown."""
OVER = replace(MOVED, mover=None, jobs=[job(1, 7, after=ANN)])
ELSEWHERE = PostedMessage(10, CHANNEL + 1, MATCH, 6, live=True)
ALL: dict[str, Any] = {"keep": None, "rewrite": False, "strip": (), "call": False, "answered": ()}
KEPT = {"keep": board(10, 6), "rewrite": True}


@pytest.mark.parametrize(
    ("now", "changed", "expected"),
    [
        (MOVED, {}, {"strip": (board(10, 6),)}),
        (MOVED, {"live": []}, {}),
        (MOVED, {"live": [ELSEWHERE]}, {"strip": (ELSEWHERE,)}),
        # A board that was posted already is neither posted again nor stripped.
        (
            MOVED,
            {"arrived": {2: 12}, "live": [board(10, 6), board(12, 6)]},
            {"strip": (board(10, 6),)},
        ),
        (SAME, {"arrived": {2: 12}, "live": [board(12, 6)]}, {}),
        (MOVED, {"arrived": {4: 12}, "live": [board(12, 6)]}, {"strip": (board(12, 6),)}),
        # One board edited in place stays where it can be edited and seen, with a call.
        (MOVED, {"in_place": True}, {**KEPT, "call": True}),
        (MOVED, {"in_place": True, "pressed": {10}}, {**KEPT, "call": True}),
        (MOVED, {"in_place": True, "editable": False}, {"strip": (board(10, 6),)}),
        (MOVED, {"in_place": True, "editable": False, "pressed": {10}}, {**KEPT, "call": True}),
        (MOVED, {"in_place": True, "jobs": []}, {**KEPT}),
        (SAME, {"in_place": True}, {**KEPT}),
        # A turn that has not passed is shown on the board that is there, where it can be edited.
        (SAME, {}, KEPT),
        (SAME, {"editable": False}, {"strip": (board(10, 6),)}),
        (SAME, {"editable": False, "pressed": {10}}, KEPT),
        (MOVED, {"pressed": {10}}, {"strip": (board(10, 6),)}),
        (QUIET, {}, {"keep": board(10, 7)}),
        (QUIET, {"editable": False}, {"keep": board(10, 7)}),
        (QUIET, {"pressed": {10}}, {"keep": board(10, 7), "rewrite": True}),
        (QUIET, {"uncertain": {10}}, {"keep": board(10, 7), "rewrite": True}),
        (QUIET, {"jobs": [job(1, 7, after=BEN)]}, {"keep": board(10, 7), "rewrite": True}),
        (
            QUIET,
            {"live": [board(9, 6), board(10, 7)]},
            {"keep": board(10, 7), "strip": (board(9, 6),)},
        ),
        (QUIET, {"live": [board(10, 6)], "in_place": True}, KEPT),
        (QUIET, {"live": [board(10, 6)]}, {"strip": (board(10, 6),)}),
        # A match that is over has no controls left, and no board is kept for it.
        (OVER, {}, {"strip": (board(10, 6),)}),
        (OVER, {"in_place": True}, {"strip": (board(10, 6),)}),
        (OVER, {"jobs": [], "live": [board(10, 7)]}, {"strip": (board(10, 7),)}),
        # One message shows a practice to its end, while an interaction can edit it.
        (OVER, {"single": True, "pressed": {10}}, KEPT),
        (OVER, {"single": True, "reached": {10}}, KEPT),
        (OVER, {"single": True, "reached": {11}}, {"strip": (board(10, 6),)}),
        (OVER, {"reached": {10}}, {"strip": (board(10, 6),)}),
        (OVER, {"single": True, "live": []}, {}),
        (OVER, {"single": True, "reached": {10}, "arrived": {2: 12}}, {"strip": (board(10, 6),)}),
        (MOVED, {"single": True, "reached": {10}, "editable": False}, KEPT),
    ],
)
def test_what_happens_to_boards(
    now: Situation, changed: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert plan(replace(now, **changed)) == Plan(**{**ALL, **expected})


def test_a_board_out_of_sight_is_posted_again_though_edited_in_place() -> None:
    now = replace(MOVED, in_place=True)
    assert plan(now, in_sight=False).keep is None
    assert plan(replace(now, pressed={10}), in_sight=False).keep == board(10, 6)


@pytest.mark.parametrize(
    ("mover", "arrived", "answered"),
    [
        (BEN, {}, (3, 5, 6)),  # the turn has passed: all are answered
        (BEN, {3: 21}, (3, 6)),  # but the one just posted
        (BEN, {5: 21}, (3, 5, 6)),  # by this job
        (ANN, {}, (3, 5)),  # not passed: the newest still counts
        (ANN, {3: 20}, (5,)),
    ],
)
def test_which_calls_are_deleted(
    mover: int, arrived: dict[int, int], answered: tuple[int, ...]
) -> None:
    calls = [TurnCall(21, CHANNEL, MATCH, 5), TurnCall(20, CHANNEL, MATCH, 3)]
    calls.append(TurnCall(19, CHANNEL, MATCH, 6))
    now = replace(MOVED, mover=mover, calls=calls, arrived=arrived)
    assert tuple(call.ply for call in plan(now).answered) == answered


def test_of_two_boards_at_one_turn_the_pressed_one_is_kept_and_else_the_later() -> None:
    boards = [board(10, 7), board(11, 7)]
    now = replace(QUIET, live=boards)
    assert plan(now).keep == board(11, 7)
    assert plan(replace(now, pressed={10})).keep == board(10, 7)


def test_a_redraw_alone_shows_the_turn_as_it_is() -> None:
    redraw = replace(job(2, 7, after=BEN), payload={"ply": 7, "after": BEN, "redraw": True})
    assert replace(QUIET, jobs=[redraw]).job == redraw
    moved = job(1, 7, after=ANN)
    assert replace(QUIET, jobs=[moved, redraw]).job == moved
    assert plan(replace(QUIET, jobs=[redraw])).keep == board(10, 7)
