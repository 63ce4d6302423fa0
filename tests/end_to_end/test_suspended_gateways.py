"""A gateway that lost its shards while it was suspended overwrites nothing when it resumes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bot.core.interactions.dispatch import Dispatcher
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import AllShards
from bot.play.delivery.match_requests import LateRequests
from bot.play.matches.service import Matches
from data.cluster.lease import DEAD
from data.matches import outbox
from playground.errors import InteractionFailed
from playground.model import Channel, Message
from tests.chaos.boards import controls
from tests.data.leases import silence
from tests.end_to_end.gateways import Cluster, Gateway, begin, move, wait_for_board
from tests.end_to_end.harness import Environment, playable

SHARD = 0


@dataclass
class Suspended:
    """A gateway that stands still at its next request to some path."""

    gateway: Gateway
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    resumed: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once that request is sent, or given up."""

    def at(self, wanted: Callable[[str], bool], *, asked: bool) -> None:
        """Stand still at a request, just before or just after asking whether it may be sent."""
        client = self.gateway.app.client
        permit = client._permit

        async def permits(path: str) -> None:
            if not wanted(path) or self.reached.is_set():
                await permit(path)
                return
            self.reached.set()
            try:
                if asked:
                    await permit(path)
                await self.resumed.wait()
                if not asked:
                    await permit(path)
            finally:
                self.gone.set()

        client._permit = permits  # type: ignore[method-assign]

    async def lose(self, cluster: Cluster) -> Gateway:
        """Be silent until another gateway has taken over; return that one."""
        lease, (other,) = self.gateway.lease, cluster.gateways

        async def silent() -> None:
            await self.resumed.wait()
            await beats()

        beats, lease._send_heartbeat_twice = lease._send_heartbeat_twice, silent  # type: ignore[assignment,method-assign]
        async with asyncio.timeout(60):
            while len(other.owned) < 2:
                await silence(cluster.url, lease, DEAD + 1)
                await asyncio.sleep(0.05)
        return other

    def resume(self) -> None:
        """Go on, long after the last heartbeat."""
        self.gateway.lease._confirmed = -math.inf
        self.resumed.set()

    async def report(self, store_of: Gateway) -> None:
        """Start over: end what is left, then say what may have been overwritten."""
        await self.gateway.app.close()
        await self.gateway.app.get(LateRequests).report(store_of.store, WallClock()())


async def begun(cluster: Cluster, game: str, *, in_place: bool = False) -> tuple[Suspended, int]:
    """Begin a match; return its gateway, which another one can replace, and the match."""
    await cluster.join()
    await cluster.join()
    owner = cluster.owner(SHARD)
    if in_place:
        guild = cluster.channels[SHARD].guild
        assert guild is not None
        for gateway in cluster.gateways:
            settings = gateway.app.get(SettingsStore)
            await settings.change_server(guild.id, {"board": "edit", "threads": False}, by=1)
    match = await begin(cluster, SHARD, game)
    cluster.gateways.remove(owner)
    owner.app.get(Dispatcher).acknowledge_after = 0.0
    return Suspended(owner), match


def pictures(channel: Channel, match: int) -> list[Message]:
    return [
        one
        for one in channel.messages.values()
        if one.picture is not None and f"match #{match}" in one.text
    ]


async def press(cluster: Cluster, gateway: Gateway, match: int) -> None:
    position = await gateway.app.get(Matches).position(match)
    assert position.to_move is not None
    mover = next(p for p in cluster.playground.people if p.id == position.to_move.user_id)
    channel = cluster.playground.world.channel(position.match.channel_id)
    board = next(one for one in channel.messages.values() if playable(one))
    control = next(one for one in controls(board) if one.whole)
    if control.menu is None:
        mover.press(board, custom_id=control.value)
    else:
        mover.choose(board, control.value, menu=control.menu)


async def plays(gateway: Gateway, match: int) -> None:
    """Make a move in a gateway, though another one may own the shard."""
    matches = gateway.app.get(Matches)
    position = await matches.position(match)
    assert position.to_move is not None
    legal = [
        one
        for one in position.game.legal_moves(position.state)
        if position.game.outcome(position.game.after(position.state, one)) is None
    ]
    await matches.play(position, position.to_move, position.game.write(legal[0]))


async def delivered(gateway: Gateway, match: int) -> None:
    async with asyncio.timeout(60):
        while True:
            async with gateway.store.read() as tx:
                if not await outbox.pending(tx, match):
                    return
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(("asked", "over"), [(False, False), (True, True)])
async def test_a_late_press_leaves_newer_boards(
    cluster: Cluster, *, asked: bool, over: bool
) -> None:
    suspended, match = await begun(cluster, "tablan", in_place=True)
    suspended.at(lambda path: "/webhooks/" in path, asked=asked)
    await press(cluster, suspended.gateway, match)
    await asyncio.wait_for(suspended.reached.wait(), 60)
    other = await suspended.lose(cluster)
    await delivered(other, match)
    await plays(other, match)
    await delivered(other, match)
    if over:
        position = await other.app.get(Matches).position(match)
        assert position.to_move is not None
        await other.app.get(Matches).resign(match, position.to_move.user_id)
        await delivered(other, match)
    channel = cluster.playground.world.channel(
        (await other.app.get(Matches).position(match)).match.channel_id
    )
    before = {one.id: (one.text, one.revision) for one in pictures(channel, match)}
    suspended.resume()
    if not asked:
        await asyncio.wait_for(suspended.gone.wait(), 60)
        assert {one.id: (one.text, one.revision) for one in pictures(channel, match)} == before
    await suspended.report(other)
    await delivered(other, match)
    now = pictures(channel, match)
    assert {one.id: one.text for one in now} == {key: text for key, (text, _) in before.items()}
    assert len([one for one in now if playable(one)]) == (not over)
    await suspended.gateway.stop()


async def test_a_board_posted_too_late_loses_its_controls(cluster: Cluster) -> None:
    suspended, match = await begun(cluster, "tablut")
    match_channel = (await suspended.gateway.app.get(Matches).position(match)).match.channel_id
    suspended.at(lambda path: path.endswith(f"/channels/{match_channel}/messages"), asked=True)
    typing = asyncio.create_task(move(cluster, match))
    await asyncio.wait_for(suspended.reached.wait(), 60)
    (other,) = cluster.gateways
    await plays(other, match)  # so that the board which is on its way is skipped
    await suspended.lose(cluster)
    version = (await other.app.get(Matches).position(match)).version
    await wait_for_board(cluster, match, version)
    suspended.resume()
    await suspended.report(other)
    await wait_for_board(cluster, match, version)
    with suppress(InteractionFailed):
        await typing
    await suspended.gateway.stop()


async def test_boards_written_once_more_look_as_before(env: Environment) -> None:
    board = await env.begin()
    await env.move()
    await env.settled()
    await env.app.get(Matches).resign(1, env.mover(env.board()).id)
    await env.settled()
    before = {one.id: (one.text, one.revision) for one in env.boards()}
    assert len(before) > 1
    late = LateRequests(Doubtful(1))
    for number in before:
        late.ended(1, number)
    late.ended(1, board.id + 1)  # a message that shows no board
    await late.report(env.store, env.now())
    await env.settled()
    after = {one.id: (one.text, one.revision) for one in env.boards()}
    assert {key: text for key, (text, _) in after.items()} == {
        key: text for key, (text, _) in before.items()
    }
    assert all(after[key][1] > before[key][1] for key in before), "each was written once more"


class Doubtful(AllShards):
    """Shards that another process may have taken."""

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken this one's place."""
        return True
