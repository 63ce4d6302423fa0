"""Upgrades with the real program: tables of no release are refused, those of the next one work."""

from __future__ import annotations

import random
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from bot.app import machine_checks
from bot.app.machine_checks import Level
from data.store.store import Store
from tests.data.later import later_migrations, newest_revision
from tests.data.schema import change_tables, described
from tests.end_to_end.harness import playable
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


async def test_a_doctor_names_a_missing_table_of_notes(database_url: str) -> None:
    """The versions that the tables work with are noted there."""
    await change_tables(database_url, "DROP TABLE key_values")
    findings = await machine_checks.database(database_url)
    assert findings[0].level is Level.ERROR
    assert "no table key_values" in findings[0].fact


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
    board = await env.playground.wait_for("games", playable)
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


@pytest.mark.parametrize("role", ["gateway", "worker"])
async def test_a_running_process_ends_once_it_meets_tables_too_new_for_it(
    program: Program, postgresql_url: str, role: str
) -> None:
    """Waiting is no use, and a unit that restarts it neither."""
    process = await program.launch(arguments=[role], DATABASE_URL=postgresql_url)
    await program.logged("worker is ready" if role == "worker" else "bot.app.client")
    plain = make_url(postgresql_url).set(drivername="postgresql")
    admin = await asyncpg.connect(plain.render_as_string(hide_password=False))
    await admin.execute("UPDATE alembic_version SET version_num = '9999'")
    await admin.execute("DELETE FROM key_values WHERE key = 'oldest program'")
    await admin.execute("DELETE FROM processes")  # as others do with one that was silent
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await admin.close()
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert "A newer version of the program has used this database" in errors.decode()
    assert "Traceback" not in errors.decode()
