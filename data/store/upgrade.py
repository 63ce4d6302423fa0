"""Migrates the tables when the store is opened.

During an update, processes of two versions work on one database. So tables change in two steps, a
release apart: one migration adds what is new (expand), a later one removes what no version uses any
more (contract). Each states in ``WORKS_WITH`` the oldest revision whose programs can work on its
tables; older programs refuse to start.

Everything happens in the caller's transaction: a migration and the record of it commit together,
and a failed one leaves everything unchanged.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from data import locks
from data.sql.errors import TooNew
from data.store.differences import check

OLDEST_PROGRAM: Final = "oldest program"
"""The key of the oldest revision whose programs can work on the tables, if that is not the newest."""
OLDEST = text("SELECT value FROM key_values WHERE key = :key").bindparams(key=OLDEST_PROGRAM)
"""Reads it."""
_FORGET = text("DELETE FROM key_values WHERE key = :key").bindparams(key=OLDEST_PROGRAM)
_NOTE = text("INSERT INTO key_values (key, value) VALUES (:key, :oldest)").bindparams(
    key=OLDEST_PROGRAM
)
MIGRATIONS = Path(__file__).parents[1] / "migrations"


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the migrations this database lacks, one process at a time; the caller commits.

    Raises:
        TooNew: the database has a revision that this program does not know.
        Different: the tables are not those of this version.
    """
    newer = False
    if _revision(connection) == newest_revision(migrations):
        # So a read-only database is noticed now and not at the first move.
        connection.execute(text("UPDATE alembic_version SET version_num = '' WHERE FALSE"))
    else:
        newer = _migrate(connection, migrations)
    check(connection, newer=newer)


def newest_revision(migrations: Path = MIGRATIONS) -> str:
    """Return the newest revision that this program knows."""
    return max(path.name[1:5] for path in (migrations / "versions").glob("v*.py"))


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def _migrate(connection: Connection, migrations: Path) -> bool:
    """Run what is missing; return whether a newer version has run more than this one knows."""
    # Imported here, as loading Alembic takes longer than opening a current database.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": locks.MIGRATION})
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known = {one.revision for one in scripts.walk_revisions()}
    if _revision(connection) not in {None, *known}:
        oldest = connection.scalar(OLDEST)
        if oldest in known:
            return True  # the database has more than this program needs
        raise TooNew(
            "A newer version of the program has used this database. Please update the program;"
            " nothing was changed."
        )
    command.upgrade(config, "head")
    head = scripts.get_revision("head")
    oldest = getattr(head.module, "WORKS_WITH", head.revision)
    connection.execute(_FORGET)
    if oldest != head.revision:
        connection.execute(_NOTE, {"oldest": oldest})
    return False
