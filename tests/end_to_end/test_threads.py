"""Each match in its own thread, if the server wants it and the bot is allowed to."""

from __future__ import annotations

import random

import pytest

from playground.model import Channel, Message
from playground.permissions import Permission
from playground.reply import Reply
from tests.end_to_end.harness import Environment, receipt
from tests.end_to_end.people import change_matches, confirm, fail, versus
from tests.routes import POST, THREAD

GAME = "Tablan #1"


@pytest.fixture(autouse=True)
async def with_threads(env: Environment) -> None:
    await env.change_settings(threads=True)


def threads(env: Environment) -> list[Channel]:
    return list(env.guild.threads.values())


def accept(env: Environment, message: Message, *, deleted: bool) -> Reply:
    """Accept a challenge as Ben; its message may be deleted before the bot hears of it."""
    pressed = env.ben.press(message, "Accept")
    if deleted:
        env.playground.messages.delete(message)
    return pressed


async def test_a_match_gets_a_thread_named_by_its_players_and_stays_in_it(env: Environment) -> None:
    board = await env.begin()
    (thread,) = threads(env)
    assert board.channel is thread
    assert thread.name == f"{await versus(env)} · {GAME}"
    assert thread.auto_archive == 10080
    assert thread.parent is env.channel()
    assert thread.id in env.channel().messages
    assert board.pinged == (env.mover(board).user,)
    challenge = env.channel().messages[thread.id]
    assert f"is on in <#{thread.id}>" in challenge.text
    dice = random.Random(31)
    for _ in range(8):
        await env.turn(env.board(), dice)
        assert f"Move {await env.move()}" in env.board().text
    assert {board.channel.name for board in env.boards()} == {thread.name}
    assert len([b for b in env.boards() if b.buttons or b.menus]) == 1


async def test_commands_in_a_thread_apply_to_its_match(env: Environment) -> None:
    first = await env.begin()
    second = await env.begin()
    one, two = threads(env)
    assert [first.channel, second.channel] == [one, two]
    for thread, number in ((one, 1), (two, 2)):
        assert f"match #{number}\n" in (await env.ann.slash("/tablan board", channel=thread)).text
    board = env.board(2)
    move = (await env.legal(2))[0]
    played = await env.mover(board).slash("/tablan move", channel=two, move=move)
    assert "Played" in receipt(played)
    await env.settled()
    assert (await env.ply(1), await env.ply(2)) != (await env.ply(2), await env.ply(1))
    assert env.board(2).channel is two


@pytest.mark.parametrize(
    "lacking",
    [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS, "setting", "limit"],
)
async def test_without_a_thread_a_match_is_played_in_the_channel(
    env: Environment, lacking: Permission | str
) -> None:
    if isinstance(lacking, Permission):
        env.forbid(lacking)
    elif lacking == "setting":
        await env.change_settings(threads=False)
    else:
        env.expected |= {400}
        env.faults.respond(THREAD, status=400, code=160006)
    board = await env.begin()
    assert threads(env) == []
    assert board.channel is env.channel()
    await env.turn(board, random.Random(32))
    assert len(env.requests_to(THREAD)) == (lacking == "limit")


async def test_a_match_accepted_in_a_thread_is_played_in_it(env: Environment) -> None:
    world = env.world
    thread = world.add_thread(env.channel(), "our corner", env.ann.user)
    await confirm(env, env.ben, await env.challenge(channel="our corner"), "Accept")
    assert threads(env) == [thread]
    assert env.board().channel is thread


async def test_a_deleted_challenge_message_does_not_prevent_the_thread(env: Environment) -> None:
    env.expected |= {404}
    offered = await env.challenge()
    message = offered.shown
    await env.handled(lambda: accept(env, message, deleted=True))
    (thread,) = threads(env)
    assert thread.name == f"{await versus(env)} · {GAME}"
    assert thread.id != message.id
    assert env.board().channel is thread
    begun = env.channel().messages[thread.id]
    assert "match #1" in begun.text
    assert begun.pinged == ()


@pytest.mark.fast_timers
@pytest.mark.parametrize("failure", ["429", "500 after", "503", "broken", "broken after"])
@pytest.mark.parametrize("challenge", ["there", "deleted"])
@pytest.mark.parametrize("route", [THREAD, POST])
async def test_one_thread_whatever_fails(
    env: Environment, route: str, failure: str, challenge: str
) -> None:
    env.expected |= {400, 404, 429, 500, 503}
    offered = await env.challenge()
    message = offered.shown
    fault = fail(env.faults, route, failure)
    await env.handled(lambda: accept(env, message, deleted=challenge == "deleted"))
    assert fault.hits == 1
    (thread,) = threads(env)
    assert env.board().channel is thread
    assert len(env.boards()) == 1
    posted = [m for m in env.channel().messages.values() if not m.ephemeral]
    assert [message.id for message in posted] == [thread.id]


async def test_a_thread_not_recorded_before_a_crash_is_found_again(env: Environment) -> None:
    env.expected |= {400}
    offered = await env.challenge()
    message = offered.shown
    env.world.add_thread(message.channel, GAME, env.world.bot, thread_id=message.id)
    env.playground.messages.attach_thread(message, env.guild.threads[message.id])
    await env.done(env.ben.press(message, "Accept"))
    (thread,) = threads(env)
    assert env.board().channel is thread


async def test_an_archived_thread_is_reopened_by_the_next_board(env: Environment) -> None:
    env.expected |= {400}
    await env.begin()
    (thread,) = threads(env)
    reply = await env.mover(env.board()).slash("/tablan board", channel="games")
    env.world.archive(thread, archived=True)
    await env.turn_from(reply.shown, env.mover(env.board()), random.Random(33))
    assert not thread.archived
    assert f"Move {await env.move()}" in env.board().text
    assert env.board().channel is thread
    live: list[Message] = [b for b in env.boards() if b.buttons or b.menus]
    assert live == [env.board()]


async def test_a_match_begun_before_threads_stays_in_its_channel(env: Environment) -> None:
    await env.change_settings(threads=False)
    board = await env.begin()
    await change_matches(env, channel_kind=None)
    await env.change_settings(threads=True)
    await env.restart()
    ply = await env.ply()
    await env.play_a_while(moves=1)
    assert await env.ply() > ply
    assert threads(env) == []
    assert env.board().channel is board.channel


async def test_a_name_hides_and_reverses_nothing_in_a_thread(env: Environment) -> None:
    env.ann.user.display = "A\u202enn\u2028\u3164\u0301"
    env.ben.user.display = "\u3164\u2800"
    await confirm(env, env.ben, await env.challenge(), "Accept")
    (thread,) = threads(env)
    env.ann.user.display, env.ben.user.display = "Ann", env.ben.user.name
    assert thread.name == f"{await versus(env)} · {GAME}"
