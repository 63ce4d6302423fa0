"""Playing against a computer: at once, anywhere, and without losing a match."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from typing import Any

import pytest

from bot.app.thinking import Thinking
from bot.core.workers.task_queue import TaskRunner
from bot.features.challenges.limits import MAX_OPEN_PRACTICE
from bot.features.challenges.service import Challenges
from bot.play.matches import computer_players
from bot.play.matches.service import Matches
from data import computer_tasks
from data.challenges import challenges
from data.computer_tasks import Kind
from data.puzzles import analyses
from engine import registry
from engine.phrase import capital
from playground.app import GROUP
from playground.model import Channel, Message
from playground.permissions import Permission
from playground.reply import Reply
from tests.clocks import HandClock
from tests.end_to_end.harness import Environment, playable, receipt
from tests.end_to_end.people import QUICK, SILENT, confirm, practise
from tests.end_to_end.thread_workers import ThreadPool
from tests.end_to_end.verification import verify_match
from tests.routes import POST
from tests.toy import SLUG as TOY
from tests.toy import dropped_in

pytestmark = pytest.mark.usefixtures("kernels")


async def resign(env: Environment, slug: str = SILENT, **options: Any) -> Reply:
    """Resign as Ann."""
    return await confirm(env, env.ann, await env.ann.slash(f"/{slug} resign", **options), "Resign")


async def take_turn(env: Environment) -> None:
    """Make a move as Ann, which the computer answers."""
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn(env.board(), random.Random(1))


async def put_hint(env: Environment, expected: float, second: float | None) -> tuple[str, str]:
    """Store a hint for Ann's first move; return the move and another one."""
    best, other, *_ = await env.legal()
    hint = {"move": best, "expected": expected, "second": second and [other, second]}
    async with env.store.write() as tx:
        await analyses.add_hint(tx, 1, (await env.position()).version, hint)
    return best, other


async def in_words(env: Environment) -> set[str]:
    """Return what the legal moves of match 1 do, as hints call them."""
    position = await env.position()
    game, state = position.game, position.state
    return {capital(game.move_label(state, move).text) for move in game.legal_moves(state)}


async def thinking(env: Environment) -> tuple[int, ...]:
    """Return the matches in which a computer is to move."""
    return await env.read(computer_tasks.waiting, Kind.MOVE)


# Refusals


async def test_practice_matches_per_player_are_limited(quick: Environment) -> None:
    for _ in range(MAX_OPEN_PRACTICE):
        assert not (await practise(quick)).ephemeral
    reply = await practise(quick)
    assert reply.ephemeral
    assert f"already have {MAX_OPEN_PRACTICE} practice games" in reply.text
    assert "/tablut resign match:1" in reply.text
    assert not (await practise(quick, person=quick.ben)).ephemeral
    assert not (await quick.challenge()).ephemeral, "practice counts for itself"


async def test_no_practice_match_starts_where_it_cannot_be_played(quick: Environment) -> None:
    quick.forbid(Permission.SEND_MESSAGES)
    assert "**Send Messages**" in (await practise(quick)).text
    quick.allow(Permission.SEND_MESSAGES)
    await quick.change_settings(channels=(quick.channel("general").id,))
    reply = await practise(quick)
    assert reply.ephemeral
    mentioned = f"<#{quick.channel('general').id}>"
    assert reply.text == f"On this server, games are played in {mentioned}."
    assert await quick.app.get(Matches).of_player(quick.ann.id) == ()


async def test_a_waiting_player_is_told_why_no_board_comes(quick: Environment) -> None:
    quick.expected |= {403}
    await practise(quick, seat=registry.game(SILENT).seat_names[0])
    quick.forbid(Permission.ATTACH_FILES)
    ply = await quick.ply()
    while await quick.ply() == ply:
        picked = await quick.turn(quick.board(), random.Random(1))
    [message] = picked.followups
    assert message.ephemeral_for is quick.ann.user
    assert "**Attach Files**" in message.text
    assert await quick.ply() == ply + 2
    quick.allow(Permission.ATTACH_FILES)
    await quick.done(quick.ann.slash(f"/{SILENT} board"))
    assert playable(quick.board())


async def test_a_computer_accepts_no_draw(quick: Environment) -> None:
    slug = next(s for s, game in registry.games().items() if game.agreed_draw is not None)
    await practise(quick, slug)
    assert f"/{slug} resign" in (await quick.ann.slash(f"/{slug} draw")).private


