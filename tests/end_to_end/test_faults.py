"""Discord fails: every route in use, with every kind of failure, one by one.

In each case no turn is lost, no board is posted twice, and in the end the channel shows the current
position, with controls on the newest board only.
"""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.app import gateway
from bot.app.membership import Membership
from bot.app.monitoring import Monitoring
from bot.core.config import Config
from bot.core.interactions.dispatch import Dispatcher
from bot.core.metrics import Metrics
from data.store.process_lock import Hold
from playground.ratelimits import Rule
from playground.reply import Reply
from playground.request_log import Request
from tests.end_to_end.fast_timers import SAFETY_NETS_FROM
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import check_boards, confirm, fail
from tests.routes import CALLBACK, DELETE_ANSWER, EDIT, EDIT_ANSWER, FOLLOW_UP, HISTORY, POST

pytestmark = pytest.mark.fast_timers


# discord.py retries on 500 as it does on 502 and 504, and gives up on 503.
FAILURES = ("429", "500", "503", "500 after", "503 after", "broken before", "broken after")


async def evening(env: Environment, dice: random.Random, choices: int) -> None:
    for number in range(choices):
        board = env.board()
        mover, ply = env.mover(board), await env.ply()
        if number % 3 == 2:
            move = dice.choice(await env.legal())
            await env.handled(
                lambda mover=mover, move=move: mover.slash(  # type: ignore[misc]
                    "/tablan move", options={"move": move}
                )
            )
            assert await env.ply() > ply
        else:
            value = dice.choice(env.choices(board))
            await env.handled(
                lambda board=board, mover=mover, value=value: env.start_pick(  # type: ignore[misc]
                    board, mover, value
                )
            )
        assert f"Move {await env.move()}" in env.board().text
    check_boards(env)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize(
    ("route", "choices"), [(CALLBACK, 4), (EDIT, 4), (EDIT_ANSWER, 4), (POST, 7), (HISTORY, 7)]
)
async def test_turns_survive_failure(
    env: Environment, route: str, choices: int, failure: str
) -> None:
    env.expected |= {400, 404, 429, 500, 502, 503}
    await env.begin()
    if route == EDIT_ANSWER:
        env.app.get(Dispatcher).acknowledge_after = 0.0
    if route == HISTORY:  # a board is looked up if the reply to its post was lost
        lost = fail(env.faults, POST, "broken after")
    fault = fail(env.faults, route, failure)
    await evening(env, random.Random(22), choices)
    assert fault.hits == 1
    if route == HISTORY:
        assert lost.hits == 1


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("route", [FOLLOW_UP, DELETE_ANSWER])
async def test_a_slow_refusal_survives_faults(env: Environment, route: str, failure: str) -> None:
    env.expected |= {400, 404, 429, 500, 502, 503}
    await env.challenge()
    await env.settled()
    env.app.get(Dispatcher).acknowledge_after = 0.0
    fault = fail(env.faults, route, failure)

    def again() -> Reply:
        return env.ann.slash("/tablan challenge", options={"opponent": env.ben})

    await env.handled(again)
    assert fault.hits == 1
    reply = await env.handled(again)
    assert "still open" in (await reply.followup()).text


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_lost_challenge_does_not_prevent_the_next(env: Environment, failure: str) -> None:
    env.expected |= {400, 429, 500, 502, 503}
    fault = fail(env.faults, CALLBACK, failure)
    first = await env.handled(
        lambda: env.ann.slash("/tablan challenge", options={"opponent": env.ben})
    )
    assert fault.hits == 1
    if first.message is None:
        again = await env.challenge()
        assert again.ephemeral
        await env.ann.press(again.shown, "Withdraw")
        first = await env.challenge()
    await confirm(env, env.ben, first, "Accept")
    await evening(env, random.Random(24), 3)


async def test_an_answer_that_is_sent_once_more_has_its_whole_picture(env: Environment) -> None:
    env.expected |= {500}
    fault = env.faults.respond(CALLBACK, status=500)
    reply = await env.challenge()
    assert fault.hits == 1
    assert reply.shown.picture is not None
    assert reply.shown.picture.startswith(b"\x89PNG")


@pytest.mark.parametrize("route", [CALLBACK, EDIT_ANSWER])
async def test_while_answers_fail_the_board_still_comes(env: Environment, route: str) -> None:
    env.expected |= {500}
    await env.begin()
    if route == EDIT_ANSWER:
        env.app.get(Dispatcher).acknowledge_after = 0.0
    fault = env.faults.respond(route, status=500, times=None)
    move = random.Random(27).choice(await env.legal())
    mover = env.mover(env.board())
    await env.handled(lambda: mover.slash("/tablan move", options={"move": move}))
    assert fault.hits <= 2
    assert f"Move {await env.move()}" in env.board().text


