"""Only one program at a time works on a database."""

from __future__ import annotations

import asyncio
import sys
from asyncio import subprocess
from pathlib import Path

import pytest

from data.errors import InUse, Unusable
from data.process_lock import process_lock
from data.store import Store

HOLD = """
import asyncio, sys
from data.process_lock import process_lock

async def hold():
    async with process_lock(sys.argv[1]):
        print("held", flush=True)
        await asyncio.Event().wait()

asyncio.run(hold())
"""


async def hold(url: str) -> subprocess.Process:
    """Start a program that holds the lock."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, url, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"held\n"
    return process


async def test_a_second_user_is_refused_until_the_first_is_done(url: str) -> None:
    async with process_lock(url):
        with pytest.raises(InUse, match="another program"):
            async with process_lock(url, patience=0.2):
                pytest.fail("two at once")
    async with process_lock(url, patience=0):
        store = await Store.open(url)
        await store.close()


async def test_a_program_that_starts_while_another_is_killed_gets_the_lock(url: str) -> None:
    process = await hold(url)
    killed = asyncio.Event()

    async def start() -> bool:
        async with process_lock(url, patience=60):
            return killed.is_set()

    starting = asyncio.create_task(start())
    with pytest.raises(InUse):
        async with process_lock(url, patience=0.2):
            pytest.fail("two at once")
    assert not starting.done()
    killed.set()
    process.kill()
    assert await starting
    await process.communicate()


async def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="folder"):
        async with process_lock(f"sqlite:///{tmp_path}/file/games.db"):
            pytest.fail("there is no such folder")


async def test_an_address_that_cannot_be_read_is_told() -> None:
    with pytest.raises(Unusable, match="address"):
        async with process_lock("mysql://elsewhere/games"):
            pytest.fail("no such database")
