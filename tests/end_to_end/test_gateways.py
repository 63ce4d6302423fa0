"""Several gateways on one PostgreSQL: each answers, delivers and runs timers for its shards."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

import pytest
from discord.gateway import KeepAliveHandler
from sqlalchemy import select, update

from bot.core.interactions.dispatch import Dispatcher
from bot.core.scheduling.reachability import Reachability
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards import cluster as cluster_module
from bot.core.shards import plan
from bot.core.shards.cluster import ClusterShards
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.transitions import WINNER
from bot.play.clocks.service import Vacations
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.erasure import Erasure
from bot.play.matches.service import Matches
from data import posts
from data.cluster.cluster import GATEWAY, Shard, processes
from data.cluster.cluster import shards as shards_table
from data.cluster.lease import Lease
from data.matches import boards, matches
from data.sql import key_values
from data.sql.statements import shard_of
from data.store.address import address
from playground.errors import SAFETY_SECONDS
from playground.model import Channel
from tests.end_to_end.gateways import (
    SHARDS,
    Cluster,
    begin,
    move,
    newest_match,
    until,
    wait_for_board,
)
from tests.end_to_end.harness import Environment
from tests.end_to_end.tournaments import create_in


async def test_each_shard_has_one_gateway_which_posts_its_boards(cluster: Cluster) -> None:
    await cluster.join()
    await cluster.join()
    begun = [await begin(cluster, shard) for shard in range(SHARDS)]
    for ply in range(1, 4):
        for match in begun:
            assert (await move(cluster, match)).error is None
            await wait_for_board(cluster, match, ply)


async def test_a_connection_for_a_shard_that_moved_meanwhile_is_closed(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cluster.join()
    second = await cluster.join()
    first, store = cluster.gateways[0], second.store
    (shard,) = first.owned

    async def keeps(_: Shard) -> None:
        """Do nothing, like a process killed before it can release its shard."""

    async def hears_nothing(*_: object) -> bool:
        return False

    second.app.get(Dispatcher).last_moment = 0.2
    monkeypatch.setattr(first.shards, "_give", keeps)
    wanted = update(shards_table).where(shards_table.c.number == shard)
    async with store.write() as tx:
        await tx.run(wanted.values(wanted_by=second.lease.id))
    await until(lambda: cluster.playground.gateway.connections_of(shard) == 2)
    ann = cluster.playground.person("Ann")
    with monkeypatch.context() as dying:
        dying.setattr(first.shards, "accepts", hears_nothing)
        waiting = await ann.slash("/tablut rules", channel=cluster.channels[shard])
    assert waiting.deferred
    async with store.write() as tx:  # as when another process takes it
        await tx.run(wanted.values(wanted_by=None, connected=False))
    await until(lambda: cluster.playground.gateway.connections_of(shard) == 1)
    await until(lambda: waiting.message is None)
    guild = cluster.channels[shard].guild
    assert guild is not None
    assert not await second.shards.accepts(guild.id, 1)
    match = await begin(cluster, shard)
    await move(cluster, match)
    await wait_for_board(cluster, match, 1)
    for gateway in cluster.gateways:
        gateway.app.handover = 0.0  # it gives nothing away, so nobody waits


async def test_a_gateway_that_died_without_shards_is_forgotten(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "DISMISS_AFTER", 0.5)
    dead = Lease(address(cluster.url), GATEWAY)
    await dead.begin()
    await cluster.join()
    known = {dead.id}
    async with asyncio.timeout(60):
        while dead.id in known:
            await asyncio.sleep(0.02)
            async with cluster.gateways[0].store.read() as tx:
                known = set(await tx.scalars(select(processes.c.id)))
    assert known == {cluster.gateways[0].lease.id}
    await dead.close()


async def test_a_second_gateway_takes_half_of_the_shards_while_it_runs(cluster: Cluster) -> None:
    await cluster.join()
    match = await begin(cluster, 0)
    second = await cluster.join()
    await move(cluster, match)
    await wait_for_board(cluster, match, 1)
    await cluster.stop(second)
    await cluster.agreed()
    await move(cluster, match)
    await wait_for_board(cluster, match, 2)


async def test_a_shard_that_still_waits_to_connect_is_left_to_a_second_gateway(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    its_turn, identify = asyncio.Event(), ClusterShards._identify

    async def one_by_one(shards: ClusterShards, number: int, bucket: int) -> float:
        return await identify(shards, number, bucket) if its_turn.is_set() or not number else 0.02

    monkeypatch.setattr(ClusterShards, "_identify", one_by_one)
    first = await cluster.start()
    await until(lambda: len(beating()) == SHARDS)
    assert first.owned == {0, 1}
    second = await cluster.start()
    await until(lambda: (set(first.owned), set(second.owned)) == ({0}, {1}))
    its_turn.set()
    await cluster.agreed()
    await begin(cluster, 1)
    assert cluster.playground.gateway.identifies == SHARDS, "each connects once"


async def test_a_spare_gateway_is_ready_and_takes_over_when_another_ends(cluster: Cluster) -> None:
    await cluster.join()
    second = await cluster.join()
    spare = await cluster.start()
    await until(lambda: spare.app.ready)
    assert spare.owned == frozenset()
    match = await begin(cluster, min(second.owned))
    await cluster.stop(second)
    await cluster.agreed()
    assert spare.owned
    assert spare.app.ready
    await move(cluster, match)
    await wait_for_board(cluster, match, 1)


async def test_replacing_a_gateway_loses_no_press(cluster: Cluster) -> None:
    old = await cluster.join()
    begun = [await begin(cluster, shard) for shard in range(SHARDS)]
    new = await cluster.start(replaces=True)
    ply, answers = 0, []
    while old.owned or not new.shards.complete:
        ply += 1
        answers += [await move(cluster, match) for match in begun]
    await cluster.stop(old)
    for match in begun:
        answers.append(await move(cluster, match))
        await wait_for_board(cluster, match, ply + 1)
    assert not any(answer.error for answer in answers)
    assert new.owned == {0, 1}


async def test_reminders_come_from_the_servers_gateway(cluster: Cluster) -> None:
    await cluster.start()
    await cluster.join()
    for shard in range(SHARDS):
        gateway = cluster.owner(shard)
        guild = cluster.channels[shard].guild
        assert guild is not None
        assert gateway.shards.owns(guild.id)
        assert gateway.shards.owns(None) is (shard == 0)
        reachability = gateway.app.get(Reachability)
        await until(lambda known=reachability, one=shard: known.reachable == {one})  # type: ignore[misc]


async def test_one_unreachable_shard_is_no_outage_for_the_others(cluster: Cluster) -> None:
    one = await cluster.join()
    async with one.store.write() as tx:
        long_ago = (WallClock()() - timedelta(hours=5)).isoformat()
        await key_values.set(tx, f"last-seen:1/{SHARDS}", long_ago)
    await cluster.join()
    await until(cluster.owner(1).app.resumed.is_set)
    async with one.store.read() as tx:
        assert await key_values.get(tx, f"last-seen:0/{SHARDS}") != long_ago


async def test_a_setting_changed_in_one_gateway_applies_in_all(cluster: Cluster) -> None:
    one, other = await cluster.start(), await cluster.join()
    user, guild = cluster.playground.person("Ann").id, 77
    settings = [gateway.app.get(SettingsStore) for gateway in (one, other)]
    assert [(await s.server(guild)).days for s in settings] == [3, 3]  # cached in both
    await asyncio.gather(
        settings[0].change_server(guild, {"days": 5}, by=user),
        settings[1].change_server(guild, {"threads": False}, by=user),
        settings[0].change_player(user, {"reminders": False}),
        settings[1].change_player(user, {"pings": False}),
    )
    for found in settings:
        await _until(partial(_has, found, guild, user))


async def _has(settings: SettingsStore, guild: int, user: int) -> bool:
    server, player = await settings.server(guild), await settings.player(user)
    return (server.days, server.threads, player.reminders, player.pings) == (5, False, False, False)


async def _until(reached: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await reached():  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.02)


async def test_a_player_deleted_in_one_gateway_is_forgotten_in_all(cluster: Cluster) -> None:
    one, other = await cluster.start(), await cluster.join()
    user = cluster.playground.person("Ann").id
    await one.app.get(SettingsStore).change_player(user, {"language": "de"})
    known = other.app.get(SettingsStore)
    await _until(lambda: _speaks(known, user, "de"))
    await one.app.get(Erasure).erase(user)
    await _until(lambda: _speaks(known, user, None))


async def _speaks(settings: SettingsStore, user: int, language: str | None) -> bool:
    return (await settings.player(user)).language == language


async def test_of_two_vacations_started_in_two_gateways_only_one_begins(cluster: Cluster) -> None:
    one, other = await cluster.start(), await cluster.join()
    user = cluster.playground.person("Ann").id
    begun = await asyncio.gather(
        *(gateway.app.get(Vacations).start(user, 3) for gateway in (one, other)),
        return_exceptions=True,
    )
    assert sorted(type(found).__name__ for found in begun) == ["Refusal", "Vacation"]


async def test_an_offer_made_in_one_gateway_can_be_accepted_in_the_next(cluster: Cluster) -> None:
    old = await cluster.join()
    match = await begin(cluster, 0)
    await move(cluster, match)
    await wait_for_board(cluster, match, 1)
    async with old.store.read() as tx:
        found = await matches.get(tx, match)
    assert found is not None
    first, second = (cluster.playground.person(name) for name in ("Ann", "Ben"))
    asker = next(p for p in (first, second) if p.id == found.players[0].user_id)
    agreeing = second if asker is first else first
    channel = cluster.playground.world.channel(found.channel_id)
    message = await (await asker.slash("/tablut takeback", channel=channel, match=match)).filled()
    new = await cluster.start(replaces=True)
    await until(lambda: new.owned == {0, 1} and new.shards.complete)
    await agreeing.press(message, "Agree to take it back")
    await until(lambda: not message.buttons)
    async with new.store.read() as tx:
        found = await matches.get(tx, match)
    assert found is not None
    assert (found.plies, found.takebacks) == (0, 1)


async def test_each_server_gets_threads_from_its_own_gateway(cluster: Cluster) -> None:
    one, other = await cluster.start(), await cluster.join()
    for shard in range(SHARDS):
        match = await begin(cluster, shard)
        async with one.store.read() as tx:
            found = await matches.get(tx, match)
        assert found is not None
        assert found.channel_kind == "thread"
        assert found.parent_id == cluster.channels[shard].id
    assert other.owned


async def test_a_tournament_moves_with_its_server_and_is_announced_once(cluster: Cluster) -> None:
    await cluster.join()
    channel = cluster.channels[1]
    people = cluster.playground.people
    ann = cluster.playground.person("Ann")
    await create_in(ann, channel, name="Cup", rounds=1)
    post = await cluster.playground.wait_for(channel, lambda m: m.text.startswith("### Cup"))
    for person in people[:4]:
        await (await person.press(post, "Sign up")).filled()
    await cluster.join()
    owner = cluster.owner(1)
    await (await ann.slash("/tournament start", channel=channel)).filled()
    service = owner.app.get(Tournaments)
    assert channel.guild is not None
    guild = channel.guild.id
    number = (await service.of_server(guild))[0].id

    async def begun() -> list[int]:
        view = await service.get(number, guild)
        games = [game for one in view.current for game in one.games]
        return [game.match_id for game in games if game.match_id is not None]

    await _until(lambda: _are(begun, 2))
    await cluster.stop(owner)
    (left,) = cluster.gateways
    await until(lambda: left.owned == {0, 1} and left.shards.complete)
    service = left.app.get(Tournaments)
    for match in await begun():
        position = await left.app.get(Matches).position(match)
        assert position.to_move is not None
        await left.app.get(Matches).resign(match, position.to_move.user_id)
    thread = channel.guild.threads[post.id]
    await cluster.playground.wait_for(thread, lambda m: "is over" in m.text)
    texts = [message.text.split("\n")[0] for message in thread.messages.values()]
    first, absent, last = texts
    assert (first, last) == ("**Round 1 of 1**", "### Cup is over")
    assert "didn't show up" in absent


async def test_the_winner_of_a_cup_is_celebrated_once_by_two_processes(cluster: Cluster) -> None:
    await cluster.join()
    await cluster.join()
    channel = cluster.channels[1]
    ann, ben = (cluster.playground.person(name) for name in ("Ann", "Ben"))
    await create_in(ann, channel, name="Cup", format="knockout")
    post = await cluster.playground.wait_for(channel, lambda m: m.text.startswith("### Cup"))
    for person in (ann, ben):
        await (await person.press(post, "Sign up")).filled()
    await (await ann.slash("/tournament start", channel=channel)).filled()
    owner = cluster.owner(1)
    (other,) = (one for one in cluster.gateways if one is not owner)
    while not (match := await newest_match(cluster, ann)):  # noqa: ASYNC110 -- a round is paired
        await asyncio.sleep(0.02)
    await wait_for_board(cluster, match, 0)
    for ply in range(1, 5):
        assert (await move(cluster, match)).error is None
        await wait_for_board(cluster, match, ply)
    await other.app.get(Matches).resign(match, ann.id)

    def celebrated() -> list[str]:
        texts = [one.text for one in channel.messages.values() if not one.deleted]
        return [text.split("\n")[0] for text in texts if text.startswith("### 🏆 <@")]

    await until(lambda: bool(celebrated()))
    await cluster.stop(owner)
    await until(lambda: other.owned == {0, 1} and other.shards.complete)
    assert channel.guild is not None
    thread = channel.guild.threads[post.id]
    await cluster.playground.wait_for(thread, lambda m: "is over" in m.text)
    async with other.store.read() as tx:
        number = (await other.app.get(Tournaments).of_server(channel.guild.id))[0].id
        kept = await posts.find(tx, WINNER, number)
    assert kept is not None
    assert kept.message_id is not None
    await until(lambda: bool(celebrated()))
    assert [f"<@{ben.id}> wins" in line for line in celebrated()] == [True]


async def _are(found: Callable[[], Awaitable[list[int]]], number: int) -> bool:
    return len(await found()) == number


async def on_three_shards(env: Environment) -> list[Channel]:
    """Start a bot with a server on each of three shards; return the channels of the new ones."""
    env.gateway.shards = 3
    world, homes = env.world, {shard_of(env.guild.id, 3)}
    dens = []
    while len(homes) < 3:
        env.clock.advance(0.001)
        guild = world.add_guild("Club", world.application.owner)
        if (shard := shard_of(guild.id, 3)) not in homes:
            homes.add(shard)
            guild.invites_bots = True
            for person in env.people:
                world.add_member(guild, person.user)
            dens.append(world.add_channel(guild, "den"))
    await env.start()
    await until(lambda: env.app.ready)
    await until(lambda: env.app.get(Reachability).reachable == {0, 1, 2})
    return dens


async def test_a_start_asks_nothing_for_each_single_server(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of transactions kept gateways from their heartbeats, until others dismissed them."""
    asked: list[int] = []
    monkeypatch.setattr(OutboxWorker, "retry", lambda _, guild_id: asked.append(guild_id))
    await on_three_shards(empty_env)
    await empty_env.settled()
    assert asked == []
    guild = empty_env.guild
    for unavailable in (True, False):
        empty_env.world.set_unavailable(guild, unavailable=unavailable)
    await until(lambda: asked == [guild.id])


