"""Links to the page in the browser, and its sessions."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0003"
down_revision = "0002"
WORKS_WITH = "0001"

_SQLITE: Final = (
    "CREATE TABLE web_sessions ("
    "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, "
    "secret_hash TEXT NOT NULL, opened INTEGER NOT NULL, match_id INTEGER, locale TEXT NOT NULL, "
    "device TEXT NOT NULL, since TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT"
)
_POSTGRESQL: Final = (
    "CREATE TABLE web_sessions ("
    "id BIGSERIAL NOT NULL, user_id BIGINT NOT NULL, secret_hash TEXT NOT NULL, "
    "opened BOOLEAN NOT NULL, match_id BIGINT, locale TEXT NOT NULL, device TEXT NOT NULL, "
    "since TIMESTAMPTZ NOT NULL, expires_at TIMESTAMPTZ NOT NULL, "
    "CONSTRAINT pk_web_sessions PRIMARY KEY (id))"
)
_INDEXES: Final = (
    "CREATE UNIQUE INDEX ix_web_sessions_secret_hash ON web_sessions (secret_hash)",
    "CREATE INDEX ix_web_sessions_user_id ON web_sessions (user_id)",
    "CREATE INDEX ix_web_sessions_expires_at ON web_sessions (expires_at)",
)


def upgrade() -> None:
    """Add a table."""
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    for statement in (_SQLITE if sqlite else _POSTGRESQL, *_INDEXES):
        connection.exec_driver_sql(statement)