# Playing


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_match_against_a_computer_is_played_to_its_end(
    empty_env: Environment, slug: str
) -> None:
    env = empty_env
    env.worker_processes = slug == SILENT
    await env.start()
    reply = await practise(env, slug)
    assert not reply.ephemeral
    assert "plays Computer, level 1" in reply.text
    dice = random.Random(7)
    if slug == SILENT:
        board = await env.play_until(dice, lambda board: not playable(board))
    else:
        board = await leave_after(env, slug, dice, turns=8)
    position = await env.position()
    assert position.to_move is None
    assert "nrated practice" in board.text
    assert "Unrated: no rating changes" not in board.text
    assert [button.label for button in board.buttons] == [
        "Rematch",
        "Analysis",
        "Replay",
        "Try moves",
    ]
    assert await thinking(env) == ()
    await verify_match(env)


async def leave_after(env: Environment, slug: str, dice: random.Random, *, turns: int) -> Message:
    """Take some turns as Ann and resign; return the last board."""
    for _ in range(turns):
        await env.turn(env.board(), dice)
    assert playable(env.board())
    await resign(env, slug, match=1)
    return env.board()


@pytest.mark.parametrize("players", [2, 4])
async def test_computers_take_all_other_seats(quick: Environment, players: int) -> None:
    await practise(quick, "thaayam", players=players)
    board = quick.board()
    assert "Computer, level 1" in board.text
    assert ("Computer 2, level 1" in board.text) == (players > 2)
    assert ("Computer 3, level 1" in board.text) == (players > 3)
    await leave_after(quick, "thaayam", random.Random(5), turns=3)
    await verify_match(quick)


async def test_one_board_shows_all_the_computers_moves_and_pings_no_one(quick: Environment) -> None:
    await practise(quick, "tablan")
    dice = random.Random(1)
    for _ in range(8):
        board = quick.board()
        await quick.turn(board, dice)
        new = quick.board()
        assert quick.mover(new) is quick.ann
        assert new.pinged == ()
        if new is not board:
            assert not board.buttons
            assert not board.menus


async def test_a_player_is_pinged_after_a_long_wait(quick: Environment) -> None:
    await practise(quick)
    board = quick.board()
    await quick.app.get(TaskRunner).close()  # as if the machine had been switched off
    ply = await quick.ply()
    while await quick.ply() == ply:
        await quick.turn(board, random.Random(1))
    assert quick.board() is board
    quick.clock.advance(7200)
    await quick.restart()
    await quick.settled()
    new = quick.board()
    assert new is not board
    assert new.pinged == (quick.ann.user,)


async def give_up(env: Environment) -> None:
    """Make some moves as Ann, and resign."""
    dice = random.Random(2)
    while await env.ply() < 8:
        await env.turn(env.board(), dice)
    await resign(env)


async def test_practice_changes_no_ratings_and_has_no_clock(quick: Environment) -> None:
    await practise(quick)
    before = len(quick.channel("games").messages)
    await quick.advance(days=30)
    assert len(quick.channel("games").messages) == before, "nobody is reminded"
    assert "Move by" not in quick.board().text
    await give_up(quick)
    reply = await quick.ann.slash("/leaderboard", game=SILENT)
    assert quick.ann.mention not in reply.text
    assert "Unrated practice" in quick.board().text


async def test_a_board_edited_in_place_shows_the_computers_reply_too(quick: Environment) -> None:
    await quick.change_settings(board="edit")
    await practise(quick)
    board = quick.board()
    await take_turn(quick)
    assert quick.board() is board
    assert playable(board)
    assert quick.mover(board) is quick.ann


@pytest.fixture
async def in_threads(empty_env: Environment) -> Environment:
    """Start such a bot where matches have threads."""
    empty_env.threads, empty_env.worker_tasks = True, QUICK
    await empty_env.start()
    return empty_env


async def test_a_practice_match_gets_a_thread_if_the_server_uses_threads(
    in_threads: Environment,
) -> None:
    env = in_threads
    reply = await practise(env)
    thread = env.guild.threads[reply.shown.id]
    assert env.board().channel is thread
    assert thread.name == "Ann · Tablut #1 · Computer", "whichever side the computer has"
    assert str(thread.id) in reply.shown.text
    await take_turn(env)
    assert env.board().channel is thread


async def test_threads_against_several_computers_say_first_what_tells_them_apart(
    in_threads: Environment,
) -> None:
    env, threads = in_threads, []
    for players in (3, 4):
        options = {"level": 1, "players": players}
        reply = await env.done(env.ann.slash("/thaayam practice", options=options))
        threads.append(env.guild.threads[reply.shown.id].name)
    assert threads == [
        "Ann · Thaayam #1 · 2 computers",
        "Ann · Thaayam #2 · 3 computers",
    ]
    await env.resign(env.ann)
    name = next(one.name for one in env.guild.threads.values() if "#1" in one.name)
    assert name == "Computer and Computer 2 ahead of Ann · Thaayam #1", "the result comes first"


