"""Boards that change in place, and short messages beside them to ping the player to move."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.play.delivery.board_messages import FAR_UP
from bot.play.matches.jobs import REWRITE_JOB
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data.matches import boards, outbox
from data.matches.match import Match
from playground.model import Message
from playground.permissions import Permission
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import confirm, fail
from tests.moves import play
from tests.routes import DELETE, EDIT, POST


@pytest.fixture(autouse=True)
async def in_place(env: Environment) -> None:
    await env.change_settings(board="edit")


def calls(env: Environment) -> list[Message]:
    return [
        message
        for message in env.channel().messages.values()
        if not message.deleted and "your turn: https" in message.text
    ]


async def pass_turn(env: Environment, dice: random.Random) -> Message:
    mover = env.mover(env.board())
    for _ in range(60):
        board = env.board()
        if env.mover(board) is not mover:
            return board
        await env.turn(board, dice)
    raise AssertionError("the turn never passes")


def shows_one(env: Environment, turn: int) -> None:
    """Check that one board shows the turn, and at most one message pings the right player."""
    (board,) = env.boards()
    assert f"Move {turn}" in board.text
    for call in calls(env):
        assert call.pinged == (env.mover(board).user,)
        assert str(board.id) in call.text


async def test_the_board_stays_and_a_short_message_pings(env: Environment) -> None:
    dice = random.Random(41)
    board = await env.begin()
    assert calls(env) == []
    assert board.pinged == (env.mover(board).user,)
    pictures = {board.picture}
    for _ in range(5):
        changed = await pass_turn(env, dice)
        assert changed is board
        assert len(calls(env)) == 1
        shows_one(env, await env.move())
        assert changed.picture not in pictures
        pictures.add(changed.picture)
        assert len(changed.attachments) == 1


async def test_a_typed_move_changes_the_board_too(env: Environment) -> None:
    board = await env.begin()
    for _ in range(6):
        mover = env.mover(env.board())
        await env.done(mover.slash("/tablan move", move=(await env.legal())[0]))
        shows_one(env, await env.move())
        assert env.board() is board


async def test_a_deleted_ping_message_causes_no_error(env: Environment) -> None:
    env.expected |= {404}
    dice = random.Random(42)
    await env.begin()
    await pass_turn(env, dice)
    (call,) = calls(env)
    env.playground.messages.delete(call)
    await pass_turn(env, dice)
    shows_one(env, await env.move())
    assert len(calls(env)) == 1


async def test_a_player_who_wants_no_pings_gets_no_short_message(env: Environment) -> None:
    dice = random.Random(43)
    await env.begin()
    for person in (env.ann, env.ben):
        await env.change_player(person, pings=False)
    await pass_turn(env, dice)
    assert calls(env) == []


async def test_the_end_gets_its_own_board_and_no_more_pings(env: Environment) -> None:
    dice = random.Random(44)
    board = await env.begin()
    await pass_turn(env, dice)
    await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    old, end = env.boards()
    assert old is board
    assert not old.buttons
    assert not old.menus
    assert "resigned" in end.text
    assert calls(env) == []
    assert await env.read(boards.calls_of, 1) == ()


async def test_a_board_out_of_sight_is_posted_again(env: Environment) -> None:
    dice = random.Random(45)
    board = await env.begin()
    for number in range(FAR_UP):
        env.carol.says(f"chatter {number}")
    assert await pass_turn(env, dice) is board  # the presser sees it
    for number in range(FAR_UP):
        env.carol.says(f"more chatter {number}")
    await type_until_passed(env)
    assert env.board() is not board
    assert env.board().pinged == (env.mover(env.board()).user,)
    assert calls(env) == []
    assert len([b for b in env.boards() if b.buttons or b.menus]) == 1


async def type_until_passed(env: Environment) -> None:
    mover = env.mover(env.board())
    while env.mover(env.board()) is mover:
        env.clock.advance(60)
        await env.done(mover.slash("/tablan move", move=(await env.legal())[0]))


async def test_an_old_board_is_posted_again(env: Environment) -> None:
    board = await env.begin()
    env.clock.advance(timedelta(days=8).total_seconds())
    await type_until_passed(env)
    assert env.board() is not board
    assert not board.buttons
    assert not board.menus
    assert calls(env) == []
    assert env.board().pinged == (env.mover(env.board()).user,)


async def test_a_move_during_a_board_lookup_leaves_the_same_players_old_board(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.begin()
    matches = env.app.get(Matches)
    look = matches.current
    waiting: list[int] = []

    async def move_first(match: Match) -> Position:
        if waiting:
            await play(matches, 1, waiting.pop(), (await env.legal())[0])
        return await look(match)

    monkeypatch.setattr(matches, "current", move_first)
    stayed = 0
    for turn in range(8):
        await env.advance(days=8)
        board, mover = env.board(), env.mover(env.board())
        waiting.append(mover.id)
        async with env.store.write() as tx:
            match = (await env.position()).match
            await outbox.put(
                tx,
                match_id=match.id,
                kind=REWRITE_JOB,
                payload={"messages": [], "posts": []},
                nonce=f"test{turn}",
                at=env.now(),
            )
        await env.settled()
        assert waiting == []
        assert (env.board() is board) is (env.mover(env.board()) is mover)
        assert calls(env) == []
        assert [shown for shown in env.boards() if playable(shown)] == [env.board()]
        stayed += env.board() is board
    assert stayed


async def test_a_deleted_board_is_posted_again_with_its_own_ping(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    mover = env.mover(board)
    env.playground.messages.delete(board)
    while not env.boards() or env.mover(env.board()) is mover:
        await env.done(mover.slash("/tablan move", move=(await env.legal())[0]))
    shows_one(env, await env.move())


async def test_a_change_made_before_a_crash_is_not_announced_twice(env: Environment) -> None:
    dice = random.Random(46)
    await env.begin()
    await pass_turn(env, dice)
    (call,) = calls(env)
    async with env.store.write() as tx:
        await boards.forget_call(tx, call.id)
        last = await env.position()
        await tx.run(
            update(outbox.outbox)
            .where(outbox.outbox.c.nonce.like(f"m1p{last.ply}%"))
            .values(done_at=None)
        )
    env.clock.advance(3600)
    await env.restart()
    assert calls(env) == [call]
    await pass_turn(env, dice)
    assert call.deleted
    shows_one(env, await env.move())


@pytest.mark.fast_timers
@pytest.mark.parametrize("failure", ["429", "500", "500 after", "503", "broken", "broken after"])
@pytest.mark.parametrize("route", [POST, EDIT, DELETE])
async def test_turns_survive_failure(env: Environment, route: str, failure: str) -> None:
    env.expected |= {404, 429, 500, 503}
    dice = random.Random(47)
    await env.begin()
    fault = fail(env.faults, route, failure)
    for _ in range(3):
        mover = env.mover(env.board())
        move = (await env.legal())[0]
        await env.handled(
            lambda mover=mover, move=move: mover.slash(  # type: ignore[misc]
                "/tablan move", options={"move": move}
            )
        )
    for _ in range(2):
        await pass_turn(env, dice)
    assert fault.hits == 1
    await env.advance(seconds=5)  # what only tidies up is tried again by the clock
    shows_one(env, await env.move())
    assert len(calls(env)) == 1


async def test_a_server_that_changes_its_mind_gets_new_boards_again(env: Environment) -> None:
    dice = random.Random(48)
    board = await env.begin()
    await pass_turn(env, dice)
    await env.change_settings(board="new")
    await pass_turn(env, dice)
    assert env.board() is not board
    assert calls(env) == []


async def test_without_the_permission_to_post_the_board_still_changes(env: Environment) -> None:
    env.expected |= {403}
    env.allow_pending = True
    dice = random.Random(49)
    board = await env.begin()
    env.forbid(Permission.SEND_MESSAGES)
    for _ in range(8):
        await env.turn(board, dice)
        assert f"Move {await env.move()}" in board.text
    env.allow(Permission.SEND_MESSAGES)
    await env.settled()
    shows_one(env, await env.move())


@pytest.mark.parametrize("route", [DELETE, EDIT])
async def test_what_is_left_of_a_match_when_the_bot_ends_goes_after_its_next_start(
    env: Environment, route: str
) -> None:
    env.expected |= {400}
    await env.begin()
    await pass_turn(env, random.Random(7))
    refused = env.faults.respond(route, code=50035, times=None)
    await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    await env.settled()
    assert refused.hits
    assert calls(env) or any(playable(board) for board in env.boards())
    env.faults.clear()
    await env.restart()
    await env.settled()
    assert calls(env) == []
    assert not any(playable(board) for board in env.boards())
