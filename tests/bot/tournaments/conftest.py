"""Tournaments over fresh stores."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from data.store.store import Store
from tests.bot.conftest import opened_twice
from tests.bot.tournaments.club import TournamentClub


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[TournamentClub]:
    """Open a fresh store and close it afterwards."""
    store = await Store.open(sqlite_url)
    yield TournamentClub(store)
    await store.close()


@pytest.fixture
async def two(postgresql_url: str) -> AsyncIterator[tuple[TournamentClub, TournamentClub]]:
    """Two processes on one database."""
    async with opened_twice(postgresql_url) as (one, other):
        yield TournamentClub(one), TournamentClub(other)