async def test_a_match_that_is_placed_before_its_message_is_known_is_linked_to_all_the_same(
    in_threads: Environment,
) -> None:
    env = in_threads
    reply = await practise(env)
    thread = env.board().channel
    known = await env.read(challenges.of_match, 1)
    assert known is not None
    reply.shown.component_data = []  # as it was sent: without a link
    await env.app.get(Challenges).set_message(known.id, reply.shown.id)
    await env.settled()
    assert str(thread.id) in reply.shown.text


def alone(env: Environment, where: str) -> Channel:
    """Return a place where one can play only the bot."""
    world = env.world
    if where == "with the bot":
        return env.ann.dm
    if where == "between friends":
        return world.dm_channel(env.ann.user, env.ben.user)
    return env.channel(GROUP)


@pytest.mark.parametrize("where", ["with the bot", "between friends", "in a group"])
async def test_practice_works_without_a_server(quick: Environment, where: str) -> None:
    place = alone(quick, where)
    dice = random.Random(3)
    reply = await quick.done(
        quick.ann.slash(
            f"/{SILENT} practice", channel=place, options={"level": 1, "seat": "muscovites"}
        )
    )
    assert not reply.ephemeral, reply.text

    def newest() -> Message:
        return [m for m in quick.ann.sees(place) if not m.ephemeral and m.picture][-1]

    for _ in range(3):
        board = newest()
        assert playable(board)
        seen = board.picture
        while newest() is board and board.picture == seen:  # in a group one message changes
            await quick.turn_from(board, quick.ann, dice)
    await resign(quick, channel=place)
    await quick.done(quick.ann.press(newest(), "Rematch"))
    assert "match #2" in newest().text
    assert playable(newest())


async def test_a_game_that_was_just_added_can_be_practised(empty_env: Environment) -> None:
    env = empty_env
    with dropped_in():
        await env.start()
        reply = await practise(env, TOY, players=3)
        assert not reply.ephemeral, reply.text
        await env.play_until(random.Random(2), lambda board: not playable(board))
        assert (await env.ann.slash("/match verify", number=1)).text.count("✓") == 1
        await env.settled()


# Ending and going back


async def test_a_rematch_begins_at_once_with_the_sides_swapped(quick: Environment) -> None:
    await practise(quick)
    first = (await quick.position()).player_of(quick.ann.id)
    await resign(quick)
    reply = (await quick.carol.press(quick.board(), "Rematch")).private
    assert f"Only {quick.ann.mention}" in reply
    await quick.done(quick.ann.press(quick.board(), "Rematch"))
    position = await quick.position(2)
    second = position.player_of(quick.ann.id)
    assert first is not None
    assert second is not None
    assert first.seat != second.seat
    assert "match #2" in (await quick.ann.press(quick.board(1), "Rematch")).private


async def test_a_move_is_taken_back_at_once_with_the_reply(quick: Environment) -> None:
    await practise(quick)
    nothing = await quick.ann.slash(f"/{SILENT} takeback")
    assert nothing.ephemeral
    ply, legal = await quick.ply(), await quick.legal()
    await take_turn(quick)
    assert await quick.ply() == ply + 2
    reply = await quick.done(quick.ann.slash(f"/{SILENT} takeback"))
    assert "taken back" in reply.text
    assert await quick.ply() == ply
    assert await quick.legal() == legal
    assert quick.mover(quick.board()) is quick.ann
    await give_up(quick)
    await verify_match(quick)


async def test_a_throw_is_never_taken_back(quick: Environment) -> None:
    await practise(quick, "tablan")
    dice = random.Random(1)
    board = quick.board()
    while quick.board() is board:
        await quick.turn(board, dice)
    ply = await quick.ply()
    assert "thrown since" in (await quick.ann.slash("/tablan takeback")).private
    assert await quick.ply() == ply


# What goes wrong


@pytest.mark.parametrize("how", ["dies", "fails", "illegal"])
async def test_a_computer_that_cannot_think_still_moves(empty_env: Environment, how: str) -> None:
    env = empty_env
    env.worker_tasks = f"tests.bot.core.workers.tasks:THINK_{how.upper()}"
    env.worker_processes = True
    await env.start()
    await practise(env)
    dice = random.Random(1)
    for _ in range(2):
        board = env.board()
        while env.board() is board:
            await env.turn(board, dice)
        assert env.mover(env.board()) is env.ann
    assert "The computer played below its level here" in env.board().text


