"""The process connected to Discord: it answers, delivers and runs the clocks.

As the only process it also thinks, and may run its own Discord to try the bot in.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog
from pydantic import SecretStr

from bot import full_version
from bot.app import CannotWork, memory
from bot.app.app import App, Page
from bot.app.membership import Membership, database_of, member, reached
from bot.app.monitoring import Monitoring, monitored
from bot.app.shard_figures import ShardFigures
from bot.core.background import MIN_PAUSE, cancel, retry, stop_signal, store_failed, until
from bot.core.config import Config
from bot.core.metrics import Metrics
from bot.core.scheduling.scheduler import WallClock
from bot.core.shards.ownership import Shards
from bot.core.workers.pool import WorkerPool
from bot.features.web.server import WebServer
from bot.play.delivery.match_requests import LateRequests
from bot.play.pictures.rendering import Renderer
from bot.play.ratings import recomputing
from data.cluster.cluster import GATEWAY
from data.sql.errors import StoreError
from data.store.store import Store
from playground.addresses import Addresses
from playground.connect import point_discord_here

if TYPE_CHECKING:
    from playground.app import Playground

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_PAUSE: Final = 60.0
_ANALYSE_AFTER: Final = 30.0
"""Seconds after the start before the analysis queue begins: there is enough to do until then."""
_COLLECTED: Final = (5_000, 2, 1_000)
"""New objects before the garbage collector looks at them; how often before it looks again at the
survivors, and then at everything. Presses leave next to nothing in cycles. Larger first and second
numbers take less time in all, in longer pauses: 2,000 took 0.44 ms a turn and at most 14 ms at once,
5,000 take 0.28 and 20 ms. A full collection takes longest."""
_TOO_MANY_SERVERS: Final = 4011
_FINAL: Final = {
    4010: "Discord refuses this connection as a shard that cannot be (4010). Update the bot.",
    _TOO_MANY_SERVERS: "Discord wants this bot to use more connections (4011): one may have at most "
    "2,500 servers.",
    4012: "Discord no longer speaks this version of its gateway (4012). Update the bot.",
    4013: "Discord refuses the intents that the bot asks for (4013). Update the bot.",
}
"""Close codes after which Discord would refuse the same connection again, explained."""
_TIMEOUT: Final = 10.0
"""Seconds for Discord to say how many shards it recommends."""


async def run(
    settings: Config, *, role: str | None = None, open_page: bool = False, replace: bool = False
) -> None:
    """Run until a signal to stop.

    ``role`` is one of those in `data.cluster.cluster`, or ``None`` to do everything: a gateway leaves
    thinking to workers and the page to another process. ``open_page`` opens the chat page of its own
    Discord, and ``replace`` takes over all shards of the running gateways. Raises StoreError if the database
    cannot be used, CannotWork if Discord rejects the token, if the database belongs to another
    application or if Discord would refuse to let the bot connect again, and OSError if this machine
    has no room for what is needed.
    """
    stopped = stop_signal()
    async with AsyncExitStack() as stack:
        monitoring = await stack.enter_async_context(
            monitored(
                settings.monitoring_address,
                Metrics(),
                hosts=settings.hosts,
                backups=settings.backup_folder,
            )
        )
        token, begin, own = await _enter_discord(settings, stack, open_page=open_page)
        database = database_of(settings, stack)
        renderer = Renderer(width=settings.picture_width)
        stack.callback(renderer.close)
        gateway = Gateway(settings, renderer, token, stopped, role, own=own)
        joining = partial(
            member, database, role=role or GATEWAY, version=full_version(), replaces=replace
        )
        returning = asyncio.create_task(memory.keep_giving_back(), name="memory")
        stack.push_async_callback(cancel, returning)
        begun = False
        while gateway.late or not stopped.is_set():
            async with AsyncExitStack() as place:
                joined = await reached(place, joining, stopped)
                if joined is None:
                    break
                monitoring.watch(joined.store)
                place.callback(monitoring.watch, None)
                await gateway.report(joined.store)
                if stopped.is_set():
                    break
                if not begun:
                    begun = True
                    if await recomputing.check_formula(joined.store):
                        log.info("ratings are recomputed: the formula has changed")
                    if begin is not None:
                        await begin(joined.store)
                await gateway.stay(joined, monitoring)
                if joined.lease is None:
                    await joined.claim.confirm()  # raises if that is why it stopped
            await until(stopped)(MIN_PAUSE)


async def _enter_discord(
    settings: Config, stack: AsyncExitStack, *, open_page: bool
) -> tuple[str, Callable[[Store], Awaitable[None]] | None, Playground | None]:
    """Point discord.py where the settings say.

    Returns the token to log in with, and, if this process runs its own Discord, what to do first and
    that Discord.
    Raises OSError if its port is taken.
    """
    given = None if settings.discord_token is None else settings.discord_token.get_secret_value()
    if settings.playground_url is not None:
        stack.enter_context(point_discord_here(Addresses(settings.playground_url)))
        return given or "playground", None, None
    if given is not None:
        return given, None, None
    from bot.app.demo import enter_playground  # noqa: PLC0415 -- on the real Discord, not needed

    return await enter_playground(settings, stack, open_page=open_page)


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
    role: str | None
    own: Playground | None = None
    """The Discord that this process runs itself, where the page is the bot's Activity."""
    _pause: float = field(default=1.0, init=False)
    late: list[LateRequests] = field(default_factory=list, init=False)
    """What this process may have written to Discord after it lost its place."""

    @property
    def _page(self) -> Page | None:
        """The page, which a gateway leaves to other processes."""
        if self.role != GATEWAY:
            return self.settings.page
        return None if self.settings.web_url is None else (self.settings.web_url, None)

    async def report(self, store: Store) -> None:
        """Ask the present owners to write once more what this process may have overwritten."""

        def failed(error: BaseException) -> bool:
            return store_failed(error) and not self.stopped.is_set()

        while self.late:
            await retry(
                lambda: self.late[-1].report(store, WallClock()()),
                failed,
                sleep=until(self.stopped),
            )
            self.late.pop()

    async def stay(self, joined: Membership, monitoring: Monitoring) -> None:
        """Run the bot until stopped or dismissed, even while Discord cannot be reached.

        Raises CannotWork if Discord rejects the token, or would refuse the same connection again.
        """
        lost = asyncio.create_task(joined.claim.lost(), name="place lost")
        waiting = asyncio.create_task(self.stopped.wait(), name="stop signal")
        figures = ShardFigures()
        monitoring.add(figures)
        try:
            while not (lost.done() or waiting.done()):
                await self._run(joined, monitoring, figures, lost, waiting)
            if lost.done():
                doing = "stopping" if joined.lease is None else "starting over"
                log.warning(doing, reason="this process has lost its place on the database")
        finally:
            lost.cancel()
            waiting.cancel()
            await monitoring.remove(figures)

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
            clock=WallClock(),
            always_sync=settings.in_playground,
            pools={"moves": WorkerPool(settings.workers)},
            analyse_after=_ANALYSE_AFTER if settings.analyse_matches else None,
            metrics=monitoring.metrics,
            shards=shards,
            thinks=self.role is None or joined.lease is None,  # on SQLite no other process can
            keeps_database=settings.playground_url is not None
            or settings.discord_token is not None,
            page=self._page,
            client_secret=settings.discord_client_secret
            if self.own is None
            else SecretStr(self.own.client_secret),
        )
        if self.own is not None and settings.web_url is None:
            # Known before the commands are registered, and by its address once the page is served.
            self.own.enable_activities("http://127.0.0.1:0")
            app.get(WebServer).served.append(self.own.enable_activities)
        _spare_collector()
        monitoring.process.watch(app.pools, lambda: app.ready)
        figures.watch(app.client, shards)
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
        except discord.PrivilegedIntentsRequired:
            raise
        except discord.LoginFailure as error:
            raise CannotWork(
                "Discord does not accept DISCORD_TOKEN. Copy the token again from the Bot page of "
                "your application, into .env.",
                restart_helps=False,
            ) from error
        except (OSError, aiohttp.ClientError, discord.DiscordException, StoreError) as error:
            if isinstance(error, discord.ConnectionClosed) and error.code in _FINAL:
                raise await _refused(
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


async def _refused(code: int, token: str, shards: Shards, *, wanted: int | None) -> CannotWork:
    """Return how to end a process whose connection Discord has closed for good.

    ``code`` is one of `_FINAL`, ``wanted`` the number of shards in the settings. Each attempt counts
    against the daily identifies. So a restart is only called helpful if it would connect with more
    shards than before.
    """
    reason = _FINAL[code]
    if code != _TOO_MANY_SERVERS:
        return CannotWork(reason, restart_helps=False)
    advice, helps = _more_shards(
        shards.count,
        await _recommended(token),
        chosen=wanted is not None,
        others=shards.gateways > 1,
    )
    return CannotWork(f"{reason} {advice}", restart_helps=helps)


def _more_shards(
    count: int, recommended: int | None, *, chosen: bool, others: bool
) -> tuple[str, bool]:
    """Return how to get more shards than ``count``, and whether a restart is enough.

    Discord recommends some if it answers, unless the settings have ``chosen`` how many, or ``others``
    are running: other gateways, which keep the number.
    """
    if recommended is not None and recommended <= count:
        return (
            f"Set SHARDS to more than {count}, as Discord recommends only {recommended}, and start "
            "the bot again. Of several gateways, stop all for ten seconds first."
        ), False
    if chosen:
        return (
            "Remove SHARDS from your settings and restart, so that Discord says how many."
        ), False
    if others:
        return (
            "Stop all gateways for ten seconds, then start them: they ask Discord again how many to "
            "share."
        ), False
    # Without an answer, the next start waits for one before it connects.
    return "Start the bot again: it asks Discord how many.", True


async def _recommended(token: str) -> int | None:
    """Return how many shards Discord recommends now, if it answers."""
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(_TIMEOUT), client:
            await client.login(token)
            shards, _, _ = await client.http.get_bot_gateway()
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError):
        return None
    return shards
