"""Only one program at a time works on a database."""

from __future__ import annotations

import asyncio
import sys
from asyncio import subprocess
from pathlib import Path

import pytest

from data.errors import InUse, Unusable
from data.sole import sole_user
from data.store import Store

HOLD = """
import asyncio, sys
from data.sole import sole_user

async def hold():
    async with sole_user(sys.argv[1]):
        print("held", flush=True)
        await asyncio.Event().wait()

asyncio.run(hold())
"""


async def test_a_second_user_is_refused_until_the_first_is_done(url: str) -> None:
    async with sole_user(url):
        with pytest.raises(InUse, match="another program"):
            async with sole_user(url):
                pytest.fail("two at once")
    async with sole_user(url):
        store = await Store.open(url)
        await store.close()


async def test_what_is_killed_holds_nothing(url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, url, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"held\n"
    with pytest.raises(InUse):
        async with sole_user(url):
            pytest.fail("two at once")
    process.kill()
    await process.communicate()
    while True:  # a server takes a moment to notice
        try:
            async with sole_user(url):
                return
        except InUse:
            await asyncio.sleep(0.05)


async def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="folder"):
        async with sole_user(f"sqlite:///{tmp_path}/file/games.db"):
            pytest.fail("there is no such folder")


async def test_an_address_that_cannot_be_read_is_told() -> None:
    with pytest.raises(Unusable, match="address"):
        async with sole_user("mysql://elsewhere/games"):
            pytest.fail("no such database")
