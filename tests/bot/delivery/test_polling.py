"""What another process has committed is found also where nobody was told of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.delivery.polling import Polling
from bot.shards.ownership import AllShards
from data.scope import Scope
from data.store import Store
from tests.bot.conftest import ANN, Club

if TYPE_CHECKING:
    from data.scope import Scope as Part


class Some(AllShards):
    """A process that has some of two shards."""

    def __init__(self, *shards: int) -> None:
        super().__init__()
        self._part = Scope(2, frozenset(shards))

    @property
    def scope(self) -> Part | None:
        """Its shards."""
        return self._part


async def test_a_job_of_another_process_is_found_once_by_whose_it_is(postgresql_url: str) -> None:
    here, there = await Store.open(postgresql_url), await Store.open(postgresql_url)
    club = Club(there)
    found: list[int] = []
    others: list[int] = []
    looks = [
        Polling(here, Some(shard), wake_match=heard.append, wake_scheduler=lambda: None)
        for shard, heard in ((0, found), (1, others))
    ]

    async def look() -> None:
        for one in looks:
            await one.look()

    await look()
    view = await club.start()
    await look()
    await look()
    assert found == [view.match.id]
    await club.matches.resign(view.match.id, ANN)
    await look()
    assert found == [view.match.id, view.match.id]
    assert others == []
    await here.close()
    await there.close()


async def test_it_looks_again_and_again_where_there_are_several_processes(
    postgresql_url: str,
) -> None:
    store = await Store.open(postgresql_url)
    found, moments = asyncio.Event(), asyncio.Event()
    polling = Polling(
        store,
        Some(0),
        wake_match=lambda _: found.set(),
        wake_scheduler=moments.set,
        every=0.01,
    )
    polling.start()
    await Club(store).start()
    await found.wait()
    await moments.wait()
    await polling.close()
    await store.close()


async def test_who_is_alone_does_not_look(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    polling = Polling(store, AllShards(), wake_match=print, wake_scheduler=lambda: None)
    polling.start()
    assert polling._task is None
    await store.close()
