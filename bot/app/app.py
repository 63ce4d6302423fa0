"""The bot in one process: what its services are built with, how they start and end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import discord
import structlog
from pydantic import SecretStr
from svcs import Container

from bot.app import Services
from bot.app.client import Client
from bot.app.membership import check_application
from bot.app.shard_work import ShardWork
from bot.app.thinking import Thinking
from bot.core.background import cancel, retry
from bot.core.hooks import INTERFACE, load
from bot.core.hourly_limits import ExpiredLimits
from bot.core.i18n.locales import Locales, ServerLocale
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.registration import CommandRegistration
from bot.core.interactions.reply import ACKNOWLEDGE_AFTER
from bot.core.metrics import Metrics
from bot.core.owner_decisions import OwnerDecisions, ShowPresence
from bot.core.permissions.members import Members
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.posts.kinds import kinds
from bot.core.posts.poster import Poster
from bot.core.requests.sending import RequestBudget
from bot.core.scheduling.reachability import IsAvailable, Reachability, ServerOutages
from bot.core.scheduling.scheduler import Scheduler, WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import AllShards, Shards
from bot.core.workers.pool import WorkerPool
from bot.core.workers.task_queue import TaskRunner
from bot.features.challenges.service import Expiry
from bot.features.daily.service import DailyPuzzles
from bot.features.ladder.steps import LadderSteps
from bot.features.owner.desk import ListServers
from bot.features.owner.message_commands import list_servers
from bot.features.owner.service import AskOwners, LeaveServer, OwnerOrders
from bot.features.tournaments import files, steps
from bot.features.tournaments.files import ImportPool
from bot.features.tournaments.steps import PairingPool, Progress
from bot.features.web.activity import Activity
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from bot.play.boards.board_message_views import MoveHandler
from bot.play.clocks.match_clocks import Absences, FindDeparted, MatchClocks
from bot.play.controls.board_views import BoardController
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.outbox_worker import OutboxWorker, Pruning, UnannouncedJobs
from bot.play.matches.jobs import HoldMatch
from bot.play.matches.positions import Positions
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data.challenges.challenges import CHANGED
from data.matches import outbox
from data.matches.matches import ENDED
from data.people import owner_orders
from data.sql.transaction import DUE
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

Page: TypeAlias = tuple[str, str | None]
"""The public address of the page, and the ``host:port`` where this process serves it, if it does."""

_GRACE: Final = 2.5
"""Seconds that callbacks in progress then have to finish."""
_WITH_OTHERS: Final = {DUE, ENDED}
"""Topics of matches: the process that writes their messages also handles their clocks and ends."""


def _not_served(error: BaseException) -> bool:
    """Return whether the page may be served later; the bot works without it meanwhile."""
    failed = isinstance(error, OSError)
    if failed:
        log.error("the page is not served, trying again", reason=str(error))
    return failed


@dataclass(eq=False, repr=False)
class Audience:
    """Knows which commits a gateway must announce to others.

    Nearly all are turns in servers of its own shards, and concern no other process.
    """

    shards: Shards
    positions: Positions

    def __call__(self, announced: Collection[tuple[str, int]]) -> bool:
        """Return whether other processes must hear these topics with their numbers."""
        return any(
            topic not in _WITH_OTHERS and not (topic == outbox.TOPIC and self._is_ours(number))
            for topic, number in announced
        )

    def _is_ours(self, match_id: int) -> bool:
        if not match_id:
            return self.shards.owns(None)
        cached = self.positions.cached(match_id)
        return cached is not None and self.shards.owns(cached.match.guild_id)


class App:
    """The bot in one process. Its services are found by type: ``app.get(Challenges)``."""

    def __init__(
        self,
        store: Store,
        renderer: Renderer,
        *,
        clock: WallClock,
        always_sync: bool = False,
        acknowledge_after: float = ACKNOWLEDGE_AFTER,
        pools: Mapping[str, WorkerPool] | None = None,
        analyse_after: float | None = None,
        metrics: Metrics | None = None,
        shards: Shards | None = None,
        budget: RequestBudget | None = None,
        thinks: bool = True,
        keeps_database: bool = True,
        page: Page | None = None,
        client_secret: SecretStr | None = None,
    ) -> None:
        """Build the bot on a store and a renderer.

        Args:
            store: open; closed by its owner.
            renderer: as above.
            clock: the time of day.
            always_sync: register the commands at every start, for a Discord that forgets them.
            acknowledge_after: seconds before an interaction is acknowledged ahead of its answer.
            pools: see `Thinking`. Closed with the bot.
            analyse_after: seconds before matches are analysed in the background; ``None`` analyses
                only those that users ask about.
            thinks: whether this process works on the task queue rather than leaving it to others.
            keeps_database: whether the database belongs to the application, not if it is made anew,
                with its Discord, at each start.
            page: the page in the browser, if there is one.
            client_secret: the application's; with it and a page, the board opens inside Discord, too.
            metrics: counts what happens; its own by default.
            shards: knows which shards this process owns; all by default.
            budget: limits requests; this process's share of Discord's limit by default.

        """
        load(*INTERFACE)
        load(".service")
        registry = Services()
        self._services = Container(registry)
        self._shards = shards = shards or AllShards()
        self._draining = False
        self._keeps_database = keeps_database
        self._page = page
        self._serving: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()
        self.handover = 5.0
        """Seconds for other processes to take over shards when the bot closes."""
        self.client = client = Client(self._services, self._begin)
        self.pools = {"pairings": steps.workers(), "imports": files.workers()}
        """The worker pools of this process, by what they think about."""
        registry.add(
            {
                Store: store,
                Renderer: renderer,
                WallClock: clock,
                Shards: shards,
                Metrics: metrics or Metrics(),
                RequestBudget: budget or RequestBudget(lambda: shards.share),
                Client: client,
                discord.Client: client,
                IsAvailable: client.is_available,
                ServerLocale: client.locale_of,
                ShowPresence: client.show_presence,
                LeaveServer: client.leave_server,
                AskOwners: client.owners,
                ListServers: partial(list_servers, client),
                PairingPool: self.pools["pairings"],
                ImportPool: self.pools["imports"],
            }
        )
        registry.give(Members, wait=acknowledge_after)
        registry.give(Dispatcher, acknowledge_after=acknowledge_after)
        has_activity = page is not None and client_secret is not None
        registry.give(CommandRegistration, always=always_sync, activity=has_activity)
        registry.give(Reachability, ask=client.questions, count=lambda: shards.count)
        registry.register_factory(FindDeparted, lambda: self.get(Members).departed)
        registry.register_factory(Positions, lambda: self.get(Matches).positions)
        registry.register_factory(HoldMatch, lambda: self.get(Deliverer).alone)
        registry.register_factory(TaskRunner, lambda: self.get(Thinking).runner)
        registry.register_factory(MoveHandler, lambda: self.get(BoardController))
        registry.give(Thinking, pools=pools)
        thinking = self.get(Thinking) if thinks else None
        if thinking is not None:
            self.pools |= thinking.pools
        registry.give(ShardWork, thinking=thinking, analyse_after=analyse_after)
        self._schedule(store)
        if has_activity:
            self.get(Activity).begin(client_secret)
        self._closing = AsyncExitStack()
        for end in reversed(self._ends(thinking)):
            self._closing.push_async_callback(end)
        store.scope = lambda: shards.scope
        if shards.scope is not None:
            store.travels = self.get(Audience)

    @property
    def resumed(self) -> asyncio.Event:
        """Set once the work of an earlier run has resumed."""
        return self.get(ShardWork).resumed

    @property
    def ready(self) -> bool:
        """Whether players get answers: shards are connected and not being handed over.

        Without shards, it is whether the page is served.
        """
        answers = self._shards.told or self.get(WebServer).serves
        return answers and self._shards.complete and not self._draining

    def get(self, kind: type[T]) -> T:
        """Return a service by its type."""
        return self._services.get(kind)

    async def run(self, token: str) -> None:
        """Join Discord and serve until closed; without shards, serve the page alone.

        Raises CannotWork if the database belongs to another application, discord.LoginFailure if
        Discord rejects the token, and discord.DiscordException, OSError, aiohttp.ClientError if
        Discord cannot be reached.
        """
        try:
            if self._shards.told:
                self._open_page()
                await self.client.start(token)
            else:
                await self.client.login(token)
                await self.client.launch_shards()
                self._open_page()
                await self._ended.wait()
        except RuntimeError:
            # So aiohttp ends requests after `close`, if the client was still starting.
            if not self.client.is_closed():
                raise

    def _open_page(self) -> None:
        """Serve the page here, or offer the one that another process serves."""
        if self._page is None:
            return
        url, address = self._page
        server = self.get(WebServer)
        if address is None:
            server.offer(url)
            return
        serve = partial(server.start, url, address)
        self._serving = asyncio.create_task(retry(serve, _not_served), name="page")

    async def drain(self) -> None:
        """Hand shards over to other processes, if there are any."""
        self._draining = True
        await self._shards.drain(self.handover)

    async def close(self) -> None:
        """Finish callbacks in progress, then disconnect."""
        self._ended.set()
        await self._closing.aclose()

    async def _begin(self) -> None:
        """Register the commands, if presses arrive here; heavier work waits until then.

        Raises CannotWork if the database belongs to another application.
        """
        if self._keeps_database:
            assert self.client.application_id is not None, "the token has been accepted"
            await check_application(self.get(Store), self.client.application_id)
        await self.get(OwnerDecisions).load()
        await self.get(Locales).load()
        if self._shards.told:
            await self.get(CommandRegistration).start()
        if self._shards.scope is None:
            self.get(OwnerOrders).look_for(self.get(Scheduler))

    def _schedule(self, store: Store) -> None:
        """Build what listens to the store, and register what the scheduler runs."""
        get = self.get
        get(SettingsStore)
        get(Absences)
        get(OutboxWorker)
        unannounced, scheduler, poster = get(UnannouncedJobs), get(Scheduler), get(Poster)
        clocks = get(MatchClocks)
        get(Reachability).listen(scheduler.wake)
        poster.declare(get(kind) for kind in kinds())
        scheduler.register(unannounced, before_next=unannounced.catch_up)
        scheduler.register(clocks, before_next=clocks.check_outages)
        scheduler.register(get(Pruning))
        scheduler.register(get(ExpiredLimits))
        scheduler.register(get(WebAccess))
        scheduler.register(get(Expiry))
        scheduler.register(get(DailyPuzzles))
        scheduler.register(poster, before_next=poster.before_next)
        scheduler.register(get(Progress))
        scheduler.register(get(LadderSteps))
        scheduler.register(get(OwnerOrders))
        store.listen(CHANGED, lambda _: scheduler.wake())
        store.listen(owner_orders.CHANGED, lambda _: scheduler.wake())

    def _ends(self, thinking: Thinking | None) -> list[Callable[[], Any]]:
        """Return what ends the services, in order."""
        get = self.get
        return [
            lambda: cancel(self._serving),
            get(WebServer).close,
            get(Activity).close,
            self._shards.close,
            get(ShardWork).close,
            get(CommandRegistration).close,
            partial(get(Dispatcher).drained, _GRACE),
            get(Progress).work.close,
            self.pools["imports"].close,
            self.pools["pairings"].close,
            get(OwnerOrders).close,
            get(Scheduler).close,
            get(Reachability).close,
            get(ServerOutages).work.close,
            *([] if thinking is None else [thinking.close]),
            get(OutboxWorker).close,
            get(Poster).work.close,
            get(OwnerDecisions).work.close,
            self.client.close,
            get(FailingRoutes).close,
            get(Absences).work.close,
        ]
