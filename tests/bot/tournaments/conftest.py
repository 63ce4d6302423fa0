"""The fixture of tournaments over a fresh store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from data.store import Store
from tests.bot.tournaments.hall import Hall

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def hall(sqlite_url: str) -> AsyncIterator[Hall]:
    """Open a fresh store and close it afterwards."""
    store = await Store.open(sqlite_url)
    yield Hall(store)
    await store.close()
