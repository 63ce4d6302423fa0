"""Several gateways on one PostgreSQL, in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.app.app import App, Page
from bot.core.interactions.dispatch import Dispatcher
from bot.core.scheduling.scheduler import WallClock
from bot.core.shards.cluster import ClusterShards
from bot.core.shards.ownership import Shards
from bot.core.shards.without import NoShards
from bot.features.web.server import WebServer
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data.cluster.cluster import GATEWAY, WEB
from data.cluster.lease import Lease
from data.matches import boards, matches, outbox
from data.store.address import address
from data.store.notifications import Notifications
from data.store.store import Store
from playground.app import Playground
from playground.errors import SAFETY_SECONDS
from playground.model import Channel
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import playable
from tests.end_to_end.thread_workers import ThreadPool

SHARDS = 2


TASKS = "tests.bot.core.workers.brief:TASKS"


@dataclass
class Gateway:
    """A gateway; several of them run in the test's process."""

    lease: Lease
    store: Store
    app: App
    shards: Any
    """Its `Shards`."""
    running: asyncio.Task[None]
    told: Notifications

    @property
    def owned(self) -> frozenset[int]:
        """The shards it owns."""
        scope = self.shards.scope
        assert scope is not None
        found: frozenset[int] = scope.shards
        return found

    async def stop(self) -> None:
        """Shut down gracefully, as on SIGTERM."""
        await self.app.drain()
        await self.app.close()
        await self.running
        await self.told.close()
        await self.store.close()
        await self.lease.close()


@dataclass
class Cluster:
    """A playground with a server for each shard, and its gateways."""

    url: str
    renderer: Renderer
    playground: Playground
    channels: dict[int, Channel] = field(default_factory=dict)
    gateways: list[Gateway] = field(default_factory=list)
    page: Gateway | None = None
    """The process that serves the page."""

    async def start(self, *, replaces: bool = False, page: Page | None = None) -> Gateway:
        """Start a gateway, which may offer a page."""
        lease = Lease(address(self.url), GATEWAY, replaces=replaces)
        gateway = await self._start(lease, ClusterShards(lease), page)
        self.gateways.append(gateway)
        return gateway

    async def serve(self, port: int = 0) -> str:
        """Start a process that serves the page on some port; return its address."""
        lease = Lease(address(self.url), WEB)
        url = f"http://127.0.0.1:{port}"
        self.page = await self._start(lease, NoShards(lease), (url, f"127.0.0.1:{port}"))
        server = self.page.app.get(WebServer)
        await until(lambda: server.serves)
        return str(server.url)

    async def close(self) -> None:
        """Stop all processes."""
        for gateway in (*self.gateways, self.page):
            if gateway is not None:
                await gateway.stop()

    async def _start(self, lease: Lease, shards: Shards, page: Page | None) -> Gateway:
        store = await Store.open(self.url, permitted=lease.confirm, process=lease.id)
        await lease.begin()
        store.check_process()
        notifications = Notifications(store, address(self.url), lease.id)
        notifications.start()
        app = App(
            store,
            self.renderer,
            clock=WallClock(),
            pools={
                "moves": ThreadPool(TASKS),
                "analyses": ThreadPool(TASKS),
                "records": ThreadPool("bot.features.records.checking:TASKS"),
            },
            shards=shards,
            page=page,
        )
        app.client._connection.guild_ready_timeout = 0.05
        app.get(Dispatcher).acknowledge_after = SAFETY_SECONDS  # however busy the machine is
        running = asyncio.create_task(app.run(self.playground.token))
        return Gateway(lease, store, app, shards, running, notifications)

    async def stop(self, gateway: Gateway) -> None:
        """Stop a gateway."""
        self.gateways.remove(gateway)
        await gateway.stop()

    async def join(self, *, replaces: bool = False) -> Gateway:
        """Start a gateway, and wait until it has its share of the shards."""
        gateway = await self.start(replaces=replaces)
        await self.agreed()
        return gateway

    async def agreed(self) -> None:
        """Wait until the gateways have equal numbers of shards, all connected."""

        def reached() -> bool:
            each = SHARDS // len(self.gateways)
            return all(len(one.owned) == each and one.shards.complete for one in self.gateways)

        await until(reached)

    def owner(self, shard: int) -> Gateway:
        """Return the owner of a shard."""
        return next(one for one in self.gateways if shard in one.owned)


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not reached():  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.02)


async def begin(cluster: Cluster, shard: int, game: str = "tablut") -> int:
    """Begin a match of Ann and Ben in a shard's server, and return it."""
    ann, ben = cluster.playground.person("Ann"), cluster.playground.person("Ben")
    channel = cluster.channels[shard]
    offered = await ann.slash(f"/{game} challenge", channel=channel, opponent=ben.user)
    before = await newest_match(cluster, ann)
    await ben.press(await offered.filled(), "Accept")
    while (match := await newest_match(cluster, ann)) == before:  # noqa: ASYNC110 -- a busy bot defers
        await asyncio.sleep(0.02)
    began = await cluster.gateways[0].app.get(Matches).position(match)
    await wait_for_board(cluster, match, began.version)
    return match


async def newest_match(cluster: Cluster, person: Person) -> int:
    """Return the number of a person's newest match, or 0."""
    async with cluster.gateways[0].store.read() as tx:
        found = await matches.of_player(tx, person.id, limit=100)
    return max((one.id for one in found), default=0)


async def move(cluster: Cluster, match: int) -> Reply:
    """Type a move that does not end the match, varying it to avoid repetition."""
    position = await cluster.gateways[0].app.get(Matches).position(match)
    assert position.to_move is not None
    mover = next(p for p in cluster.playground.people if p.id == position.to_move.user_id)
    game, state = position.game, position.state
    legal = [one for one in game.legal_moves(state) if game.outcome(game.after(state, one)) is None]
    notation = game.write(legal[7 * position.match.plies % len(legal)])
    channel = cluster.playground.world.channel(position.match.channel_id)
    return await mover.slash("/tablut move", channel=channel, move=notation, match=match)


async def wait_for_board(cluster: Cluster, match: int, ply: int) -> None:
    """Wait until exactly one board can be played on, that of a given turn."""
    store = cluster.gateways[0].store
    async with asyncio.timeout(60):
        while True:
            async with store.read() as tx:
                live = await boards.live(tx, match)
                left = await outbox.pending(tx, match)
            if [one.ply for one in live] == [ply] and not left:
                break
            await asyncio.sleep(0.02)
    channel = cluster.playground.world.channel(live[0].channel_id)
    pictures = [one for one in channel.messages.values() if one.picture is not None]
    assert [one.id for one in pictures if playable(one)] == [live[0].message_id]
