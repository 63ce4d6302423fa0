"""One route, or the gateway, fails: play goes on without it, and nothing is lost or doubled."""

from __future__ import annotations

import random

import pytest

from bot.play.delivery import match_requests
from playground.request_log import Request
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import check_boards, typed_move
from tests.routes import DELETE, EDIT, EDIT_CHANNEL, HISTORY, MESSAGE, POST, THREAD

pytestmark = pytest.mark.fast_timers

SEVERAL = [HISTORY, MESSAGE, EDIT, DELETE, THREAD, EDIT_CHANNEL]


@pytest.mark.parametrize("mode", ["new", "edit"])
@pytest.mark.parametrize("route", SEVERAL)
@pytest.mark.parametrize(("status", "code"), [(500, None), (403, 50013)])
async def test_boards_and_notices_do_without_what_only_tidies_up(
    env: Environment, route: str, mode: str, status: int, code: int | None
) -> None:
    env.expected |= {status}
    await env.change_settings(board=mode)
    env.faults.respond(route, status=status, code=code, times=None)
    await env.begin("tablut")
    dice = random.Random(3)
    for _ in range(3):
        mover = env.mover(env.board())
        await env.turn(env.board(), dice)
        assert f"Move {await env.move()}" in env.board().text
        assert env.mover(env.board()) is not mover
    await env.advance(days=5)
    mover = env.mover(env.board())
    assert any(mover.user in m.pinged for m in env.board().channel.messages.values())


@pytest.mark.parametrize(
    ("status", "code"), [(500, None), (400, 50035), (400, 200000), (400, 50024), (403, 50013)]
)
async def test_without_threads_matches_are_played_in_the_channel(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    env.faults.respond(THREAD, status=status, code=code, times=None)
    await env.begin_by_challenge("tablut")
    assert env.board().channel is env.channel()
    await env.turn(env.board(), random.Random(1))


def uploads(request: Request) -> bool:
    return bool(request.files)


@pytest.mark.parametrize("mode", ["new", "edit"])
@pytest.mark.parametrize(("status", "code"), [(500, None), (413, None), (400, 40005)])
async def test_where_uploads_are_refused_boards_come_in_words_and_get_their_picture_later(
    env: Environment, mode: str, status: int, code: int | None
) -> None:
    env.expected |= {status}
    await env.change_settings(board=mode)
    await env.begin("tablut")
    channel = env.board().channel
    env.faults.respond("*", status=status, code=code, times=None, when=uploads)
    for turn in (2, 3):
        await typed_move(env)
        [board] = [m for m in channel.messages.values() if m.menus or len(m.buttons) > 1]
        assert f"Move {turn}" in board.text
        assert "The king" in board.text, "the position in words"
    env.faults.clear()
    await env.advance(minutes=1)
    assert env.board().id == board.id, "it has its picture again"


async def test_a_parked_match_is_looked_at_again_by_the_clock_alone(env: Environment) -> None:
    env.expected |= {403}
    board = await env.begin("tablut")
    env.allow_pending = True
    closed = env.faults.respond(POST, code=50013, times=None)
    for _ in range(3):
        await typed_move(env)
    assert closed.hits == 1, "who plays on costs no further refusal"
    assert env.board() is board
    await env.advance(minutes=30)
    assert closed.hits <= 6
    env.faults.clear()
    await env.advance(minutes=1)
    assert f"Move {await env.move()}" in env.board().text
    check_boards(env)


async def test_who_presses_has_a_channel_tried_that_has_refused_for_long(env: Environment) -> None:
    env.expected |= {403}
    await env.begin("tablut")
    env.allow_pending = True
    env.faults.respond(POST, code=50013, times=None)
    await typed_move(env)
    for hours in (30.0, 0.05, 0.05):  # so that the clock's own turn is not due
        await env.advance(hours=hours)
    env.faults.clear()
    await typed_move(env)
    assert f"Move {await env.move()}" in env.board().text


@pytest.mark.parametrize("status", [500, 403])
async def test_a_post_without_reply_where_nothing_can_be_searched_is_not_doubted_for_ever(
    env: Environment, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(match_requests, "TIMEOUT", 9.0)  # which passes faster than usual here
    env.expected |= {status}
    await env.begin("tablut")
    env.faults.respond(HISTORY, status=status, times=None)
    env.faults.hold(POST, 86_400.0, drop=True)
    await typed_move(env)
    assert f"Move {await env.move()}" in env.board().text
    check_boards(env)


async def test_a_board_that_takes_no_more_edits_is_replaced(env: Environment) -> None:
    env.expected |= {429}
    await env.change_settings(board="edit")
    board = await env.begin("tablut")
    env.faults.respond(EDIT, code=30046, times=None)
    await typed_move(env)
    assert env.board() is not board
    assert "Move 2" in env.board().text


async def test_a_board_not_found_at_first_loses_its_controls_later(env: Environment) -> None:
    env.expected |= {500}
    await env.begin("tablut")
    env.faults.respond(HISTORY, status=500, times=None)
    env.faults.respond(POST, status=500, after=True, times=1)
    for _ in range(2):
        await typed_move(env)
    env.faults.clear()
    await env.advance(minutes=1)
    check_boards(env)


async def test_a_press_during_an_outage_is_played_after_reconnecting(env: Environment) -> None:
    dice = random.Random(16)
    board = await env.begin()
    ply, resumes = await env.ply(), env.gateway.resumes
    env.gateway.drop()
    picked = await env.handled(
        lambda: env.start_pick(board, env.mover(board), env.choices(board)[0])
    )
    assert env.gateway.resumes == resumes + 1
    assert picked.error is None
    assert await env.ply() > ply
    assert f"Move {await env.move()}" in env.board().text
    await env.turn(env.board(), dice)


async def test_a_press_received_too_late_is_still_played(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    ply = await env.ply()
    env.gateway.unreachable = True
    env.gateway.drop()
    heard = env.next_interaction()
    picked = env.start_pick(board, env.mover(board), env.choices(board)[0])
    env.clock.advance(4)
    assert picked.error is not None
    env.gateway.unreachable = False
    await heard
    await env.settled()
    assert await env.ply() > ply
    assert f"Move {await env.move()}" in env.board().text
    assert [b for b in env.boards() if playable(b)] == [env.board()]
    await env.turn(env.board(), random.Random(17))


async def test_discord_can_ask_the_bot_to_reconnect(env: Environment) -> None:
    dice = random.Random(19)
    await env.begin()
    for _ in range(3):
        resumes = env.gateway.resumes
        env.gateway.reconnect()
        board = env.board()
        await env.handled(
            lambda board=board: env.start_pick(  # type: ignore[misc]
                board, env.mover(board), dice.choice(env.choices(board))
            )
        )
        await env.gateway.wait_connected()
        assert env.gateway.resumes >= resumes
    assert f"Move {await env.move()}" in env.board().text


@pytest.mark.parametrize("code", [4000, 4009, 1001, None])
async def test_a_connection_closed_by_discord_is_reopened(
    env: Environment, code: int | None
) -> None:
    board = await env.begin()
    ply, identifies = await env.ply(), env.gateway.identifies
    if code is None:
        env.gateway.invalidate()
    else:
        env.gateway.close(code)
    await env.gateway.wait_connected()
    if code is None:
        assert env.gateway.identifies == identifies + 1, "a new session"
    await env.turn(board, random.Random(20))
    assert await env.ply() > ply
