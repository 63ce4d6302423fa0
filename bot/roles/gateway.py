"""The process that is connected to Discord: it answers, delivers and rings the clocks.

As role ``all`` it also thinks, and may run a Discord of its own to be tried in.
"""

from __future__ import annotations

import asyncio
import gc
import signal
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.app import App
from bot.monitoring.metrics import Metrics
from bot.monitoring.server import monitored
from bot.monitoring.shards import ShardFigures
from bot.pictures.rendering import Renderer
from bot.ratings import recomputing
from bot.roles.database import database_of
from bot.roles.local_discord import enter_discord, invite, seed
from bot.scheduling.wall_clock import SystemClock
from bot.workers.pool import WorkerPool
from data.process_lock import process_lock
from data.store import Store
from engine import registry

if TYPE_CHECKING:
    from bot.config import Config
    from bot.monitoring.server import Monitoring
    from data.process_lock import Hold

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_PAUSE: Final = 60.0
_ANALYSE_AFTER: Final = 30.0
"""Seconds after the start until the analysis queue begins: there is enough to do before."""
_UNTIL_COLLECTED: Final = 50_000
"""New objects until the garbage collector runs."""
CLOSED_FOR_GOOD: Final = {
    4010: "Discord refuses this connection as a shard that cannot be (4010).",
    4011: (
        "Discord wants this bot to use more connections (4011): one may have at most 2,500 "
        "servers. Remove SHARDS from your settings, so that Discord says how many."
    ),
    4012: "Discord no longer speaks this version of its gateway (4012). Update the bot.",
    4013: "Discord refuses the intents that the bot asks for (4013). Update the bot.",
}
"""What to do where connecting again would be refused again, by the code that Discord closes with."""


async def run(settings: Config, *, open_page: bool) -> None:
    """Run until a signal to stop.

    Raises:
        StoreError: the database cannot be used.
        discord.LoginFailure: Discord does not accept the token.
        discord.ConnectionClosed: Discord does not want this bot to connect so again.
        OSError: there is no room for what is needed on this machine.

    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        token, playground = await enter_discord(settings, stack)
        database = database_of(settings, stack)
        hold = await stack.enter_async_context(process_lock(database))
        store = await Store.open(database, permitted=hold.sure)
        stack.push_async_callback(store.close)
        monitoring = await stack.enter_async_context(
            monitored(settings.monitoring_address, Metrics(), store)
        )
        if await recomputing.check_formula(store):
            log.info("ratings are recomputed: the formula has changed")
        renderer = Renderer(width=settings.picture_width)
        stack.callback(renderer.close)
        renderer.warm(game.scene(game.initial()) for game in registry.games().values())
        if playground is not None and settings.playground_demo:
            await seed(store, playground)
        # All that is loaded by now stays, and nearly everything that a press makes goes by itself.
        gc.freeze()
        gc.set_threshold(_UNTIL_COLLECTED, 20, 50)
        taken = asyncio.create_task(_stop_when_lost(hold, stopped), name="process lock lost")
        stack.callback(taken.cancel)
        if playground is not None:
            await invite(playground, settings, open_page=open_page)
        await _stay_connected(settings, store, renderer, token, stopped, monitoring=monitoring)
        await hold.sure()  # if that is why it stopped


def _ready(client: discord.Client, stopped: asyncio.Event) -> bool:
    return client.is_ready() and not stopped.is_set()


async def _stop_when_lost(hold: Hold, stopped: asyncio.Event) -> None:
    await hold.lost()
    stopped.set()


async def _stay_connected(
    settings: Config,
    store: Store,
    renderer: Renderer,
    token: str,
    stopped: asyncio.Event,
    *,
    monitoring: Monitoring,
) -> None:
    """Run the bot until told to stop, again and again while Discord cannot be reached."""
    pause = 1.0
    shards = ShardFigures()
    monitoring.add(shards)
    while not stopped.is_set():
        app = App(
            store,
            renderer,
            clock=SystemClock(),
            always_sync=settings.in_playground,
            workers=WorkerPool(settings.workers),
            analyse_after=_ANALYSE_AFTER if settings.analyse_matches else None,
            metrics=monitoring.metrics,
        )
        monitoring.process.watch(app.pools, partial(_ready, app.client, stopped))
        shards.client = app.client
        running = asyncio.create_task(app.run(token), name="bot")
        waiting = asyncio.create_task(stopped.wait(), name="stop signal")
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        was_ready = app.client.is_ready()
        await app.close()
        try:
            await running
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired):
            raise
        except (OSError, aiohttp.ClientError, discord.DiscordException, AttributeError) as error:
            # discord.py fails with AttributeError when the gateway cannot be reached at start.
            if isinstance(error, discord.ConnectionClosed) and error.code in CLOSED_FOR_GOOD:
                raise  # each attempt would count against the identifies of a day
            pause = 1.0 if was_ready else min(pause * 2, _MAX_PAUSE)
            log.warning("Discord cannot be reached, trying again", why=str(error), seconds=pause)
            try:
                await asyncio.wait_for(stopped.wait(), pause)
            except TimeoutError:
                continue
