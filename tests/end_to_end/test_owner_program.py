"""Orders from the terminal reach a bot that runs beside it, alone or in several processes."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.core.owner_decisions import OwnerDecisions
from bot.core.scheduling.scheduler import WallClock
from bot.features.owner.arguments import MessageParser, add_arguments
from bot.features.owner.desk import OwnerDesk, Server
from bot.play.matches.service import Matches
from data.people import owner_orders
from data.people.owner_orders import BotBlock
from data.sql.statements import shard_of
from data.store.store import Store
from tests.data.schema import columns_naming
from tests.end_to_end.gateways import SHARDS, Cluster, begin, until
from tests.end_to_end.harness import Environment
from tests.end_to_end.program import ROOT, Program
from tests.routes import EDIT, LEAVE


async def run(env: Environment, *words: str, **settings: str) -> tuple[int, str, str]:
    """Run ``python -m bot owner`` with some words; return its status, output and errors."""
    process = await Program(env).launch(arguments=("owner", *words), **settings)
    out, errors = await process.communicate()
    return process.returncode or 0, out.decode(), errors.decode()


async def no_servers() -> Sequence[Server] | None:
    return None


async def give(store: Store, typed: str) -> str:
    """Give an order as a terminal does that does not wait for the answer."""
    parser = MessageParser()
    add_arguments(parser)
    desk = OwnerDesk(store, WallClock(), no_servers)
    desk.pauses = ()
    return await desk.answer(parser.parse_args(typed.split()), user_id=None, login="root")


async def test_the_terminal_gives_orders_beside_the_bot_on_sqlite(env: Environment) -> None:
    await env.stop()
    program = Program(env)
    await program.start()
    guild = env.guild
    status, out, errors = await run(env, "announce", "Back", "soon", "--until", "2h")
    assert (status, errors) == (0, "")
    assert "Announced" in out
    assert "Back soon (until <t:" in (await (await env.ann.slash("/play")).filled()).text
    _, out, errors = await run(env, "servers")
    assert not errors
    assert f"{guild.id}  0 open, 0 finished in 30 days, {len(guild.members)} members" in out
    assert guild.name in out
    status, out, _ = await run(env, "block", "user", str(env.ben.id), "--yes")
    assert (status, out) == (0, "Blocked. Matches given up: 0. Challenges closed: 0.\n")
    assert "blocked you" in (await (await env.ben.slash("/play")).filled()).text
    await run(env, "presence", "Hello", SUDO_USER="mary")
    assert env.gateway.presence == "Hello"
    _, out, _ = await run(env, "log")
    assert "mary: presence “Hello”: The status is changed." in out
    assert out.count("\n") == 3
    _, out, _ = await run(env, "totals")
    assert "Servers with a match: 0. Players: 0." in out
    await program.stop()


async def test_a_command_that_cannot_be_read_exits_with_2(env: Environment) -> None:
    status, _, errors = await run(env, "block", "user", "ann")
    assert status == 2
    assert "is no id" in errors
    status, _, errors = await run(env, "fly")
    assert status == 2
    assert "invalid choice" in errors


async def test_an_order_waits_for_a_bot_that_is_down(env: Environment) -> None:
    await env.stop()
    store = await Store.open(env.database)
    assert "Order 1 is kept." in await give(store, "presence Hello")
    await store.close()
    env.clock.advance(datetime.now(UTC).timestamp() - env.clock.time() + 60)
    await env.start()
    await env.settled()
    await env.app.get(OwnerDecisions).work.idle()
    assert env.app.get(OwnerDecisions).presence == "Hello"


async def test_a_database_of_another_version_or_user_is_left_alone(env: Environment) -> None:
    nowhere = env.folder / "nowhere.db"
    status, _, errors = await run(env, "log", DATABASE_URL=f"sqlite:///{nowhere}")
    assert status == 2
    assert "Start the bot first" in errors
    assert not nowhere.exists()
    if os.geteuid() == 0:
        os.chown(env.folder / "games.db", 12_345, -1)
        status, _, errors = await run(env, "log")
        os.chown(env.folder / "games.db", 0, -1)
        assert status == 2
        assert "belongs to the user with the number 12345" in errors


async def test_leaving_goes_on_after_a_kill_in_the_middle(env: Environment) -> None:
    await env.begin()
    await env.stop()
    program = Program(env)
    await program.start()
    await run(env, "leave", str(env.guild.id), "--yes")
    env.faults.drop(LEAVE, after=False, when=program.kill)
    async with asyncio.timeout(120):
        await program.ends()
    assert env.world.bot.id in env.guild.members
    await program.start()
    async with asyncio.timeout(120):
        while env.world.bot.id in env.guild.members:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.05)
    await program.stop()


async def test_a_deletion_is_whole_though_the_bot_is_killed_as_it_shows_the_last_board(
    env: Environment,
) -> None:
    await env.begin()
    await env.stop()
    program = Program(env)
    await program.start()
    env.faults.drop(EDIT, after=False, when=program.kill)
    ended = asyncio.ensure_future(program.ends())
    ordered = asyncio.ensure_future(run(env, "delete", str(env.ann.id), "--yes"))
    async with asyncio.timeout(120):
        await ended
    await program.start()
    assert (await ordered)[0] == 0
    async with asyncio.timeout(60):
        while "Their data is deleted." not in (await run(env, "log"))[1]:
            pass
    async with asyncio.timeout(60):
        while env.ann.mention in env.board().text:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.05)
    await program.stop()
    store = await Store.open(env.database)
    async with store.read() as tx:
        assert await columns_naming(tx, env.ann.id) <= {"spent_limits.user_id"}
    await store.close()


async def test_each_gateway_hears_of_a_block_and_carries_out_its_servers_orders(
    cluster: Cluster, tmp_path: Path
) -> None:
    one, other = await cluster.join(), await cluster.join()
    match = await begin(cluster, 1)
    terminal = await Store.open(cluster.url)
    terminal.travels = lambda _: True
    try:
        ann = cluster.playground.person("Ann")
        words = ("block", "user", str(ann.id), "--reason", "spam", "--yes")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "owner", *words),
            env={**os.environ, "DATABASE_URL": cluster.url, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
        )
        out, _ = await process.communicate()
        assert out.decode() == "Blocked. Matches given up: 1. Challenges closed: 0.\n"
        for gateway in (one, other):
            await until(partial(gateway.app.get(OwnerDecisions).is_blocked, ann.id))
        for shard in range(SHARDS):
            refused = await (await ann.slash("/play", channel=cluster.channels[shard])).filled()
            assert "Reason: spam" in refused.text
        await until_finished(cluster, match)
        guild = cluster.channels[1].guild
        assert guild is not None
        assert shard_of(guild.id, SHARDS) == 1
        await give(terminal, f"block server {guild.id} --yes")
        for gateway in (one, other):
            await until(partial(gateway.app.get(OwnerDecisions).is_blocked, guild.id))
    finally:
        await terminal.close()


async def until_finished(cluster: Cluster, match: int) -> None:
    async with asyncio.timeout(60):
        while not (await cluster.gateways[0].app.get(Matches).position(match)).match.finished:
            cluster.gateways[0].app.get(Matches).positions.forget(match)
            await asyncio.sleep(0.02)


async def test_a_block_whose_notification_was_lost_is_found_by_looking(cluster: Cluster) -> None:
    gateway = await cluster.join()
    terminal = await Store.open(cluster.url)
    async with terminal.write() as tx:  # it announces nothing
        await owner_orders.block(
            tx, BotBlock(77, server=False, reason="", since=datetime.now(UTC) - timedelta(1))
        )
    await terminal.close()
    decisions = gateway.app.get(OwnerDecisions)
    assert not decisions.is_blocked(77)
    gateway.store.check_missed()
    await until(partial(decisions.is_blocked, 77))


@pytest.mark.parametrize("typed", ["servers", "totals", "blocks", "log"])
async def test_reading_gives_no_order(env: Environment, typed: str) -> None:
    assert await give(env.store, typed)
    assert await env.read(owner_orders.newest, limit=1) == ()
