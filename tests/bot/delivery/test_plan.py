"""The steps that bring Discord up to date with a match."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.play.delivery.plan import Situation, plan
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