async def test_a_computer_that_thinks_endlessly_is_stopped(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    monkeypatch.setattr(computer_players, "MOVE_LIMIT", 0.3)
    env.worker_tasks = "tests.bot.core.workers.tasks:THINK_ENDLESS"
    env.worker_processes = True
    await env.start()
    await practise(env)
    await take_turn(env)
    assert env.mover(env.board()) is env.ann


async def test_a_worker_killed_while_it_thinks_loses_no_match(empty_env: Environment) -> None:
    env = empty_env
    env.worker_processes = True
    await env.start()
    await practise(env, level=5)
    board = env.board()
    killed: list[int] = []

    async def kill() -> None:
        while not env.app.get(TaskRunner).busy or not env.app.pools["moves"].pids:  # noqa: ASYNC110
            await asyncio.sleep(0)  # there is no event for it
        pid = env.app.pools["moves"].pids[0]
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    killer = asyncio.create_task(kill())
    while env.board() is board:
        await env.turn(board, random.Random(1))
    await killer
    assert env.mover(env.board()) is env.ann
    assert env.app.pools["moves"].pids != tuple(killed)


async def test_a_computers_turn_resumes_after_a_restart(empty_env: Environment) -> None:
    env = empty_env
    env.worker_tasks = "tests.bot.core.workers.tasks:THINK_ENDLESS"
    env.worker_processes = True
    await env.start()
    began = await env.ann.slash(
        f"/{SILENT} practice", level=3, seat=registry.game(SILENT).seat_names[-1]
    )
    assert not began.ephemeral
    while not env.app.pools["moves"].pids:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0)
    assert await thinking(env) == (1,)
    await env.stop()
    assert env.boards() == []
    env.worker_tasks = QUICK
    await env.start()
    await env.settled()
    assert await thinking(env) == ()
    assert env.mover(env.board()) is env.ann


async def test_resigning_and_takebacks_do_not_wait_for_the_computer(empty_env: Environment) -> None:
    env = empty_env
    env.worker_tasks = "tests.bot.core.workers.tasks:THINK_ENDLESS"
    env.worker_processes = True
    await env.start()
    seat = registry.game(SILENT).seat_names[-1]
    await env.ann.slash(f"/{SILENT} practice", level=3, seat=seat)
    assert "resigned" in (await resign(env, match=1)).text
    assert await thinking(env) == ()
    assert (await env.position()).to_move is None
    await env.stop()
    env.worker_tasks = QUICK
    await env.start()


# Hints


async def test_hints_are_only_for_practice_and_the_player_to_move(env: Environment) -> None:
    assert "practice" in (await env.ann.slash("/match hint")).private
    await env.begin(SILENT)
    reply = await env.ann.slash("/match hint", number=1)
    assert "Hints are for practice" in reply.text
    await practise(env)
    assert env.ann.mention in (await env.carol.slash("/match hint", number=2)).private


async def test_a_hint_is_a_legal_move_with_a_reason_and_counts_once(env: Environment) -> None:
    await practise(env)
    reply = (await env.ann.slash("/match hint")).private
    again = await env.ann.slash("/match hint", number=1)
    assert again.text == reply
    assert "1 hint" in reply
    assert reply.split("**")[1] in await in_words(env)
    await resign(env)
    assert "With 1 hint." in env.board().text


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (0.6, ": 60 % win chance."),
        (0.99998, ": this wins."),
        (0.00002, "I don't see a way to save this one."),
    ],
)
async def test_a_hint_says_if_the_result_is_certain(
    quick: Environment, expected: float, text: str
) -> None:
    await practise(quick)
    await put_hint(quick, expected, expected / 2)
    assert text in (await quick.ann.slash("/match hint")).text


async def test_a_hint_shows_its_move_on_the_board_and_plays_it(quick: Environment) -> None:
    await practise(quick)
    ply = await quick.ply()
    best, other = await put_hint(quick, 0.6, 0.59)
    reply = await quick.ann.slash("/match hint")
    assert reply.shown.picture is not None
    assert reply.shown.picture != quick.board().picture
    assert f"An arrow shows {best}." in (reply.shown.alt or "")
    position = await quick.position()
    named = position.game.move_label(position.state, position.game.read(position.state, other))
    assert f"{capital(named.text)} is almost as good." in reply.text
    played = await quick.done(quick.ann.press(reply.shown, "Play it"))
    assert "Played." in receipt(played)
    then = await quick.app.get(Matches).position_at(1, ply + 1)
    assert then.game.write(then.tail[-1].move) == best


