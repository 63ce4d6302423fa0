"""The alert rules fire for what they are meant for, on what processes really report."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.app.figures import StoreWrites
from bot.app.monitoring import Monitoring, monitored
from bot.app.shard_figures import ShardFigures
from bot.core.metrics import Metrics
from data.sql import key_values
from data.sql.errors import Full
from data.store.postgresql import PostgreSQL
from data.store.sqlite import SQLite
from data.store.store import Store
from tests.end_to_end.alert_rules import firing
from tests.end_to_end.gateways import SHARDS, Cluster, Gateway, until
from tests.end_to_end.harness import Environment
from tests.end_to_end.monitoring import asked, figures

HOUR = 3600.0


async def reported(monitoring: Mapping[str, Monitoring]) -> dict[str, str]:
    """Return what each process reports now, with figures of the store that are not reused."""
    for one in monitoring.values():
        one.store._read_at = float("-inf")
    return {name: (await asked(one, "/metrics"))[1] for name, one in monitoring.items()}


async def served(stack: AsyncExitStack, gateway: Gateway) -> Monitoring:
    """Serve the monitoring of a gateway until the stack is closed."""
    metrics = gateway.app.get(Metrics)
    one = await stack.enter_async_context(monitored("127.0.0.1:0", metrics, gateway.store))
    shards = ShardFigures()
    shards.watch(gateway.app.client, gateway.shards)
    one.add(shards)
    return one


def up(instance: str, **shards: int) -> dict[str, str]:
    lines = [f'boardgames_shard_up{{shard="{name[1:]}"}} {value}' for name, value in shards.items()]
    return {instance: "\n".join(lines) + "\n"}


def test_a_shard_is_down_if_no_process_has_a_connection() -> None:
    assert firing("ShardDown", up("a", s0=1, s1=0) | up("b", s1=0)) == [{"shard": "1"}]
    assert not firing("ShardDown", up("a", s0=1, s1=0) | up("b", s1=1)), "it is changing hands"


async def test_a_shard_that_was_handed_over_is_reported_by_its_owner_alone(
    cluster: Cluster,
) -> None:
    async with AsyncExitStack() as stack:
        gateways = {"first": await cluster.join()}
        watched = {"first": await served(stack, gateways["first"])}
        assert (await figures(watched["first"]))["boardgames_shard_up"] == {"0": 1, "1": 1}
        gateways["second"] = await cluster.join()
        watched["second"] = await served(stack, gateways["second"])
        for name, gateway in gateways.items():
            (shard,) = gateway.owned
            assert (await figures(watched[name]))["boardgames_shard_up"] == {str(shard): 1}
        now = await reported(watched)
        assert not firing("ShardDown", now)
        assert not firing("ShardsUnowned", now)


async def test_an_owned_shard_without_a_connection_is_down(cluster: Cluster) -> None:
    async with AsyncExitStack() as stack:
        gateway = await cluster.join()
        watched = {"only": await served(stack, gateway)}
        await gateway.app.client.disconnect_shard(1)
        assert firing("ShardDown", await reported(watched)) == [{"shard": "1"}]


async def test_shards_that_nobody_has_are_seen_by_a_worker(cluster: Cluster) -> None:
    gateway = await cluster.join()
    store = await Store.open(cluster.url)
    async with monitored("127.0.0.1:0", Metrics(), store) as worker:
        assert not firing("ShardsUnowned", await reported({"worker": worker}))
        await cluster.stop(gateway)
        assert firing("ShardsUnowned", await reported({"worker": worker})) == [{}]
        assert (await figures(worker))["boardgames_shards_unowned"] == {"": SHARDS}
        heir = await cluster.join()
        await until(lambda: len(heir.owned) == SHARDS)
        assert not firing("ShardsUnowned", await reported({"worker": worker}))
    await store.close()


async def test_shards_of_a_gateway_that_died_belong_to_nobody(postgresql_url: str) -> None:
    store = await Store.open(postgresql_url)
    async with store.write() as tx:
        await key_values.set(tx, "shards", "3")
        for number in range(4):
            await tx.run(text(f"INSERT INTO shards (number, owner) VALUES ({number}, 'died')"))
        for name, silent in (("died", 40), ("lives", 10)):
            await tx.run(
                text(
                    "INSERT INTO processes (id, role, version, started_at, heartbeat_at, draining,"
                    f" replaces) VALUES ('{name}', 'gateway', '', now(), now()"
                    f" - interval '{silent} seconds', false, false)"
                )
            )
        await tx.run(text("UPDATE shards SET owner = 'lives' WHERE number = 0"))
    async with monitored("127.0.0.1:0", Metrics(), store) as one:
        seen = await figures(one)
    await store.close()
    assert seen["boardgames_shards_unowned"] == {"": 2}, "the fourth is from before"


@asynccontextmanager
async def working(store: Store) -> AsyncIterator[Monitoring]:
    """Serve the monitoring of a process that does its work."""
    async with monitored("127.0.0.1:0", Metrics(), store) as one:
        one.process.watch({}, lambda: True)
        await one.writes.attempt()
        assert await asked(one, "/ready") == (200, "ready\n")
        yield one


async def refuse_writes(store: Store, *, yes: bool) -> None:
    """Make a database refuse all writes, or accept them again."""
    if isinstance(store._database, SQLite):
        (writer,) = store._database._free_writers
        await writer.run(writer.execute, f"PRAGMA query_only = {'ON' if yes else 'OFF'}")
        return
    async with store.write() as tx:
        await tx.run(text("SET TRANSACTION READ WRITE"))
        name = await tx.scalar(text("SELECT current_database()"))
        value = "on" if yes else "off"
        await tx.run(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}'))
    assert isinstance(store._database, PostgreSQL)
    await store._database._engine.dispose()  # new connections read the setting


async def test_a_database_that_refuses_writes_is_not_ready_though_it_can_be_read(
    db: Store,
) -> None:
    async with working(db) as one:
        await refuse_writes(db, yes=True)
        await one.writes.attempt()
        status, body = await asked(one, "/ready")
        assert status == 503
        assert "cannot be written" in body
        assert "check the rights" in body
        now = await reported({"a": one})
        assert firing("StoreNotWritable", now) == [{"instance": "a", "job": "boardgames"}]
        assert firing("BotNotReady", now)
        assert not firing("StoreUnreachable", now), "it can be read"
        await refuse_writes(db, yes=False)
        await one.writes.attempt()
        assert (await asked(one, "/ready"))[0] == 503, "the last failure is too fresh"
        one.writes._failed_at -= 61
        assert (await asked(one, "/ready"))[0] == 200
        assert not firing("StoreNotWritable", await reported({"a": one}))


async def test_a_move_that_cannot_be_saved_counts_though_a_small_row_still_fits(
    sqlite_url: str,
) -> None:
    store = await Store.open(sqlite_url)
    async with working(store) as one:
        async with store.write() as tx:
            pages = await tx.number(text("PRAGMA page_count"))
            await tx.rows(text(f"PRAGMA max_page_count = {pages + 2}"))
        with pytest.raises(Full):
            async with store.write() as tx:
                await key_values.set(tx, "large", "x" * 100_000)
        await one.writes.attempt()
        status, body = await asked(one, "/ready")
        assert status == 503
        assert "make room" in body
        assert firing("StoreNotWritable", await reported({"a": one}))
        one.writes._failed_at -= 61
        assert (await asked(one, "/ready"))[0] == 200, "nothing has failed for a minute"
    await store.close()


async def test_a_write_that_never_ends_is_not_ready(new_sqlite_url: str) -> None:
    store = await Store.open(new_sqlite_url)
    writes = StoreWrites(store)
    assert writes.problem is None
    writes._answered_at -= 61
    assert "more than a minute" in str(writes.problem)
    await store.close()


async def test_other_errors_in_a_transaction_do_not_make_a_process_unready(
    env: Environment, monitoring: Monitoring
) -> None:
    """A second press of a button is refused by the store, and is no fault."""
    await env.begin()
    with pytest.raises(RuntimeError):
        async with env.store.write():
            raise RuntimeError
    assert (await asked(monitoring, "/ready"))[0] == 200


async def test_backups_that_stop_are_noticed(new_sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.open(new_sqlite_url)
    folder = tmp_path / "backups"

    async def old(at: float) -> bool:
        return bool(firing("BackupOld", await reported({"a": one}), at=at))

    def write(name: str, at: float, words: str = "rows") -> None:
        (folder / name).write_text(words)
        os.utime(folder / name, (at, at))

    made = 1_000_000 * HOUR
    async with monitored("127.0.0.1:0", Metrics(), store, backups=folder) as one:
        assert await old(made), "there is no folder, and so no backup"
        folder.mkdir()
        write("games-1", made - 24 * HOUR)
        write("games-2", made)
        assert not await old(made + 35 * HOUR)
        assert await old(made + 37 * HOUR)
        write("games-3.part", made + 24 * HOUR)
        write("games-4", made + 24 * HOUR, "")
        assert await old(made + 37 * HOUR), "neither is complete"
        write("games-3", made + 24 * HOUR)
        assert not await old(made + 37 * HOUR)
        (folder / "games-3").unlink()
        assert await old(made + 37 * HOUR), "a backup that was removed is none"
    async with monitored("127.0.0.1:0", Metrics(), store) as one:
        assert not await old(made), "who makes backups elsewhere is not told about them"
    await store.close()
