"""Tournaments over fresh stores."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from data.store.store import Store
from tests.bot.conftest import opened_twice
from tests.bot.features.tournaments.club import Cups


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[Cups]:
    """Open a fresh store and close it afterwards."""
    store = await Store.open(sqlite_url)
    yield Cups(store)
    await store.close()


@pytest.fixture
async def two(postgresql_url: str) -> AsyncIterator[tuple[Cups, Cups]]:
    """Two processes on one database."""
    async with opened_twice(postgresql_url) as (one, other):
        yield Cups(one), Cups(other)
