"""Brings the tables up to date when the store is opened.

All of it happens in the one transaction that the caller has begun: a migration and the record
that it was made commit together, and a failed one leaves everything as it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from data.errors import TooNew

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent / "migrations"

_LOCK = 0x7461626C616E
"""PostgreSQL's name for "somebody is migrating this store". SQLite has BEGIN IMMEDIATE."""


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the migrations that this database still lacks; one process at a time.

    Args:
        connection: with a transaction that may write; the caller commits.
        migrations: the folder of Alembic's environment.

    Raises:
        TooNew: the database has a revision that this program does not know.

    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    known = {revision.revision for revision in script.walk_revisions()}
    current = set(MigrationContext.configure(connection).get_current_heads())
    if not current <= known:
        raise TooNew(
            "A newer version of the program has used this database. Please update the program;"
            " nothing was changed."
        )
    if current != set(script.get_heads()):
        command.upgrade(config, "head")
    else:
        # A database that may only be read is noticed now and not at somebody's first move.
        connection.execute(text("UPDATE alembic_version SET version_num = '' WHERE FALSE"))
