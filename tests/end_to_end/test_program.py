"""The program as a process: killed at the worst moment, told to stop, started wrongly."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
import time
from asyncio import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playground.record import Request
    from tests.end_to_end.harness import House

ROOT = Path(__file__).parents[2]
POST = "POST /channels/{channel_id}/messages"


class Program:
    """``python -m bot`` in a process of its own, joined to the playground of a house."""

    def __init__(self, house: House) -> None:
        """Prepare to run it."""
        self.house = house
        self.process: subprocess.Process | None = None

    async def launch(self, **settings: str) -> subprocess.Process:
        """Start it."""
        known = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PLAYGROUND_URL": self.house.town.url,
            "DATABASE_URL": self.house.database,
            "DISCORD_TOKEN": self.house.town.token,
            "PICTURE_WIDTH": "400",
        }
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            env=known | settings,
            cwd=self.house.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return self.process

    async def start(self) -> None:
        """Start it and wait until it hears what people do."""
        await self.house.settle_in()
        process = await self.launch()
        joined = asyncio.ensure_future(self.house.town.gateway.wait_connected())
        ended = asyncio.ensure_future(process.wait())
        await asyncio.wait({joined, ended}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            joined.cancel()
            _, said = await process.communicate()
            raise AssertionError(said.decode())
        ended.cancel()

    async def ends(self) -> tuple[int, str]:
        """Wait for its end and return its status and what it wrote to standard error."""
        assert self.process is not None
        _, said = await self.process.communicate()
        assert self.process.returncode is not None
        await self.house.town.gateway.wait_connected(present=False)
        return self.process.returncode, said.decode()

    async def stop(self) -> tuple[int, str]:
        """Ask it to stop and wait for its end."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await self.ends()

    async def stop_beside(self) -> tuple[int, str]:
        """Ask it to stop while another bot stays connected."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        _, said = await self.process.communicate()
        return self.process.returncode or 0, said.decode()

    def kill(self, _: Request) -> bool:
        """Kill it, as soon as a request comes in."""
        assert self.process is not None
        self.process.kill()
        return True


@pytest.fixture
async def program(empty_house: House) -> AsyncIterator[Program]:
    """Prepare the program, and let none run on after the test."""
    one = Program(empty_house)
    yield one
    if one.process is not None and one.process.returncode is None:
        one.process.kill()
        await one.process.communicate()


def unsent(house: House) -> int:
    """Count what is left in the outbox."""
    with closing(sqlite3.connect(house.folder / "games.db")) as database:
        row = database.execute("SELECT count(*) FROM outbox WHERE done_at IS NULL").fetchone()
        return int(row[0])


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_kill_between_commit_and_note_loses_no_board_and_posts_none_twice(
    program: Program, moment: str
) -> None:
    house, after = program.house, moment == "after"
    await program.start()
    offered = await house.challenge()
    fault = house.town.faults.drop(POST, after=after, when=program.kill)
    assert offered.message is not None
    await house.ben.press(offered.message, "Accept")
    status, _ = await program.ends()
    assert status == -signal.SIGKILL
    assert fault.hits == 1
    assert unsent(house) == 1
    assert len(house.boards()) == int(after)

    await program.start()
    board = await house.town.wait_for("games", lambda message: message.picture is not None)
    await house.turn_outside(board, random.Random(30))
    status, said = await program.stop()

    assert status == 0
    assert "rror" not in said
    names = [board.attachments[0].filename for board in house.boards()]
    assert len(names) == len(set(names))
    assert unsent(house) == 0
    assert sum(board.pinged != () for board in house.boards()) == len(house.boards())


async def test_a_wrong_token_is_explained(program: Program) -> None:
    program.house.expected |= {401}
    await program.launch(DISCORD_TOKEN="not-the-token")
    status, said = await program.ends()
    assert status == 1
    assert "does not accept DISCORD_TOKEN" in said
    assert "Traceback" not in said
    assert "not-the-token" not in said


async def test_wrong_settings_are_named(program: Program) -> None:
    await program.launch(PICTURE_WIDTH="huge", LOG_LEVEL="chatty")
    status, said = await program.ends()
    assert status == 2
    assert "PICTURE_WIDTH" in said
    assert "LOG_LEVEL" in said
    assert "Traceback" not in said


async def test_a_port_that_is_taken_is_named_with_a_way_out(program: Program) -> None:
    taken = program.house.town.url.rsplit(":", 1)[1]
    process = await program.launch(PLAYGROUND_URL="", DISCORD_TOKEN="", PLAYGROUND_PORT=taken)
    _, said = await process.communicate()
    assert process.returncode == 1
    assert f"port {taken} is taken" in said.decode()
    assert "PLAYGROUND_PORT=0" in said.decode()


async def test_a_newer_database_is_left_alone(program: Program) -> None:
    house = program.house
    await house.start()
    await house.stop()
    with closing(sqlite3.connect(house.folder / "games.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    await program.launch()
    status, said = await program.ends()
    assert status == 1
    assert "The database cannot be used" in said
    assert "newer" in said
    assert "Traceback" not in said


async def test_two_programs_on_one_database_play_each_press_once(program: Program) -> None:
    house = program.house
    house.expected |= {400, 404}
    # The other program goes by the clock of the machine: to it a challenge must not be old.
    house.clock.advance(time.time() - house.clock.time())
    await house.start()
    offered = await house.challenge()
    assert offered.message is not None
    await program.launch()
    assert program.process is not None
    assert program.process.stderr is not None
    async for line in program.process.stderr:
        if b"bot.client" in line and b"ready" in line:
            break
    await house.ben.press(offered.message, "Accept")
    await house.town.wait_for(
        "games", lambda message: message.picture is not None and not message.ephemeral
    )
    dice = random.Random(36)
    board = house.board()
    for _ in range(8):
        board = await house.turn_outside(board, dice)
        await house.settled()
    status, _ = await program.stop_beside()
    assert status == 0
    names = [board.attachments[0].filename for board in house.boards()]
    assert len(names) == len(set(names))
    assert f"Turn {await house.ply()}" in house.board().text
    assert (await house.ann.slash("/tablan board", match=2)).text == "There is no match #2."


async def test_a_second_program_on_the_same_database_is_told_to_wait_its_turn(
    program: Program,
) -> None:
    await program.start()
    second = Program(program.house)
    process = await second.launch()
    _, said = await process.communicate()
    assert process.returncode == 1
    assert "another program works on it already" in said.decode()
    assert "Traceback" not in said.decode()
    status, _ = await program.stop()
    assert status == 0
    await second.start()
    status, _ = await second.stop()
    assert status == 0
