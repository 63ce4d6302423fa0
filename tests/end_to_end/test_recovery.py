"""Places that disappear, permissions that return, and the people notified."""

from __future__ import annotations

import random
from datetime import time, timedelta

import pytest

from bot.play.delivery import places
from bot.play.delivery.outbox_worker import OutboxWorker, UnannouncedJobs
from bot.play.matches import jobs
from bot.play.matches.positions import get_match
from bot.play.matches.service import Matches
from data.matches import outbox
from data.sql.statements import Scope, shard_of
from playground.model import Channel, MessageFlag
from playground.permissions import Permission
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import blocked_turn, confirm, hide, letters, owners_letters
from tests.moves import play

pytestmark = pytest.mark.fast_timers


def thread(env: Environment) -> Channel:
    return list(env.guild.threads.values())[-1]


async def test_a_deleted_board_comes_back_on_request(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    env.playground.messages.delete(board)
    await env.done(env.ben.slash("/tablan board"))
    (again,) = env.boards()
    assert again.buttons or again.menus
    await env.done(env.ben.slash("/tablan board"))
    assert env.boards() == [again]
    await env.turn(again, random.Random(51))


async def test_after_its_thread_is_deleted_a_match_continues_in_a_new_one(env: Environment) -> None:
    env.expected |= {404}
    await env.change_settings(threads=True)
    await env.begin()
    for _ in range(2):
        old = thread(env)
        env.world.remove_channel(old)
        await env.done(env.ann.slash("/tablan board", channel="games"))
        assert thread(env) is not old
        assert env.board().channel is thread(env)
        messages = [m for m in thread(env).messages.values() if "was deleted" in m.text]
        assert len(messages) == 1
        assert messages[0].id < env.board().id
        await env.turn(env.board(), random.Random(52))
        assert env.board().channel is thread(env)


async def test_without_permissions_a_match_continues_in_the_channel(env: Environment) -> None:
    env.expected |= {404}
    await env.change_settings(threads=True)
    await env.begin()
    env.forbid(Permission.CREATE_PUBLIC_THREADS)
    env.world.remove_channel(thread(env))
    await env.done(env.ann.slash("/tablan board", channel="games"))
    assert env.board().channel is env.channel()
    await env.turn(env.board(), random.Random(53))


async def test_players_of_a_deleted_channel_continue_elsewhere(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin(channel="elsewhere")
    env.world.remove_channel(env.channel("elsewhere"))
    for _ in range(2):
        await env.done(env.ann.slash("/tablan board", channel="games"))
    for person in (env.ann, env.ben):
        (letter,) = letters(env, person)
        assert "/match relocate number:1" in letter.text
    assert owners_letters(env) == []
    moved = await env.ben.slash("/match relocate", channel="games", number=1)
    assert "goes on in this channel" in moved.text
    await env.settled()
    assert env.board().channel is env.channel()
    assert env.board().id > board.id
    messages = [m for m in env.channel().messages.values() if "moved match" in m.text]
    assert [m.pinged for m in messages] == [(env.ann.user,)]
    await env.turn(env.board(), random.Random(54))


async def test_alerts_are_silent_in_quiet_hours_and_without_pings(env: Environment) -> None:
    env.expected |= {404}
    env.allow_pending = True
    await env.change_player(env.ann, quiet_from=time(20), quiet_to=time(7))
    await env.change_player(env.ben, pings=False)
    await env.begin("thaayam", channel="elsewhere", players=3)
    env.world.remove_channel(env.channel("elsewhere"))
    await env.done(env.ann.slash("/thaayam board", channel="games"))
    for person, silent in ((env.ann, True), (env.ben, True), (env.carol, False)):
        (letter,) = letters(env, person)
        assert bool(letter.flags & MessageFlag.SUPPRESS_NOTIFICATIONS) == silent


async def test_moving_a_match_closes_its_old_board(env: Environment) -> None:
    board = await env.begin()
    await env.done(env.ann.slash("/match relocate", channel="elsewhere", number=1))
    assert env.board(channel="elsewhere").buttons or env.board(channel="elsewhere").menus
    assert not board.buttons
    assert not board.menus
    assert "already" in (await env.ann.slash("/match relocate", channel="elsewhere", number=1)).text
    offered = await env.ann.autocomplete("/match relocate", "number", "", channel="games")
    assert [choice.value for choice in offered] == [1]


async def test_a_player_who_may_not_move_a_match_is_told_why(env: Environment) -> None:
    await env.begin()
    stranger = await env.carol.slash("/match relocate", channel="elsewhere", number=1)
    assert "can move match #1" in stranger.text
    assert (
        "no match #7"
        in (await env.ann.slash("/match relocate", channel="elsewhere", number=7)).text
    )
    quiet = await env.ann.slash("/match relocate", channel="quiet", number=1)
    assert "**Attach Files**" in quiet.text
    await env.change_settings(channels=(env.channel().id,))
    unwanted = await env.ann.slash("/match relocate", channel="elsewhere", number=1)
    assert f"games are played in <#{env.channel('games').id}>" in unwanted.text
    await env.change_settings(channels=())
    hide(env, "elsewhere", env.ben)
    blind = await env.ann.slash("/match relocate", channel="elsewhere", number=1)
    assert f"{env.ben.mention} can't see this channel" in blind.text
    await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    over = await env.ann.slash("/match relocate", channel="elsewhere", number=1)
    assert "already over" in over.text


async def test_moves_per_hour_are_limited(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MAX_MOVES", 2)
    await env.begin()
    for channel in ("elsewhere", "games"):
        for _ in range(3):  # refusals do not count
            await env.ann.slash("/match relocate", channel=channel, number=1)
        await env.settled()
    often = await env.ann.slash("/match relocate", channel="elsewhere", number=1)
    assert "limit of 2 an hour" in often.text
    assert env.board().channel is env.channel()
    other = await env.ben.slash("/match relocate", channel="elsewhere", number=1)
    assert "goes on in this channel" in other.text
    await env.settled()
    await env.advance(hours=1)
    again = await env.ann.slash("/match relocate", channel="games", number=1)
    assert "goes on in this channel" in again.text


async def test_the_owner_is_asked_daily_and_boards_come_once_allowed(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.forbid(Permission.ATTACH_FILES)
    await blocked_turn(env, random.Random(55))
    await env.settled()
    (message,) = owners_letters(env)
    assert "**Attach Files**" in message.text
    assert env.channel().name in message.text or "<#" in message.text
    await env.done(env.ann.slash("/tablan board"))
    assert len(owners_letters(env)) == 1
    env.clock.advance(86_400)
    await env.done(env.ann.slash("/tablan board"))
    assert len(owners_letters(env)) == 2
    move, boards = await env.move(), len(env.boards())
    env.allow(Permission.ATTACH_FILES)
    await env.playground.wait_for("games", lambda m: f"Move {move}" in m.text and not m.ephemeral)
    await env.settled()
    assert env.board().picture
    assert len(env.boards()) == boards + 1


async def test_unrelated_changes_trigger_no_pointless_retry(env: Environment) -> None:
    env.expected |= {403}
    env.allow_pending = True
    await env.begin()
    env.forbid(Permission.ATTACH_FILES)
    await blocked_turn(env, random.Random(56))
    await env.settled()
    tried = len(env.playground.requests)
    env.forbid(Permission.ADD_REACTIONS, "elsewhere")
    await env.done(env.carol.slash("/leaderboard"))
    routes = [request.route for request in list(env.playground.requests)[tried:]]
    assert not [route for route in routes if route.startswith("POST /channels")]


async def test_a_bot_readded_to_a_server_continues_its_matches(env: Environment) -> None:
    env.expected |= {403, 404}
    board = await env.begin()
    ply = await env.ply()
    world, guild = env.world, env.guild
    world.remove_member(guild, world.bot)
    player = env.mover(board)
    await play(env.app.get(Matches), 1, player.id, (await env.legal())[0])
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    assert await env.ply() > ply
    assert f"Move {await env.move()}" not in env.board().text
    assert letters(env, env.ann) == []
    world.invite_bot(guild)
    now = await env.move()
    await env.playground.wait_for("games", lambda m: f"Move {now}" in m.text)
    await env.settled()
    await env.turn(env.board(), random.Random(57))


async def test_a_locked_thread_is_reported_and_waited_for(env: Environment) -> None:
    env.expected |= {400, 403}
    await env.change_settings(threads=True)
    board = await env.begin()
    reply = await env.mover(board).slash("/tablan board", channel="games")
    mover = env.mover(board)
    env.world.archive(thread(env), archived=True, locked=True)
    picked = await env.turn_from(reply.shown, mover, random.Random(58))
    message = await picked.followup()
    assert "is locked" in message.text
    move = await env.move()
    env.world.archive(thread(env), archived=False, locked=False)
    await env.playground.wait_for(thread(env), lambda m: f"Move {move}" in m.text)
    await env.settled()


async def test_a_lost_permission_keeps_the_move_and_is_named(env: Environment) -> None:
    env.expected |= {403}
    dice = random.Random(6)
    await env.begin()
    env.forbid(Permission.ATTACH_FILES)
    message = await blocked_turn(env, dice)
    assert "**Attach Files**" in message.text
    assert "saved" in message.text
    assert "/tablan board" in message.text
    ply = await env.ply()
    waiting = await env.read(outbox.pending)
    assert waiting[-1].payload["ply"] == ply
    assert "50013" in (waiting[-1].blocked or "")
    while_away = await env.ann.slash("/tablan board")
    assert while_away.ephemeral
    assert while_away.shown.picture
    why = await while_away.followup()
    assert "**Attach Files**" in why.text
    env.allow(Permission.ATTACH_FILES)
    await env.done(env.ann.slash("/tablan board"))
    assert f"Move {await env.move()}" in env.board().text
    assert env.board().pinged == (env.mover(env.board()).user,)
    await env.turn(env.board(), dice)


async def test_the_board_comes_once_the_permission_is_granted(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.forbid(Permission.SEND_MESSAGES)
    message = await blocked_turn(env, random.Random(7))
    assert "**Send Messages**" in message.text
    env.allow(Permission.SEND_MESSAGES)
    await env.restart()
    assert f"Move {await env.move()}" in env.board().text


async def test_a_deleted_board_comes_back_with_the_next_turn(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    mover = env.mover(board)
    env.playground.messages.delete(board)
    again = (await mover.slash("/tablan board")).shown
    assert again.ephemeral
    assert again.buttons
    await env.turn_from(again, mover, random.Random(8))
    assert f"Move {await env.move()}" in env.board().text
    assert env.board() is not board
    await env.turn(env.board(), random.Random(9))


async def test_a_deleted_channel_does_not_end_the_match(env: Environment) -> None:
    env.expected |= {404}
    env.allow_pending = True
    board = await env.begin(channel="elsewhere")
    mover, other = env.mover(board), env.other(board)
    env.world.remove_channel(env.channel("elsewhere"))
    reply = (await mover.slash("/tablan board", channel="games")).shown
    ply = await env.ply()
    picked = await env.turn_from(reply, mover, random.Random(10))
    message = await picked.followup()
    assert "is gone" in message.text
    assert await env.ply() > ply
    await env.play_a_while()
    question = (await other.slash("/tablan resign", channel="games")).shown
    assert "You resigned" in (await other.press(question, "Resign")).text
    await env.settled()
    profile = await env.carol.slash("/profile", user=mover, channel="games")
    assert "1 won · 0 drawn · 0 lost" in profile.text


async def test_a_board_put_off_comes_in_time_though_another_shard_is_taken_just_then(
    env: Environment,
) -> None:
    await env.begin()
    boards = len(env.boards())
    async with env.store.write() as tx:
        await jobs.repost(tx, await get_match(tx, 1), env.now())
        (job,) = await outbox.pending(tx, 1)
        await outbox.mark_failed(tx, job.id, "50013", again=env.now() + timedelta(hours=1))
    await env.settled()
    assert len(env.boards()) == boards
    env.clock.advance(3600)
    other = Scope(2, frozenset({1 - shard_of(env.guild.id, 2)}))
    await env.app.get(UnannouncedJobs).recover(other)
    await env.settled()
    assert len(env.boards()) == boards + 1
