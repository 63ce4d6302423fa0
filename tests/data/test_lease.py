"""Processes sharing a PostgreSQL database: which are alive, and which shards they own."""

from __future__ import annotations

import asyncio
import time

import pytest

from data.cluster import lease
from data.cluster.cluster import GATEWAY, Cluster, Shard
from data.cluster.lease import CERTAIN_SECONDS, DEAD, UNLOCKED, Lease
from data.sql import key_values
from data.sql.errors import Busy, InUse, StoreError
from data.store.address import address
from data.store.process_lock import process_lock
from data.store.store import Store
from playground.errors import SAFETY_SECONDS
from tests.data.leases import age_identifies, joined, server, silence


async def cut(url: str, process: Lease) -> None:
    """Cut every connection of a process."""
    async with server(url) as admin:
        await admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name = $1",
            lease.name(process.id),
        )


def shard(cluster: Cluster, number: int) -> Shard:
    """Return a shard by number."""
    return next(one for one in cluster.shards if one.number == number)


async def take(process: Lease, number: int, dead: Lease | None = None) -> bool:
    """Let a process try to take a shard, from a dead owner if one is named."""
    cluster = await process.send_heartbeat()
    silent = None if dead is None else cluster.process(dead.id)
    return await process.take(shard(cluster, number), dismissing=silent)


