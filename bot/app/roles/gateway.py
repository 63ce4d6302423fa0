"""The process connected to Discord: it answers, delivers and runs the clocks.

As role ``all`` it also thinks, and may run its own Discord to try the bot in.
"""

from __future__ import annotations

import asyncio
import gc
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog

from bot.app.app import App
from bot.app.monitoring.server import Monitoring, monitored
from bot.app.monitoring.shards import ShardFigures
from bot.app.roles import CannotWork, refusals
from bot.app.roles.local_discord import enter_discord, invite, seed
from bot.app.roles.membership import Membership, database_of, member
from bot.core.background import MIN_PAUSE, retrying, store_failed, until
from bot.core.config import Config
from bot.core.metrics import Metrics
from bot.core.scheduling.wall_clock import SystemClock
from bot.core.version import VERSION
from bot.core.workers.pool import WorkerPool
from bot.play.delivery.match_requests import LateRequests
from bot.play.pictures.rendering import Renderer
from bot.play.ratings import recomputing
from data.cluster.cluster import GATEWAY
from data.sql.errors import StoreError
from data.store.store import Store

if TYPE_CHECKING:  # only a playground loads these
    from bot.app.demo.seeding import Seeding
    from playground.app import Playground

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_PAUSE: Final = 60.0
_ANALYSE_AFTER: Final = 30.0
"""Seconds after the start before the analysis queue begins: there is enough to do until then."""
_COLLECTED: Final = (2_000, 2, 1_000)
"""New objects before the garbage collector looks at them; how often before it looks again at the
survivors, and then at everything. Presses leave next to nothing in cycles, so what counts is the
pause: larger first and second numbers lengthen it, and a full collection takes longest."""


async def run(
    settings: Config, *, role: str, open_page: bool = False, replace: bool = False
) -> None:
    """Run until a signal to stop.

    Args:
        settings: the settings of the process.
        role: ``all``, or ``gateway`` to leave the thinking to workers.
        open_page: whether to open the chat page of its own Discord.
        replace: whether to take over all shards of the running gateways.

    Raises:
        StoreError: the database cannot be used.
        CannotWork: Discord rejects the token, or would refuse to let the bot connect again.
        OSError: this machine has no room for what is needed.

    """
    try:
        await _run(settings, role=role, open_page=open_page, replace=replace)
    except discord.LoginFailure as error:
        raise CannotWork(
            "Discord does not accept DISCORD_TOKEN. Copy the token again from the Bot page of "
            "your application, into .env."
        ) from error


async def _run(settings: Config, *, role: str, open_page: bool, replace: bool) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        token, playground = await enter_discord(settings, stack)
        database = database_of(settings, stack)
        renderer = Renderer(width=settings.picture_width)
        stack.callback(renderer.close)
        gateway = Gateway(settings, renderer, token, stopped, thinks=role == "all")
        begun = False
        while gateway.late or not stopped.is_set():
            async with member(database, role=GATEWAY, version=VERSION, replaces=replace) as joined:
                await gateway.report(joined.store)
                if stopped.is_set():
                    break
                if not begun:
                    begun = True
                    seeding = await _prepare(settings, joined.store, playground)
                    if seeding is not None:
                        shown = asyncio.create_task(seeding.show_unfinished(), name="demo")
                        stack.callback(shown.cancel)
                    if playground is not None:
                        await invite(playground, settings, open_page=open_page)
                watched = monitored(
                    settings.monitoring_address, Metrics(), joined.store, hosts=settings.hosts
                )
                async with watched as monitoring:
                    await gateway.stay(joined, monitoring)
                if not joined.can_rejoin:
                    await joined.confirm()  # raises if that is why it stopped
            await until(stopped)(MIN_PAUSE)


async def _prepare(settings: Config, store: Store, playground: Playground | None) -> Seeding | None:
    if await recomputing.check_formula(store):
        log.info("ratings are recomputed: the formula has changed")
    if playground is not None and settings.playground_demo:
        return await seed(store, playground)
    return None


def _spare_collector() -> None:
    """Limit the garbage collector to objects created from now on; only the first call counts.

    Everything loaded by now stays, and nearly everything that a press creates is freed without it.
    """
    if gc.isenabled():
        return  # it is already on: what exists now may be garbage
    gc.freeze()
    gc.set_threshold(*_COLLECTED)
    gc.enable()


@dataclass(eq=False, repr=False)
class Gateway:
    """Keeps the bot connected."""

    settings: Config
    renderer: Renderer
    token: str
    stopped: asyncio.Event
    thinks: bool
    _pause: float = field(default=1.0, init=False)
    late: list[LateRequests] = field(default_factory=list, init=False)
    """What this process may have written to Discord after it lost its place."""

    async def report(self, store: Store) -> None:
        """Ask the present owners to write once more what this process may have overwritten."""

        def failed(error: BaseException) -> bool:
            return store_failed(error) and not self.stopped.is_set()

        while self.late:
            async for attempt in retrying(failed, sleep=until(self.stopped)):
                with attempt:
                    await self.late[-1].report(store, SystemClock()())
            self.late.pop()

    async def stay(self, joined: Membership, monitoring: Monitoring) -> None:
        """Run the bot until stopped or dismissed, even while Discord cannot be reached.

        Raises:
            discord.LoginFailure: Discord rejects the token.
            CannotWork: Discord would refuse the same connection again.

        """
        lost = asyncio.create_task(joined.lost(), name="place lost")
        waiting = asyncio.create_task(self.stopped.wait(), name="stop signal")
        figures = ShardFigures()
        monitoring.add(figures)
        try:
            while not (lost.done() or waiting.done()):
                await self._run(joined, monitoring, figures, lost, waiting)
        finally:
            lost.cancel()
            waiting.cancel()

    async def _run(
        self,
        joined: Membership,
        monitoring: Monitoring,
        figures: ShardFigures,
        lost: asyncio.Task[None],
        waiting: asyncio.Task[Any],
    ) -> None:
        ends = (lost, waiting)
        settings = self.settings
        shards = joined.shards(settings.shards)
        app = App(
            joined.store,
            self.renderer,
            clock=SystemClock(),
            always_sync=settings.in_playground,
            workers=WorkerPool(settings.workers),
            analyse_after=_ANALYSE_AFTER if settings.analyse_matches else None,
            metrics=monitoring.metrics,
            shards=shards,
            thinks=self.thinks or joined.lease is None,  # on SQLite no other process can
        )
        _spare_collector()
        monitoring.process.watch(app.pools, lambda: app.ready)
        figures.client = app.client
        running = asyncio.create_task(app.run(self.token), name="bot")
        await asyncio.wait({running, *ends}, return_when=asyncio.FIRST_COMPLETED)
        was_ready = app.client.is_ready()
        if self.stopped.is_set():
            await app.drain()
        await app.close()
        late = app.get(LateRequests)
        if lost.done() and late.found:
            self.late.append(late)
        try:
            await running
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired):
            raise
        except (OSError, aiohttp.ClientError, discord.DiscordException, StoreError) as error:
            if isinstance(error, discord.ConnectionClosed) and error.code in refusals.FINAL:
                raise await refusals.refused(
                    error.code, self.token, shards, wanted=settings.shards
                ) from error
            reason = str(error)
        else:
            if any(end.done() for end in ends):
                return
            reason = "the client has ended"
        self._pause = 1.0 if was_ready else min(self._pause * 2, _MAX_PAUSE)
        log.warning("Discord cannot be reached, trying again", reason=reason, seconds=self._pause)
        await asyncio.wait(ends, timeout=self._pause, return_when=asyncio.FIRST_COMPLETED)
