"""What waits for a route of Discord: tried once it works again, and seldom before."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from itertools import pairwise

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.posts.failing_routes import (
    MAX_RETRIES_A_MINUTE,
    Extras,
    FailingRoutes,
    failed_route,
)
from bot.core.requests.faults import (
    EDIT,
    POST,
    Fault,
    NoReply,
    Route,
    route_to,
    wake_after,
)
from bot.core.requests.sending import OneTry, current
from playground.clock import ManualClock
from tests.clocks import HandClock

AT_ONCE = timedelta()
CHANNEL = POST._replace(channel_id=7)
DELETE = EDIT._replace(method="DELETE")


class Waiting:
    """Things that wait for a route that keeps failing."""

    def __init__(self) -> None:
        """Begin with an hour that nobody has used."""
        self.hands = ManualClock()
        self.routes = FailingRoutes(HandClock(self.hands))
        self.tries: Counter[object] = Counter()

    def wait(self, route: Route, *keys: object, pause: timedelta = AT_ONCE) -> None:
        """Let some things wait, again after each failure."""
        for key in keys:
            self.routes.wait(route, key, partial(self._fail, route, key, pause), pause)

    def _fail(self, route: Route, key: object, pause: timedelta) -> None:
        self.tries[key] += 1
        self.wait(route, key, pause=pause)

    def after(self, **time: float) -> int:
        """Let time pass; return how often anything was tried in it."""
        before = self.tries.total()
        for _ in range(int(timedelta(**time) / timedelta(seconds=10))):
            self.hands.advance(10.0)
        return self.tries.total() - before


def test_one_thing_that_waits_is_tried_each_half_minute_and_each_in_turn() -> None:
    waiting = Waiting()
    waiting.wait(POST, *range(100))
    assert waiting.after(minutes=50) == 100
    assert set(waiting.tries.values()) == {1}


def test_what_begins_to_wait_between_two_looks_is_tried_soon_after_half_a_minute() -> None:
    waiting = Waiting()
    waiting.wait(POST, "board")
    waiting.hands.advance(1.0)
    waiting.wait(EDIT, "picture")
    waiting.hands.advance(39.0)
    assert waiting.tries == {"board": 1, "picture": 1}


def test_what_waits_for_a_route_about_one_match_is_tried_together() -> None:
    waiting, woken = Waiting(), list[str]()
    extras = Extras(waiting.routes.clock, lambda: woken.append("match"), waiting.routes)
    kinds = {"edit": EDIT, "strip": EDIT, "calls": DELETE, "picture": EDIT}
    for kind, route in kinds.items():
        for _ in range(10):
            extras.failed(kind, NoReply(route))
    waiting.hands.advance(20.0)
    extras.failed("picture", NoReply(EDIT))  # again, just now
    waiting.routes.forget((extras, "calls"))
    waiting.hands.advance(10.0)
    assert woken == ["match"]
    assert [kind for kind in kinds if extras.waits(kind)] == ["calls", "picture"]


def test_a_success_tries_what_waits_for_that_route_and_no_other() -> None:
    waiting = Waiting()
    woken: list[str] = []
    for route, name in (
        (POST, "post"),
        (EDIT, "edit"),
        (CHANNEL, "here"),
        (POST._replace(channel_id=8), "there"),
    ):
        waiting.routes.wait(route, name, partial(woken.append, name), AT_ONCE)
    waiting.routes.answered("POST", "/api/v10/channels/7/messages")
    assert sorted(woken) == ["here", "post"]
    waiting.routes.answered("PATCH", "/api/v10/channels/8/messages/9")
    assert sorted(woken) == ["edit", "here", "post"]


async def test_what_a_success_tries_is_no_part_of_that_request() -> None:
    waiting = Waiting()
    seen: list[OneTry | None] = []
    waiting.routes.wait(POST, "board", lambda: seen.append(current()), AT_ONCE)
    async with OneTry():
        waiting.routes.works(POST)
    assert seen == [None]


def test_each_success_tries_a_few_more_until_nothing_waits() -> None:
    waiting = Waiting()
    tried: list[int] = []
    for number in range(12):
        waiting.routes.wait(POST, number, partial(tried.append, number), AT_ONCE)
    lengths = []
    for _ in range(4):
        waiting.routes.works(POST)
        lengths.append(len(tried))
    assert lengths == [5, 10, 12, 12]


def test_what_had_failed_just_before_a_success_is_tried_as_soon_as_it_may_be() -> None:
    waiting = Waiting()
    waiting.routes.wait(CHANNEL, "letter", lambda: None, AT_ONCE)
    assert waiting.after(seconds=70) == 0
    waiting.wait(CHANNEL, "board", pause=timedelta(seconds=20))
    waiting.routes.works(CHANNEL)
    assert waiting.tries.total() == 0
    assert waiting.after(seconds=20) == 1
    assert waiting.after(seconds=50) == 0, "it has failed again"


def test_what_discord_has_told_to_wait_is_not_tried_before() -> None:
    waiting = Waiting()
    waiting.wait(POST, "letter", pause=timedelta(minutes=10))
    waiting.routes.works(POST)
    assert waiting.after(minutes=9) == 0
    waiting.routes.works(POST)
    assert waiting.tries.total() == 0
    assert waiting.after(minutes=2) == 1


def test_a_channel_that_refuses_is_tried_each_minute_for_an_hour_and_hourly_in_the_end() -> None:
    waiting = Waiting()
    waiting.wait(CHANNEL, *range(100))
    assert waiting.after(hours=1) == 60
    assert waiting.after(hours=23) <= 200
    waiting.after(days=2)
    assert waiting.after(days=1) <= 30


def test_a_refusal_that_takes_a_moment_misses_no_minute() -> None:
    waiting, tries = Waiting(), list[float]()

    def refuse() -> None:
        pause = wake_after(len(tries), Fault.REFUSED)
        waiting.routes.wait(CHANNEL, "board", attempt, pause)

    def attempt() -> None:
        tries.append(waiting.hands.time())
        waiting.hands.call_later(5.0, refuse)

    refuse()
    waiting.after(minutes=55)
    assert [later - sooner for sooner, later in pairwise(tries)] == [60.0] * (len(tries) - 1)


def test_many_channels_that_refuse_are_tried_in_turn() -> None:
    waiting = Waiting()
    for channel in range(100):
        waiting.wait(POST._replace(channel_id=channel), channel)
    assert waiting.after(minutes=1) <= 10
    assert waiting.after(minutes=10) <= 100
    assert len(waiting.tries) == 100


def test_what_is_forgotten_is_not_tried() -> None:
    waiting = Waiting()
    waiting.wait(POST, "kept", "forgotten")
    waiting.routes.forget("forgotten")
    waiting.after(minutes=2)
    assert set(waiting.tries) == {"kept"}


@given(st.lists(st.tuples(st.floats(0, 20), st.booleans()), max_size=200))
def test_at_most_so_many_requests_fail_again_within_any_minute(
    attempts: list[tuple[float, bool]],
) -> None:
    waiting = Waiting()
    failed = []
    for pause, works in attempts:
        waiting.hands.advance(pause)
        if waiting.routes.take():
            continue
        if works:
            waiting.routes.succeeded()
        else:
            failed.append(waiting.routes.clock())
    for one in failed:
        minute = [other for other in failed if timedelta() <= other - one < timedelta(minutes=1)]
        assert len(minute) <= MAX_RETRIES_A_MINUTE


def test_failures_are_bounded_by_the_minute() -> None:
    waiting = Waiting()
    for _ in range(MAX_RETRIES_A_MINUTE):
        assert waiting.routes.take() == timedelta()
        waiting.routes.succeeded()
        waiting.routes.failed()
        waiting.hands.advance(1.0)
    assert waiting.routes.take() == timedelta(seconds=60 - MAX_RETRIES_A_MINUTE)
    waiting.hands.advance(60.0 - MAX_RETRIES_A_MINUTE)
    assert waiting.routes.take() == timedelta()


def test_a_success_elsewhere_tries_it_within_half_a_minute_of_its_last_failure() -> None:
    for failures in range(50):
        for fault in (Fault.NO_REPLY, Fault.FORBIDDEN):
            assert wake_after(failures, fault) <= timedelta(seconds=30)
    refused = [wake_after(failures, Fault.REFUSED) for failures in range(1000)]
    assert refused[:60] == [timedelta(seconds=50)] * 60
    assert refused == sorted(refused)
    assert refused[-1] == timedelta(hours=1)


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("POST", "/api/v10/channels/7/messages", CHANNEL),
        ("PATCH", "/api/v10/channels/7/messages/9", EDIT._replace(channel_id=7)),
        ("PATCH", "/api/v10/channels/7", Route("PATCH", "channels", 7)),
        ("POST", "/api/v10/users/@me/channels", Route("POST", "users/channels")),
        ("POST", "/api/v10/interactions/1/token/callback", None),
        ("GET", "/api/v10/gateway/bot", None),
    ],
)
def test_requests_that_differ_only_in_numbers_are_one_route(
    method: str, path: str, route: Route | None
) -> None:
    assert route_to(method, path) == route


def test_without_an_answer_it_is_the_route_that_fails_and_not_the_channel() -> None:
    assert failed_route(NoReply(POST)) == POST
    assert failed_route(aiohttp.ClientError()) is None
    assert failed_route(aiohttp.ClientError(), EDIT) == EDIT
