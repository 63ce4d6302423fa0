"""Orders of the bot's owner, and whom they block everywhere."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0002"
down_revision = "0001"
WORKS_WITH = "0001"

_SQLITE: Final = (
    (
        "CREATE TABLE owner_orders ("
        "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, user_id INTEGER, "
        "what TEXT NOT NULL, person_id INTEGER, guild_id INTEGER, detail TEXT NOT NULL, due_at TEXT, "
        "answer TEXT) STRICT"
    ),
    (
        "CREATE TABLE bot_blocks ("
        "blocked_id INTEGER NOT NULL, server INTEGER NOT NULL, reason TEXT NOT NULL, "
        "since TEXT NOT NULL, CONSTRAINT pk_bot_blocks PRIMARY KEY (blocked_id)) WITHOUT ROWID, STRICT"
    ),
)
_POSTGRESQL: Final = (
    (
        "CREATE TABLE owner_orders ("
        "id BIGSERIAL NOT NULL, at TIMESTAMPTZ NOT NULL, user_id BIGINT, what TEXT NOT NULL, "
        "person_id BIGINT, guild_id BIGINT, detail JSON NOT NULL, due_at TIMESTAMPTZ, answer TEXT, "
        "CONSTRAINT pk_owner_orders PRIMARY KEY (id))"
    ),
    (
        "CREATE TABLE bot_blocks ("
        "blocked_id BIGINT NOT NULL, server BOOLEAN NOT NULL, reason TEXT NOT NULL, "
        "since TIMESTAMPTZ NOT NULL, CONSTRAINT pk_bot_blocks PRIMARY KEY (blocked_id))"
    ),
)
_INDEX: Final = (
    "CREATE INDEX ix_owner_orders_due_at ON owner_orders (due_at) WHERE due_at IS NOT NULL"
)


def upgrade() -> None:
    """Add two tables."""
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    for statement in (*(_SQLITE if sqlite else _POSTGRESQL), _INDEX):
        connection.exec_driver_sql(statement)
