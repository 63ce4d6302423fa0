"""What follows a failed post: it is tried again, never too often, and never given up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.requests.faults import (
    MAX_PAUSE,
    Attempt,
    Fault,
    Retry,
    Route,
    after,
    fault_of,
    pause_after,
    route_to,
    wake_after,
)

ENDS = {Fault.CHANNEL_GONE, Fault.CLOSED, Fault.MESSAGE_GONE}

attempts = st.builds(
    Attempt,
    failures=st.integers(0, 10_000),
    edits=st.booleans(),
    has_files=st.booleans(),
    replaces=st.booleans(),
)


@given(attempts, st.sampled_from(Fault), st.floats(0, 1e6), st.floats(0, 1))
def test_a_fault_is_tried_again_within_an_hour_unless_there_is_nobody_or_nowhere_to_post(
    attempt: Attempt, fault: Fault, wait: float, jitter: float
) -> None:
    todo = after(attempt, fault, wait=wait, jitter=jitter)
    if fault not in ENDS:
        assert isinstance(todo, Retry)
    if isinstance(todo, Retry):
        assert timedelta() <= todo.pause <= MAX_PAUSE


@given(attempts, st.lists(st.sampled_from(Fault), min_size=4, max_size=4))
def test_no_series_of_faults_is_tried_again_at_once_more_than_twice(
    attempt: Attempt, series: list[Fault]
) -> None:
    at_once = 0
    for fault in series:
        todo = after(attempt, fault)
        if todo is None or todo.pause > timedelta():
            return
        at_once += 1
        attempt = Attempt(
            attempt.failures + 1,
            edits=attempt.edits and not todo.anew,
            has_files=attempt.has_files and not todo.without_files,
            replaces=attempt.replaces,
        )
    assert at_once <= 2


def test_pauses_grow_to_an_hour() -> None:
    assert pause_after(0, refused=False) == timedelta(seconds=2)
    assert pause_after(0, refused=True) == timedelta(minutes=1)
    assert pause_after(3, refused=True) == timedelta(minutes=8)
    assert pause_after(10**6, refused=False) == MAX_PAUSE
    assert pause_after(0, refused=True, jitter=1) == timedelta(seconds=45)


@pytest.mark.parametrize(
    ("status", "code", "fault"),
    [
        (None, 0, Fault.NO_REPLY),
        (502, 0, Fault.NO_REPLY),
        (429, 0, Fault.BUSY),
        (400, 40003, Fault.BUSY),
        (403, 50007, Fault.CLOSED),
        (403, 50013, Fault.FORBIDDEN),
        (403, 50001, Fault.FORBIDDEN),
        (400, 200000, Fault.REFUSED),
        (400, 50035, Fault.REFUSED),
        (404, 10003, Fault.CHANNEL_GONE),
        (404, 10008, Fault.MESSAGE_GONE),
        (413, 0, Fault.FILES_REFUSED),
        (400, 40005, Fault.FILES_REFUSED),
        (429, 30046, Fault.EDITS_REFUSED),
    ],
)
def test_answers_of_discord(status: int | None, code: int, fault: Fault) -> None:
    assert fault_of(status, code) is fault


def post(failures: int = 0, *, edits: bool = False, files: bool = False) -> Attempt:
    return Attempt(failures, edits=edits, has_files=files, replaces=edits)


def test_a_lost_reply_is_searched_for_and_a_refusal_is_not() -> None:
    lost, refused = after(post(), Fault.NO_REPLY), after(post(), Fault.FORBIDDEN)
    assert isinstance(lost, Retry)
    assert lost.doubt
    assert isinstance(refused, Retry)
    assert not refused.doubt


def test_refused_files_are_left_out_at_once_and_failing_uploads_the_second_time() -> None:
    assert after(post(files=True), Fault.FILES_REFUSED) == Retry(timedelta(), without_files=True)
    first, second = (after(post(n, files=True), Fault.NO_REPLY) for n in range(2))
    assert isinstance(first, Retry)
    assert not first.without_files
    assert isinstance(second, Retry)
    assert second.without_files


def test_a_message_that_takes_no_edits_is_replaced_where_a_new_one_will_do() -> None:
    assert after(post(edits=True), Fault.EDITS_REFUSED) == Retry(timedelta(), anew=True)
    assert after(post(1, edits=True), Fault.NO_REPLY) == Retry(timedelta(), anew=True)
    first = after(post(edits=True), Fault.NO_REPLY)
    assert isinstance(first, Retry)
    assert not first.anew
    stays = Attempt(9, edits=True, has_files=False, replaces=False)
    assert after(stays, Fault.EDITS_REFUSED, wait=90.0) == Retry(timedelta(seconds=90))
    assert after(stays, Fault.MESSAGE_GONE) is None
    assert isinstance(after(stays, Fault.EDITS_REFUSED), Retry)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/channels/12/messages", Route("GET", "channels/messages", 12)),
        ("/api/v10/channels/12/messages/34", Route("GET", "channels/messages", 12)),
        ("/channels/12/messages/34/threads", Route("GET", "channels/messages/threads", 12)),
        ("/channels/12", Route("GET", "channels", 12)),
        ("/users/@me/channels", Route("GET", "users/channels")),
        ("/guilds/12/members", None),
        ("/webhooks/1/token/messages/@original", None),
    ],
)
def test_requests_of_one_route_differ_in_numbers_alone(path: str, route: Route | None) -> None:
    assert route_to("GET", path) == route


@pytest.mark.parametrize(
    ("failures", "fault", "wait", "seconds"),
    [
        (0, Fault.NO_REPLY, 0.0, 2),
        (3, Fault.NO_REPLY, 0.0, 16),
        (9, Fault.NO_REPLY, 0.0, 30),
        (0, Fault.FORBIDDEN, 0.0, 30),
        (0, Fault.BUSY, 7.0, 7),
        (0, Fault.BUSY, 1e6, 3600),
        (9, Fault.BUSY, 0.0, 0),
        (0, Fault.EDITS_REFUSED, 90.0, 90),
        (0, Fault.EDITS_REFUSED, 0.0, 50),
        (60, Fault.REFUSED, 0.0, 50),
        (61, Fault.REFUSED, 0.0, 50 * 61 / 60),
        (62, Fault.REFUSED, 9.0, 50 * (61 / 60) ** 2),
        (10_000, Fault.REFUSED, 0.0, 3600),
    ],
)
def test_what_works_again_is_tried_again_soon_and_what_does_not_less_and_less(
    failures: int, fault: Fault, wait: float, seconds: float
) -> None:
    assert wake_after(failures, fault, wait=wait).total_seconds() == pytest.approx(seconds)