async def test_the_first_process_sets_the_number_of_shards_and_others_adopt_it(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        assert await one.agree(4) == 4 or await other.agree(4) == 4
        assert await other.agree(9) == 4
        assert [s.number for s in (await other.send_heartbeat()).shards] == [0, 1, 2, 3]
    async with joined(postgresql_url) as later:
        assert await later.agree(9) == 9


async def test_gateways_that_start_at_once_do_not_keep_the_number_of_an_earlier_run(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as earlier:
        assert await earlier.agree(1) == 1
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        assert set(await asyncio.gather(one.agree(2), other.agree(2))) == {2}
        async with joined(postgresql_url) as third:
            assert await third.agree(5) == 2
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        numbers = await asyncio.gather(one.agree(3), other.agree(4))
        assert set(numbers) in ({3}, {4}), "whoever is first decides"


async def test_a_spare_gateway_keeps_the_number_when_the_one_that_set_it_ends(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as spare:
        async with joined(postgresql_url) as first:
            await first.agree(2)
            assert await spare.agree(1) == 2
        async with joined(postgresql_url) as later:
            assert await later.agree(1) == 2


async def test_a_shard_has_one_owner_even_if_two_processes_take_it_at_once(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(8)
        for number in range(8):
            taken = await asyncio.gather(take(one, number), take(other, number))
            assert sorted(taken) == [False, True]
        assert one.locked | other.locked == set(range(8))
        assert not one.locked & other.locked


async def test_a_live_process_keeps_its_shards(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        assert not await take(other, 0, one)
        await one.confirm()


async def test_a_process_suspended_too_long_is_dismissed_and_can_write_nothing(
    postgresql_url: str,
) -> None:
    one = Lease(address(postgresql_url), GATEWAY)
    store = await Store.open(postgresql_url, permitted=one.confirm, process=one.id)
    await one.begin()
    store.check_process()
    await one.agree(1)
    assert await take(one, 0)
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def late() -> None:
        async with store.write() as tx:
            await key_values.set(tx, "late", "yes")
            begun.set()
            await goes_on.wait()

    writing = asyncio.create_task(late())
    await begun.wait()
    async with joined(postgresql_url) as other:
        await silence(postgresql_url, one, DEAD + 1)
        assert await take(other, 0, one)
        goes_on.set()
        with pytest.raises(StoreError):
            await writing
        with pytest.raises(InUse):  # not aware of it yet, but its new connections are refused
            async with store.write() as tx:
                await key_values.set(tx, "late", "yes")
        with pytest.raises(InUse):
            await one.send_heartbeat()
        with pytest.raises(InUse):
            await one.confirm()
        await asyncio.wait_for(one.lost(), SAFETY_SECONDS)
        await store.close()
        await one.close()
        assert shard(await other.send_heartbeat(), 0).owner == other.id
    seen = await Store.open(postgresql_url)
    async with seen.read() as tx:
        assert await key_values.get(tx, "late") is None
    await seen.close()


async def test_a_briefly_silent_process_is_left_alone(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        await silence(postgresql_url, one, UNLOCKED + 0.5)
        assert not await take(other, 0, one)
        await one.send_heartbeat()
        assert one.locked == {0}


async def test_a_cut_connection_is_replaced_and_its_shards_locked_again(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(2)
        assert await take(one, 0)
        await cut(postgresql_url, one)
        await one.send_heartbeat()
        assert one.locked == {0}
        assert not await take(other, 0, one)


async def test_a_processs_own_stale_connection_does_not_take_its_shards(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(2)
        assert await take(one, 0)
        assert await take(one, 1)
        server = one._server
        # As if no answer had arrived in time.
        half_dead, server._connection = server._connection, None
        await one.send_heartbeat()
        assert one.locked == {0, 1}
        assert not await take(other, 0, one)
        assert half_dead is not None
        await half_dead.close()


async def test_after_an_outage_of_its_own_a_process_does_not_count_others_as_silent(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await silence(postgresql_url, other, DEAD + 1)
        process = (await one.send_heartbeat()).process(other.id)
        assert process is not None
        assert process.silent > DEAD
        one._confirmed = time.monotonic() - CERTAIN_SECONDS - 1  # as after a database outage
        process = (await one.send_heartbeat()).process(other.id)
        assert process is not None
        assert process.silent < UNLOCKED


async def test_a_shard_locked_by_another_process_meanwhile_is_lost(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        await cut(postgresql_url, one)
        async with server(postgresql_url) as admin:  # as if it had been released properly
            await admin.execute("UPDATE shards SET owner = NULL")
        assert await take(other, 0)
        await one.send_heartbeat()
        assert one.locked == frozenset()


async def test_a_crashed_process_is_dismissed_soon_after_its_locks_are_gone(
    postgresql_url: str,
) -> None:
    one = Lease(address(postgresql_url), GATEWAY)
    await one.begin()
    await one.agree(1)
    assert await take(one, 0)
    await cut(postgresql_url, one)  # the system closes a killed process's connections
    async with joined(postgresql_url) as other:
        await silence(postgresql_url, one, 0)  # however long all that took
        assert not await take(other, 0, one), "it may merely have lost its connection"
        await silence(postgresql_url, one, UNLOCKED + 0.1)
        assert await take(other, 0, one)
    await one.close()


async def test_a_shard_is_handed_over_with_its_handled_interactions(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        assert await other.request(shard(await other.send_heartbeat(), 0))
        assert await other.receive(0) is None, "the owner keeps the lock until it gives it away"
        await other.mark_connected(0)
        found = shard(await one.send_heartbeat(), 0)
        assert (found.wanted_by, found.connected) == (other.id, True)
        await one.hand_over(0, [2**60, 7])
        assert await other.receive(0) == frozenset({2**60, 7})
        assert not one.locked
        assert other.locked == frozenset({0})
        assert shard(await one.send_heartbeat(), 0).owner == other.id


async def test_a_shard_that_could_not_be_given_away_at_first_can_be_later(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        assert await one.receive(0) == frozenset(), "it carries on with its own shard"
        assert await other.request(shard(await other.send_heartbeat(), 0))
        await one.hand_over(0, [])
        assert await other.receive(0) == frozenset()


async def test_the_lock_of_a_shard_given_away_is_released_even_if_the_connection_was_cut(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        await one.agree(1)
        assert await take(one, 0)
        async with server(postgresql_url) as admin:  # the first step of `give`
            await admin.execute("UPDATE shards SET owner = $1", other.id)
        await cut(postgresql_url, one)
        await one.send_heartbeat()
        assert not one.locked
        assert await other.receive(0) == frozenset()


async def test_only_one_process_can_take_over_a_shard(postgresql_url: str) -> None:
    async with (
        joined(postgresql_url) as one,
        joined(postgresql_url) as other,
        joined(postgresql_url) as third,
    ):
        await one.agree(1)
        assert await take(one, 0)
        seen = shard(await other.send_heartbeat(), 0)
        assert sorted([await other.request(seen), await third.request(seen)]) == [False, True]


async def test_a_leaving_process_frees_its_shards_at_once(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one:
        await one.agree(1)
        assert await take(one, 0)
        await one.release(0)
        async with joined(postgresql_url) as other:
            assert await take(other, 0)


async def test_no_process_is_sure_while_the_server_cannot_be_asked(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with joined(postgresql_url) as one:
        await one.confirm()
        with monkeypatch.context() as impatient:
            impatient.setattr(lease, "CERTAIN_SECONDS", 0.2)
            one._confirmed = time.monotonic() - 1
            async with one._server.alone:  # as behind an unanswered query
                with pytest.raises(Busy):
                    await one.confirm()
        one._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        await one.confirm()


async def test_after_a_short_silence_a_process_asks_and_is_sure_again(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        one._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        await asyncio.gather(*(one.confirm() for _ in range(20)))
        await silence(postgresql_url, other, DEAD + 1)
        silent = (await one.send_heartbeat()).process(other.id)
        assert silent is not None
        await one.dismiss(silent, DEAD)
        other._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        assert other.in_doubt
        with pytest.raises(InUse):
            await other.confirm()


async def test_identifies_in_a_bucket_keep_their_distance_across_processes(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        waits = [await p.identify(b, 60.0) for b in (0, 1) for p in (one, other, one)]
    for first, *others in (waits[:3], waits[3:]):
        assert first == 0
        assert others == [pytest.approx(60, abs=5)] * 2


async def test_processes_that_die_waiting_to_identify_do_not_delay_others(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        assert await one.identify(0, 60.0) == 0
        for _ in range(20):  # each of these has died since
            await one.identify(0, 600.0)
        await age_identifies(postgresql_url, 60.0)
        assert await other.identify(0, 60.0) == 0


async def test_shards_with_an_owner_identify_after_those_without(postgresql_url: str) -> None:
    async with joined(postgresql_url) as one, joined(postgresql_url) as other:
        assert await one.identify(0, 60.0) == 0
        await age_identifies(postgresql_url, 60.0)
        assert await other.identify(0, 60.0, later=600.0) > 300
        assert await one.identify(0, 60.0) == 0


async def test_exclusive_and_shared_use_of_the_database_rule_each_other_out(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url):
        with pytest.raises(InUse):
            async with process_lock(postgresql_url, max_wait=0):
                pytest.fail("a gateway works on it")
    async with process_lock(postgresql_url, max_wait=0):
        with pytest.raises(InUse, match="to itself"):
            async with joined(postgresql_url):
                pytest.fail("it is not alone")
