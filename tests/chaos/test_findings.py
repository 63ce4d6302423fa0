"""Cases in which a match once lost its live board, or a player got a wrong message.

Ten seconds later it must be in order again; most are tried at every turn of a match.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from bot.core.posts.failing_routes import MAX_RETRIES_A_MINUTE
from bot.play.pictures.rendering import Renderer
from playground.request_log import Request
from tests.chaos import runs
from tests.chaos.boards import controls
from tests.chaos.lasting import Lasting
from tests.chaos.match import Match, begin
from tests.chaos.scenarios import ACCEPT, Scenario
from tests.chaos.world import AT_ONCE, DEADLINE, World
from tests.routes import CALLBACK, DELETE, EDIT, POST

TURNS = 12
MOMENTS = 3000
"""Milliseconds to wait for a move; where nothing can be pressed, none comes."""


async def at_every_turn(
    world: World, tried: Callable[[Match], Awaitable[None]], turns: int = TURNS
) -> None:
    """Do something at each turn of a match, and check that all is well ten seconds later."""
    match = await begin(world, "tablan", ["Ann", "Ben"])
    for _ in range(turns):
        if match.truth.finished:
            match = await begin(world, "tablan", ["Ann", "Ben"])
        await tried(match)
        await world.rest(DEADLINE)
        assert match.problems() + world.complaints() == []


async def goes_on(match: Match, *, typed: bool = False) -> bool:
    """Make a move as whichever player is visibly pinged; return whether that was possible."""
    board, mover = match.board, match.mover
    whole = [c for c in match.offered if c.whole]
    if board is None or mover is None or not whole:
        return False
    chosen = match.world.dice.choice(whole)
    if typed:
        match.types(mover, chosen.notation)
    else:
        match.pick(board, mover, chosen)
    return True


async def test_a_kill_between_two_moves_of_a_player_leaves_one_live_board(world: World) -> None:
    async def tried(match: Match) -> None:
        held = world.network.hold(CALLBACK, 5.0)
        await goes_on(match)
        await world.rest(AT_ONCE)
        assert held.hits == 1
        moments = world.watch()
        await goes_on(match, typed=True)
        for _ in range(MOMENTS):
            if world.dead or "after commit" in moments:
                break
            await world.rest(0.001)
        world.kill()
        await world.revive()

    await at_every_turn(world, tried, 12)


async def test_an_answer_that_hangs_never_covers_a_later_turn(world: World) -> None:
    async def tried(match: Match) -> None:
        world.network.hold(CALLBACK, 3.0, drop=True)
        await goes_on(match)
        await world.rest(AT_ONCE)
        await goes_on(match)

    await at_every_turn(world, tried)


@pytest.mark.parametrize("slow", [False, True])
async def test_two_quick_presses_leave_one_live_board_and_nobody_is_told_nonsense(
    world: World, *, slow: bool
) -> None:
    world.network.slow = slow

    async def tried(match: Match) -> None:
        board, mover = match.board, match.mover
        assert board is not None
        assert mover is not None
        offered = controls(board)
        for whole in (False, True):
            fitting = [c for c in offered if c.whole is whole]
            if fitting:
                match.pick(board, mover, world.dice.choice(fitting))

    await at_every_turn(world, tried)


@pytest.mark.parametrize("seconds", [AT_ONCE, 3.0])
async def test_a_lost_reply_to_a_board_posts_no_second_one(world: World, seconds: float) -> None:
    async def tried(match: Match) -> None:
        world.network.clear()
        world.network.drop(POST)
        await goes_on(match)
        await world.rest(seconds)
        await goes_on(match, typed=True)

    await at_every_turn(world, tried)


@pytest.mark.parametrize("world", ["edit"], indirect=True)
async def test_a_press_on_a_board_whose_reply_was_lost_leaves_no_second_one(world: World) -> None:
    for _ in range(TURNS):
        world.network.clear()
        lost = world.network.drop(POST)
        match = await begin(world, "tablan", ["Ann", "Ben"])
        assert lost.hits == 1
        await goes_on(match)
        await world.rest(DEADLINE)
        assert match.problems() + world.complaints() == []


@pytest.mark.parametrize("world", ["edit"], indirect=True)
async def test_a_call_that_arrives_while_a_later_turn_is_written_is_deleted(world: World) -> None:
    async def tried(match: Match) -> None:
        world.network.clear()
        world.network.hold(EDIT, 1.0, times=None)
        world.network.delay(POST, 4.5)
        await goes_on(match, typed=True)
        await world.rest(0.5)
        await goes_on(match, typed=True)

    await at_every_turn(world, tried)


@pytest.mark.parametrize("world", ["new", "edit"], indirect=True)
async def test_the_429_of_a_proxy_passes(world: World) -> None:
    async def tried(match: Match) -> None:
        world.network.clear()
        for route in (CALLBACK, POST, EDIT, DELETE):
            world.network.respond(route, status=429, page=True)
        await goes_on(match)
        await world.rest(AT_ONCE)
        await goes_on(match, typed=True)

    await at_every_turn(world, tried)


async def test_a_first_post_in_a_thread_whose_reply_hangs_holds_up_no_later_board(
    renderer: Renderer,
) -> None:
    story = Scenario(
        kind="fault",
        board="new",
        threads=True,
        game="tablan",
        players=2,
        turns=0,
        act=ACCEPT,
        then="typed",
        failure="hung-20",
        seed=481149,
    )
    outcome = await runs.alone(renderer, story)
    assert outcome.struck
    assert outcome.problems == []


@pytest.mark.parametrize("threads", [False, True])
async def test_edits_that_hung_are_made_within_a_minute_after_edits_work_again(
    renderer: Renderer, *, threads: bool
) -> None:
    fault = Lasting(
        route="edit", failure="hang", hours=1, board="edit", threads=threads, seed=745481
    )
    assert (await runs.lasting(renderer, fault)).wrong == []


async def test_a_picture_that_cannot_be_added_is_tried_each_half_minute(world: World) -> None:
    match = await begin(world, "tablan", ["Ann", "Ben"])
    world.network.respond(POST, status=413, times=None, when=lambda request: bool(request.files))
    hung = world.network.hold(EDIT, 1e7, drop=True, times=None)
    await goes_on(match, typed=True)
    await world.rest(1800.0)
    assert hung.hits > 0
    before = hung.hits
    await world.rest(1800.0)
    assert hung.hits - before <= 61  # each half minute
    world.network.clear()
    await world.rest(60.0)
    assert match.board is not None
    assert match.board.picture is not None


async def test_a_board_refused_with_its_picture_and_in_words_costs_a_request_a_minute(
    renderer: Renderer,
) -> None:
    fault = Lasting(route="post", failure="400", hours=1, board="new", threads=True, seed=1)
    report = await runs.lasting(renderer, fault)
    assert report.wrong == []
    assert report.later <= 7.0, "three matches, a notice, a letter and a challenge, each by itself"


async def test_many_boards_that_fail_with_and_without_pictures_keep_to_the_limit(
    world: World,
) -> None:
    world.pause = 0.0
    people = [person.name for person in world.playground.people]
    pairs = list(itertools.permutations(people, 2))
    matches = []
    for number in range(24):
        if number % 12 == 0:
            await world.rest(3600.0)  # one person may make 20 challenges an hour
        matches.append(await begin(world, "tablan", pairs[number % len(pairs)]))
    asked: list[Request] = []

    def counted(request: Request) -> bool:
        asked.append(request)
        return True

    world.network.respond(POST, status=502, page=True, times=None, when=counted)
    began = world.clock.time()
    for match in matches:
        await goes_on(match, typed=True)
    await world.rest(300.0)
    minutes = Counter(int((request.at - began) // 60) for request in asked)
    assert minutes[0] <= len(matches) + MAX_RETRIES_A_MINUTE
    assert all(minutes[later] <= MAX_RETRIES_A_MINUTE for later in range(1, 5))
