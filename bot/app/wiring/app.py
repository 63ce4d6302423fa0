"""Builds the bot's services and wires them together; starts and closes them in order."""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import discord

from bot.app import commands
from bot.app.audience import Audience
from bot.app.client import Client
from bot.app.shard_work import ShardWork
from bot.app.thinking import Thinking
from bot.app.wiring import (
    challenges,
    computers,
    delivery,
    ladders,
    matches,
    scheduling,
    tournaments,
)
from bot.app.wiring.services import Services
from bot.core import hooks
from bot.core.i18n.locales import Locales
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.registration_commands import CommandRegistration
from bot.core.interactions.reply import ACKNOWLEDGE_AFTER
from bot.core.interactions.tree import Tree
from bot.core.metrics import Metrics
from bot.core.posts.pings import Pings
from bot.core.requests.sending import RequestBudget
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import AllShards, Shards
from bot.core.workers.pool import WorkerPool
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data.store.store import Store

T = TypeVar("T")

_HANDOVER: Final = 5.0
"""Seconds for other processes to take over shards when the bot closes."""
_GRACE: Final = 2.5
"""Seconds that callbacks in progress then have to finish."""


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
        workers: WorkerPool | None = None,
        analysis_workers: WorkerPool | None = None,
        record_workers: WorkerPool | None = None,
        analyse_after: float | None = None,
        metrics: Metrics | None = None,
        shards: Shards | None = None,
        budget: RequestBudget | None = None,
        thinks: bool = True,
    ) -> None:
        """Build the bot on a store and a renderer.

        Args:
            store: open; closed by its owner.
            renderer: as above.
            clock: the time of day.
            always_sync: register the commands at every start, for a Discord that forgets them.
            acknowledge_after: seconds before an interaction is acknowledged ahead of its answer.
            workers: choose the computers' moves; one process by default. Closed with the bot.
            analysis_workers: analyse finished matches; as above.
            record_workers: check imported records; as above.
            analyse_after: seconds before matches are analysed in the background; ``None`` analyses
                only those that users ask about.
            thinks: whether this process works on the task queue rather than leaving it to others.
            metrics: counts what happens; its own by default.
            shards: knows which shards this process owns; all by default.
            budget: limits requests; this process's share of Discord's limit by default.

        """
        self._services = services = Services(clock=clock, shards=shards or AllShards())
        self._shards = services.shards
        self._draining = False
        self.client = services.client = Client(services.container, self._begin)
        self.pools = services.pools
        services.add(self.client, discord.Client)
        services.add(self._shards, Shards)
        services.add(budget or RequestBudget(lambda: self._shards.processes))
        services.add(store, Store)
        services.add(renderer, Renderer)
        services.add(metrics or Metrics())
        settings = services.add(SettingsStore(store, clock=clock))
        services.add(Pings(store, settings, clock=clock))
        services.add(Locales(settings, self.client.locale_of))
        matches.build(services)
        challenges.build(services, acknowledge_after)
        delivery.build(services)
        computers.build(services)
        if thinks:
            computers.build_thinking(
                services,
                Thinking(
                    store,
                    self.get(Matches),
                    clock=clock,
                    workers=workers,
                    analysis_workers=analysis_workers,
                    record_workers=record_workers,
                ),
            )
        scheduling.build(services)
        tournaments.build(services)
        ladders.build(services)
        dispatcher = services.add(
            Dispatcher(services.container, acknowledge_after=acknowledge_after)
        )
        services.on_close(dispatcher.drained, _GRACE)
        commands.load()
        hooks.load()
        tree = services.add(Tree(self.client, dispatcher))
        registration = services.add(
            CommandRegistration(
                tree,
                store,
                self.get(Locales),
                self.get(Metrics),
                clock=clock,
                always=always_sync,
            )
        )
        services.on_close(registration.close)
        self._work = services.add(
            ShardWork(services.container, self._shards, thinks=thinks, analyse_after=analyse_after)
        )
        if self._shards.scope is not None:
            store.travels = Audience(self._shards, self.get(Matches).positions)
        services.on_close(self._work.close)
        services.on_close(self._shards.close)

    @property
    def resumed(self) -> asyncio.Event:
        """Set once the work of an earlier run has resumed."""
        return self._work.resumed

    def get(self, kind: type[T]) -> T:
        """Return a service by its type."""
        return self._services.get(kind)

    async def run(self, token: str) -> None:
        """Join Discord and serve until closed.

        Raises:
            discord.LoginFailure: Discord rejects the token.
            discord.DiscordException, OSError, aiohttp.ClientError: Discord cannot be reached.

        """
        await self.client.start(token)

    @property
    def ready(self) -> bool:
        """Whether players get answers: shards are connected and not being handed over."""
        return self._shards.complete and not self._draining

    async def drain(self) -> None:
        """Hand shards over to other processes, if there are any."""
        self._draining = True
        await self._shards.drain(_HANDOVER)

    async def close(self) -> None:
        """Finish callbacks in progress, then disconnect."""
        await self._services.close()

    async def _begin(self) -> None:
        """Register the commands; heavier work waits until presses arrive."""
        await self.get(Locales).load()
        await self.get(CommandRegistration).start()