async def test_an_outdated_hints_move_is_not_played(quick: Environment) -> None:
    await practise(quick)
    await put_hint(quick, 0.6, None)
    reply = await quick.ann.slash("/match hint")
    await take_turn(quick)
    ply = await quick.ply()
    late = await quick.ann.press(reply.shown, "Play it")
    assert "earlier turn" in late.text + reply.shown.text
    assert await quick.ply() == ply


async def test_a_gateway_does_not_think_and_shows_a_workers_move(empty_env: Environment) -> None:
    env = empty_env
    env.thinks = False
    await env.start()
    last_seat = registry.game(SILENT).seat_names[-1]
    began = await env.done(env.ann.slash(f"/{SILENT} practice", level=1, seat=last_seat))
    assert not began.ephemeral
    assert set(env.app.pools) == {"pairings", "imports"}, "it does not search"
    assert await thinking(env) == (1,)
    (length,) = await env.read(computer_tasks.queue_lengths)
    assert (length.waiting, length.in_progress) == (1, 0)
    worker = Thinking(
        env.store,
        env.app.get(Matches),
        clock=HandClock(env.clock),
        pools={"moves": ThreadPool(QUICK)},
    )
    await worker.start(analyse_after=None)
    await worker.runner.idle()
    await env.settled()
    assert await thinking(env) == ()
    assert env.mover(env.board()) is env.ann
    await worker.close()


async def test_a_rematch_from_a_thread_is_answered_while_nothing_can_be_posted(
    in_threads: Environment,
) -> None:
    env = in_threads
    env.expected |= {500}
    await practise(env)
    thread = env.board().channel
    await resign(env, channel=thread)
    env.faults.respond(POST, status=500, times=None)
    reply = await env.ann.press(env.board(), "Rematch")
    assert "Match #2 starts here" in reply.text
    env.faults.clear()
    await env.advance(minutes=5)
    assert env.board(2).channel is not thread
    announced = [m for m in env.channel("games").messages.values() if "#2" in m.text]
    assert any("is on in" in message.text for message in announced)


async def practise_in_group(quick: Environment, slug: str = "tablut") -> Message:
    """Begin a match against a computer in a group as Ann, and return its board."""
    await quick.done(quick.ann.slash(f"/{slug} practice", channel=GROUP, level=1))
    return quick.board(channel=GROUP)


async def moves(quick: Environment, number: int) -> None:
    """Make some moves as Ann with the board's buttons and menus."""
    dice = random.Random(f"{number} moves")
    for _ in range(number):
        ply = await quick.ply()
        while await quick.ply() == ply and playable(quick.board(channel=GROUP)):
            await quick.turn_from(quick.board(channel=GROUP), quick.ann, dice)


@pytest.mark.parametrize("slug", ["tablut", "tablan"])
async def test_a_whole_match_leaves_one_board(quick: Environment, slug: str) -> None:
    board = await practise_in_group(quick, slug)
    dice = random.Random(3)
    for _ in range(12):
        if not playable(board):
            break
        await quick.turn_from(board, quick.ann, dice)
        assert quick.boards(channel=GROUP) == [board]
    question = await quick.ann.slash(f"/{slug} resign", channel=GROUP)
    if question.message is not None and question.message.buttons:
        await quick.done(quick.ann.press(question.message, "Resign"))
    assert quick.boards(channel=GROUP) == [board]
    assert not playable(board)
    assert "Rematch" in [button.label for button in board.buttons]


async def test_after_a_pause_the_next_press_edits_its_own_message(quick: Environment) -> None:
    board = await practise_in_group(quick)
    await moves(quick, 2)
    await quick.advance(minutes=20)
    await moves(quick, 2)
    await quick.restart()
    await moves(quick, 2)
    assert quick.boards(channel=GROUP) == [board]
    assert playable(board)


async def test_confirmed_moves_change_the_same_board(quick: Environment) -> None:
    await quick.change_player(quick.ann, confirm=True)
    board = await practise_in_group(quick)
    await quick.advance(minutes=20)
    for _ in range(3):
        ply, move = await quick.ply(), (await quick.legal())[0]
        game = registry.game("tablut")
        position = await quick.position()
        question = board
        for step in game.steps(game.read(position.state, move)):
            value = next(one for one in quick.choices(question) if one.endswith(step))
            await quick.done(quick.start_pick(question, quick.ann, value))
            messages = quick.ann.sees(quick.channel(GROUP))
            question = [message for message in messages if message.ephemeral][-1]
        await quick.done(quick.ann.press(question, "Play it"))
        assert await quick.ply() > ply
    assert quick.boards(channel=GROUP) == [board]
    assert playable(board)
