"""What tests of the store share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from data.store.store import Store, Transaction


@pytest.fixture
async def tx(db: Store) -> AsyncIterator[Transaction]:
    """A transaction that writes, committed after the test."""
    async with db.write() as transaction:
        yield transaction
