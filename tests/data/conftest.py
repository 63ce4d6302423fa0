"""What tests of the store share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection

from data.sql.statements import Prepared, Scope, Values, scoped
from data.store.store import Store, Transaction


@pytest.fixture
async def tx(db: Store) -> AsyncIterator[Transaction]:
    """A transaction that writes, committed after the test."""
    async with db.write() as transaction:
        yield transaction


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Route statements through SQLAlchemy that otherwise bypass it, so that they are seen."""

    def rows(self: Prepared, connection: Connection, values: Values, scope: Scope | None) -> Any:
        statement: Any = self.statement
        if self._guild_id is not None:
            statement = scoped(statement, self._guild_id, scope)
        return connection.execute(statement, values).all()

    monkeypatch.setattr(Prepared, "rows", rows)
