"""Upgrades with the real program: tables of no release are refused, those of the next one work."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from data.store.store import Store
from tests.data.later import later_migrations, newest_revision
from tests.data.schema import change_tables, described
from tests.end_to_end.program import AFRESH, Program

EXPAND = """
    op.add_column("matches", sa.Column("later", sa.Text()))
    op.add_column("moves", sa.Column("later", sa.Integer(), server_default="0", nullable=False))
    op.create_table("later", sa.Column("number", sa.Integer(), primary_key=True))
    op.create_index("ix_moves_later", "moves", ["later"])
"""
"""What a next release may do at its first start: it only adds."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, program: Program) -> str:
    """The URL of an empty database with all tables, at the program's place if it is a file."""
    if request.param == "sqlite":
        return program.env.database
    url: str = request.getfixturevalue("postgresql_url")
    return url


async def tables(url: str, migrations: Path) -> object:
    """Return what a database says about its tables, opened by a version with these migrations."""
    store = await Store.open(url, migrations=migrations)
    async with store.read() as tx:
        found = await tx.run_sync(described)
    await store.close()
    return found


@pytest.mark.parametrize("role", ["", "gateway", "worker", "doctor"])
async def test_tables_of_no_release_are_refused(program: Program, database: str, role: str) -> None:
    if role == "worker" and database.startswith("sqlite"):
        pytest.skip("a worker needs PostgreSQL")
    await change_tables(database, "ALTER TABLE matches RENAME COLUMN ending TO ended_how")
    process = await program.launch(
        program=AFRESH, arguments=[role] if role else [], DATABASE_URL=database
    )
    output, errors = await process.communicate()
    text = (output + errors).decode()
    assert process.returncode == (1 if role == "doctor" else 2), text
    assert "no column matches.ending" in text
    assert "Nothing was changed. Go back to the version that made it" in text
    assert "Traceback" not in text
    assert program.env.gateway.starts.times == []


@pytest.mark.parametrize("role", ["", "gateway"])
async def test_after_a_rollback_a_release_works_on_the_tables_of_the_next_one(
    program: Program, database: str, role: str, tmp_path: Path
) -> None:
    env = program.env
    later = later_migrations(tmp_path, more=EXPAND.strip(), works_with=newest_revision())
    store = await Store.open(database)
    await env._prepare(store)
    await store.close()
    before = await tables(database, later)
    await program.launch(program=AFRESH, arguments=[role] if role else [], DATABASE_URL=database)
    await program.logged("bot.app.client", "ready")
    offered = await env.challenge()
    await env.ben.press(await offered.filled(), "Accept")
    board = await env.playground.wait_for("games", lambda message: message.picture is not None)
    await env.turn_outside(board, random.Random(1))
    status, text = await program.stop()
    assert status == 0, text
    assert await tables(database, later) == before
    store = await Store.open(database, migrations=later)
    async with store.read() as tx:
        assert await tx.run_sync(
            lambda connection: list(
                connection.exec_driver_sql(
                    "SELECT later FROM moves WHERE match_id = 1 ORDER BY ply DESC LIMIT 1"
                )
            )
        ) == [(0,)]
    await store.close()
