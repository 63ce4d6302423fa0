"""Matches in servers that are unavailable are held, and only there."""

from __future__ import annotations

from datetime import timedelta

from data.matches import clocks
from data.matches.clocks import ServerOutage
from data.matches.match import MatchClock
from data.store.store import Store
from tests.data.people import ANN, NOW, SERVER, after, match

ELSEWHERE = SERVER - (1 << 22)


async def test_an_outage_holds_the_clocks_of_its_server_alone(db: Store) -> None:
    async with db.write() as tx:
        for guild_id in (SERVER, ELSEWHERE, None):
            number = await match(tx, guild_id=guild_id)
            due = after(1)
            await clocks.put(tx, MatchClock(number, ANN, 0, NOW, None, due, next_at=due))
        await clocks.put_outage(tx, ServerOutage(SERVER, NOW))
    async with db.write() as tx:
        assert [one.match_id for one in await clocks.due(tx, after(2))] == [2, 3]
        there = await clocks.running_out(tx, after(2), guild_id=SERVER)
        assert [one.match_id for one in there] == [1]
        assert await clocks.is_held(tx, SERVER)
        assert not await clocks.is_held(tx, ELSEWHERE)
        assert not await clocks.is_held(tx, None)
        (known,) = await clocks.outages(tx)
        await clocks.end_outage(tx, known, NOW)
        assert [one.match_id for one in await clocks.due(tx, after(2))] == [1, 2, 3]


async def test_an_outage_that_has_begun_again_is_not_removed(db: Store) -> None:
    promised = ServerOutage(SERVER, NOW, NOW + timedelta(hours=12))
    async with db.write() as tx:
        await clocks.put_outage(tx, promised)
        assert await clocks.next_promised(tx) == promised
        await clocks.put_outage(tx, ServerOutage(SERVER, NOW))
        await clocks.end_outage(tx, promised, NOW)
        assert await clocks.outages(tx) == (ServerOutage(SERVER, NOW),)
        assert await clocks.next_promised(tx) is None