@pytest.mark.parametrize("failure", FAILURES)
async def test_an_acceptance_survives_a_failure(env: Environment, failure: str) -> None:
    env.expected |= {400, 429, 500, 502, 503}
    offered = await env.challenge()
    await env.settled()
    fault = fail(env.faults, CALLBACK, failure)
    message = offered.shown
    await env.handled(lambda: env.ben.press(message, "Accept"))
    assert fault.hits == 1
    await evening(env, random.Random(25), 3)


async def play_until_a_board_is_due(env: Environment, dice: random.Random) -> None:
    while playable(env.board()):
        board = env.board()
        picked = env.start_pick(board, env.mover(board), dice.choice(env.choices(board)))
        await picked
        await env.app.get(Dispatcher).drained()


@pytest.mark.parametrize("status", [500, 503])
async def test_boards_arrive_once_discord_is_back(env: Environment, status: int) -> None:
    env.expected |= {status}
    dice = random.Random(26)
    await env.begin()
    enough = asyncio.Event()
    tries = 0

    def count(_: Request) -> bool:
        nonlocal tries
        tries += 1
        if tries == 4:
            enough.set()
        return True

    env.faults.respond(POST, status=status, times=None, when=count)
    known = len(env.boards())
    await play_until_a_board_is_due(env, dice)
    await enough.wait()
    assert len(env.boards()) == known
    env.faults.clear()
    await env.settled()
    check_boards(env)
    assert f"Move {await env.move()}" in env.board().text
    await evening(env, dice, 3)


@pytest.mark.long
async def test_nothing_is_lost_while_all_of_discord_is_down(env: Environment) -> None:
    env.expected |= {400, 404, 503}
    board = await env.begin()
    ply = await env.ply()
    down = env.faults.respond("*", status=503, times=None)
    heard = env.next_interaction()
    env.start_pick(board, env.mover(board), env.choices(board)[0])
    await heard
    await env.app.get(Dispatcher).drained()
    assert await env.ply() > ply
    assert down.hits > 3
    env.faults.clear()
    await env.settled()
    assert f"Move {await env.move()}" in env.board().text
    await evening(env, random.Random(27), 3)


async def test_an_outage_does_not_delay_shutdown(env: Environment) -> None:
    env.expected |= {503}
    env.allow_pending = True
    dice = random.Random(28)
    await env.begin()
    struck = asyncio.Event()

    def strike(_: Request) -> bool:
        struck.set()
        return True

    env.faults.respond(POST, status=503, times=None, when=strike)
    await play_until_a_board_is_due(env, dice)
    await struck.wait()
    await env.stop()
    env.faults.clear()
    await env.start()
    assert f"Move {await env.move()}" in env.board().text
    check_boards(env)


@pytest.mark.long
@pytest.mark.parametrize("failure", FAILURES)
async def test_startup_survives_a_failure_of_each_route_it_uses(
    empty_env: Environment, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Starts keep failing here; longer pauses would not be sped up.
    monkeypatch.setattr(gateway, "_MAX_PAUSE", SAFETY_NETS_FROM - 1)
    env = empty_env
    env.expected |= {429, 500, 502, 503}
    env.first_start = True
    await env.start()
    starting = {
        request.route for request in env.playground.requests if not request.route.startswith("POST")
    }
    await env.begin()
    await env.stop()
    faults = [fail(env.faults, route, failure) for route in sorted(starting)]
    assert len(faults) >= 3
    stopped = asyncio.Event()
    settings = Config(_env_file=None, playground_url=env.playground.url)
    await env.run_beside(
        lambda store: gateway.Gateway(
            settings, env.renderer, env.playground.token, stopped, None
        ).stay(Membership(store, Hold(0)), Monitoring(Metrics(), store)),
        stopped,
    )
    assert all(fault.hits == 1 for fault in faults)
    await env.start()
    await evening(env, random.Random(29), 2)


async def test_a_request_cancelled_at_the_global_limit_holds_up_none(env: Environment) -> None:
    """Else discord.py would wait for ever for the one that met the limit."""
    env.expected |= {429}
    limits = env.playground.rest._limits
    limits.global_rule = Rule(limit=0, seconds=1)
    cancelled = asyncio.create_task(env.app.client.fetch_user(env.ann.id))
    while env.app.client.http._global_over.is_set():  # noqa: ASYNC110 -- an event of discord.py
        await asyncio.sleep(0)
    cancelled.cancel()
    limits.global_rule = None
    await asyncio.gather(cancelled, return_exceptions=True)
    async with asyncio.timeout(2 * SAFETY_NETS_FROM):
        await env.begin("tablut")
