"""Who may press which button or type a move, and what happens to late ones."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import Any

import pytest

from bot.play.boards import board_text
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.delivery.writer import Writer
from bot.play.matches import jobs, positions
from bot.play.matches.positions import get_match
from bot.play.matches.stored_messages import Done
from data.matches import boards, match_log, outbox
from playground.model import Message
from tests.end_to_end.harness import Environment, playable, receipt, unlinked
from tests.end_to_end.people import begin_and_play, confirm


async def notations(env: Environment, number: int = 1) -> list[str]:
    async with env.store.read() as tx:
        return [entry.notation for entry in await match_log.read(tx, number)]


async def test_of_two_presses_one_plays_and_one_gets_the_board(env: Environment) -> None:
    board = await env.begin()
    mover = env.mover(board)
    first, second = env.choices(board)[:2]
    one = env.start_pick(board, mover, first)
    two = env.start_pick(board, mover, second)
    await one
    await two
    await env.settled()
    won, late = (one, two) if two.ephemeral else (two, one)
    assert not won.ephemeral
    assert late.ephemeral
    assert late.shown.picture
    assert "Here's the current board." in late.text
    played = [move for move in await notations(env) if not move.startswith("*")]
    assert len(played) == 1
    assert played[0] in {
        first.split(":")[-1].replace("|", ""),
        second.split(":")[-1].replace("|", ""),
    }


async def test_a_press_shows_its_board_itself(env: Environment) -> None:
    board = await env.begin()
    begun = list[asyncio.Task[Any]]()

    def begin(loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **how)
        begun.append(task)
        return task

    asyncio.get_running_loop().set_task_factory(begin)
    try:
        await env.turn(board, random.Random(4))
    finally:
        asyncio.get_running_loop().set_task_factory(None)
    assert env.board() is not board or env.board().revision > 0
    assert not [task for task in begun if task.get_name().startswith("outbox")]


async def test_a_turn_makes_two_trips_to_the_store(env: Environment) -> None:
    board = await env.begin()
    await env.turn(board, random.Random(4))
    await env.settled()
    made, observe = list[bool](), env.store.observer

    def watch(_: float, *, writes: bool, failure: object) -> None:
        assert failure is None
        made.append(writes)

    env.store.observer = watch
    try:
        await env.turn(env.board(), random.Random(4))
        await env.settled()
    finally:
        env.store.observer = observe
    assert made == [True, True], "the move, and what the board's message shows"


async def test_a_press_that_dies_leaves_its_board_to_others(env: Environment) -> None:
    board = await env.begin()
    mover, ply = env.mover(board), await env.ply()
    died = list[int]()

    def die(match_id: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        if not died:
            died.append(match_id)
            task.cancel()

    env.store.listen(outbox.TOPIC, die)
    await env.handled(partial(env.start_pick, board, mover, env.onward(board)[0]))
    assert died == [1]
    assert await env.ply() > ply
    assert f"Move {await env.move()}" in env.board().text
    assert [shown for shown in env.boards() if playable(shown)] == [env.board()]


async def test_a_press_on_an_old_board_shows_the_current_one(env: Environment) -> None:
    dice = random.Random(1)
    board = await env.begin()
    old, mover = board.snapshot(), env.mover(board)
    await env.turn(board, dice)
    before = await notations(env)
    await env.restart()
    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)
    assert late.ephemeral
    assert "earlier turn" in late.text
    assert late.shown.picture
    assert f"Move {await env.move()}" in late.text
    assert await notations(env) == before


async def test_a_challenge_and_a_resignation_survive_restarts(env: Environment) -> None:
    offered = await env.challenge()
    await env.restart()
    accepted = await env.done(env.ben.press(offered.shown, "Accept"))
    assert "Match #1 is on" in unlinked(accepted.text)
    assert env.board().picture
    await env.play_a_while()
    question = await env.ann.slash("/tablan resign")
    await env.restart()
    ended = await env.done(env.ann.press(question.shown, "Resign"))
    assert "You resigned" in ended.text
    assert "won" in env.board().text


async def test_the_board_shown_with_a_refusal_is_playable(env: Environment) -> None:
    dice = random.Random(2)
    board = await env.begin()
    old, mover = board.snapshot(), env.mover(board)
    while True:
        await env.turn(env.board(), dice)
        if env.mover(env.board()) is mover:
            break
    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)
    ply = await env.ply()
    await env.turn_from(late.shown, mover, dice)
    assert await env.ply() > ply
    assert len([b for b in env.boards() if playable(b)]) <= 1
    assert f"Move {await env.move()}" in env.board().text


async def test_others_are_told_whose_match_and_whose_turn_it_is(env: Environment) -> None:
    board = await env.begin()
    ply = await env.ply()
    reply = await env.carol.press(board, custom_id=board.buttons[0].custom_id)
    assert reply.ephemeral
    assert env.ann.mention in reply.text
    assert env.ben.mention in reply.text
    assert reply.shown.pinged == ()
    assert not reply.shown.buttons
    told = (await env.other(board).press(board, custom_id=board.buttons[0].custom_id)).private
    assert "not your turn" in told
    assert env.mover(board).mention in told
    assert await env.ply() == ply


async def test_a_press_after_the_end_shows_the_result(env: Environment) -> None:
    board = await env.begin()
    old, mover = board.snapshot(), env.mover(board)
    await env.play_a_while()
    await resign(env, env.board())
    late = (await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)).private
    assert "is over" in late
    assert "resigned" in late


async def resign(env: Environment, board: Message) -> None:
    mover = env.mover(board)
    await confirm(env, mover, await mover.slash("/tablan resign"), "Resign")


async def test_only_the_new_board_has_controls_and_pings_the_next_player(env: Environment) -> None:
    dice = random.Random(3)
    await env.begin()
    for _ in range(25):
        board = env.board()
        known = set(env.boards())
        revision, called = board.revision, board.pinged
        await env.turn(board, dice)
        fresh = [b for b in env.boards() if b not in known]
        assert len(fresh) <= 1
        if fresh:
            assert fresh[0].pinged == (env.mover(fresh[0]).user,)
            assert not board.buttons
            assert not board.menus
            assert "↳" in board.text
        else:
            assert board.revision > revision
            assert env.mover(board).user in called
        assert env.board().alt
    assert all(
        not message.pinged for message in env.channel().messages.values() if message.ephemeral
    )


async def test_a_resignation_is_confirmed_announced_and_counted(env: Environment) -> None:
    board = await begin_and_play(env)
    winner, waiting = env.mover(board), env.other(board)
    question = await waiting.slash("/tablan resign")
    assert question.ephemeral
    assert winner.mention in question.text
    reply = await waiting.press(question.shown, "Keep playing")
    assert "goes on" in reply.text
    assert not reply.message or not reply.message.buttons
    await confirm(env, waiting, await waiting.slash("/tablan resign"), "Resign")
    result = env.board()
    assert result is not board
    assert "resigned" in result.text
    assert f"{winner.mention}) won**" in result.text
    assert result.pinged == ()
    assert not board.buttons
    assert not board.menus
    assert "1 won · 0 drawn · 0 lost" in (await env.carol.slash("/profile", user=winner)).text
    assert (await env.carol.slash("/match verify", number=1)).shown.attachments


async def test_a_move_is_shown_however_many_throws_follow_it(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "TAIL", 1)
    await env.begin()
    followed = 0
    while followed < 3:
        ply = await env.ply()
        move = (await env.legal())[0]
        reply = await env.mover(env.board()).slash("/tablan move", move=move)
        assert receipt(reply).startswith("Played.")
        await env.settled()
        followed += await env.ply() > ply + 1


async def test_no_one_else_gets_suggestions(env: Environment) -> None:
    board = await env.begin()
    assert await env.carol.autocomplete("/tablan move", "move", "") == []
    assert await env.carol.autocomplete("/tablan move", "move", "", match=1) == []
    assert await env.other(board).autocomplete("/tablan move", "move", "k") == []


async def test_an_ambiguous_move_lists_its_meanings_and_one_press_plays(env: Environment) -> None:
    board = await env.begin("tablut")
    mover = env.mover(board)
    reply = (await mover.slash("/tablut move", move="f5")).shown
    assert reply.ephemeral
    assert "Which one do you mean?" in reply.text
    (menu,) = reply.menus
    assert menu.options[0].label == "Man f5 to f2"
    assert await env.ply() == 0
    played = await env.done(mover.choose(reply, menu.options[0].value))
    assert await env.ply() == 1
    assert receipt(played).startswith("Played.")


async def test_moving_out_of_turn_shows_whose_turn_it_is(env: Environment) -> None:
    board = await env.begin()
    reply = (await env.other(board).slash("/tablan move", move=(await env.legal())[0])).shown
    assert reply.ephemeral
    assert "not your turn" in reply.text
    assert reply.picture


async def test_finished_and_unknown_matches_are_refused(env: Environment) -> None:
    await env.begin()
    await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    assert "over" in (await env.ann.slash("/tablan move", move="k1-l2", match=1)).private
    assert "going" in (await env.ann.slash("/tablan move", move="k1-l2")).text
    assert "over" in (await env.ann.slash("/tablan resign", match=1)).text
    for line in ("/tablan board", "/tablan resign"):
        assert "no match #77" in (await env.ann.slash(line, match=77)).private
    assert "no match #77" in (await env.ann.slash("/tablan move", move="k1-l2", match=77)).text
    assert "no match #77" in (await env.ann.slash("/match verify", number=77)).text


async def test_a_stranger_can_view_a_match_but_not_change_it(env: Environment) -> None:
    await env.begin()
    reply = (await env.carol.slash("/tablan board", match=1)).shown
    assert reply.ephemeral
    assert reply.picture
    assert not reply.buttons
    assert "belongs to" in (await env.carol.slash("/tablan move", move="k1-l2", match=1)).text
    assert "don't play" in (await env.carol.slash("/tablan resign", match=1)).text


async def test_a_receipt_uses_the_boards_words(env: Environment) -> None:
    board = await env.begin()
    position = await env.position()
    move = position.game.legal_moves(position.state)[0]
    reply = await env.mover(board).slash("/tablan move", move=position.game.write(move))
    assert position.game.tell(position.state, move) in reply.text
    await env.settled()
    assert board_text.board(await env.position()).story


async def test_a_forgotten_board_that_is_pressed_while_another_is_written_loses_its_controls(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten, update = await env.begin(), Writer.update
    async with env.store.write() as tx:
        await boards.forget(tx, forgotten.id)
        await jobs.repost(tx, await get_match(tx, 1), env.now())
    await env.settled()
    assert playable(forgotten)
    presses = [partial(env.carol.press, forgotten, custom_id=forgotten.buttons[0].custom_id)]

    async def interrupted(*given: Any) -> Done | None:
        done = await update(*given)
        if presses:
            assert (await presses.pop()()).ephemeral
        return done

    monkeypatch.setattr(Writer, "update", interrupted)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    assert not playable(forgotten)
    assert playable(env.board())