async def test_one_process_alone_has_all_shards_on_sqlite(empty_env: Environment) -> None:
    env = empty_env
    dens = await on_three_shards(env)
    await env.begin()
    for den in dens:
        offered = await env.ann.slash("/tablut challenge", channel=den, opponent=env.ben.user)
        await env.done(env.ben.press(await offered.filled(), "Accept"))
    async with env.store.read() as tx:
        assert [len(await boards.live(tx, number)) for number in (1, 2, 3)] == [1, 1, 1]


async def test_the_last_gateway_does_not_wait_for_a_successor(cluster: Cluster) -> None:
    one, other = await cluster.start(), await cluster.join()
    one.app.handover = other.app.handover = 3600.0
    async with asyncio.timeout(SAFETY_SECONDS):
        await cluster.stop(other)
        await cluster.stop(one)


async def test_a_gateway_that_ends_before_its_shards_are_connected_leaves_nothing_open(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "IDENTIFY_SECONDS", 3600.0)
    gateway = await cluster.start()
    await until(lambda: bool(beating()))  # the second shard waits for an hour
    await until(lambda: len(beating()) == SHARDS)
    await cluster.stop(gateway)
    await until(lambda: not beating())


def beating() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if isinstance(one, KeepAliveHandler)]


async def test_a_press_during_a_slow_handover_is_acknowledged_and_then_handled(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await cluster.join()
    begun = [await begin(cluster, shard) for shard in range(SHARDS)]
    giving: asyncio.Queue[int] = asyncio.Queue()
    goes_on = asyncio.Event()
    finish = old.shards._work.finish

    async def slowly(shard: int, grace: float) -> None:
        giving.put_nowait(shard)
        await goes_on.wait()
        await finish(shard, grace)

    monkeypatch.setattr(old.shards._work, "finish", slowly)
    new = await cluster.start(replaces=True)
    new.app.get(Dispatcher).last_moment = 0.2
    match = begun[await giving.get()]
    moved = await move(cluster, match)
    assert moved.error is None
    assert moved.deferred
    goes_on.set()
    await wait_for_board(cluster, match, 1)
    await until(lambda: new.owned == {0, 1})
