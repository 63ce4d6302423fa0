"""Starts the bot: ``python -m bot``. See ``.env.example`` for its settings.

Without a token it starts a Discord of its own on this machine, joins it, and prints the address
of a chat page where anybody can play. ``--open`` opens that page in the browser.

``python -m bot ratings recompute`` computes all ratings again from the results, and ends.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import gc
import signal
import sys
import tempfile
import webbrowser
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog
from pydantic import ValidationError

from bot import logs
from bot.app import App
from bot.config import Config
from bot.demo.seeding import Seeding
from bot.pictures.rendering import Renderer
from bot.ratings import recomputing
from bot.scheduling.wall_clock import SystemClock
from bot.workers.pool import WorkerPool
from data import outbox
from data.errors import StoreError
from data.process_lock import process_lock
from data.store import Store
from engine import registry
from playground.addresses import Addresses
from playground.app import Playground
from playground.chat.page import attach as chat_page
from playground.connect import point_discord_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from data.process_lock import Hold

log: structlog.stdlib.BoundLogger = structlog.get_logger("bot")

_MAX_PAUSE = 60.0
_ANALYSE_AFTER = 30.0
"""Seconds after the start until the analysis queue begins: there is enough to do before."""
_BAD_SETTINGS = 2
_UNTIL_COLLECTED = 50_000
"""New objects until the garbage collector runs."""
_CLOSED_FOR_GOOD = {
    4010: "Discord refuses this connection as a shard that cannot be (4010).",
    4011: (
        "Discord wants this bot to use several connections (4011): one may have at most 2,500 "
        "servers. This program uses one, so let the bot leave servers until there are fewer."
    ),
    4012: "Discord no longer speaks this version of its gateway (4012). Update the bot.",
    4013: "Discord refuses the intents that the bot asks for (4013). Update the bot.",
}
"""What to do where connecting again would be refused again, by the code that Discord closes with."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop.

    Returns:
        0 after an orderly end, 1 when the bot cannot work, 2 when its settings are wrong.

    """
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    parser.add_argument("--open", action="store_true", help="open the chat page in the browser")
    commands = parser.add_subparsers(dest="command", metavar="command")
    of_ratings = commands.add_parser("ratings", help="work on the ratings, while no bot runs")
    of_ratings.add_argument(
        "what", choices=["recompute"], help="compute all ratings again from the results"
    )
    options = parser.parse_args(arguments)
    try:
        settings = Config()
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False):
            name = "_".join(str(part) for part in problem["loc"]).upper()
            print(f"{name}: {problem['msg']}. See .env.example.", file=sys.stderr)
        return _BAD_SETTINGS
    secret = [s.get_secret_value() for s in (settings.discord_token, settings.database_url) if s]
    logs.configure(settings.log_level, settings.log_format, secret)
    try:
        if options.command == "ratings":
            return asyncio.run(_recompute(settings))
        asyncio.run(_run(settings, open_page=options.open))
    except StoreError as error:
        why = f"The database cannot be used: {error}"
    except discord.LoginFailure:
        why = (
            "Discord does not accept DISCORD_TOKEN. Copy the token again from the Bot page of "
            "your application, into .env."
        )
    except discord.ConnectionClosed as error:
        why = _CLOSED_FOR_GOOD[error.code]
    except OSError as error:
        why = f"Cannot start: {error}"
    else:
        return 0
    print(why, file=sys.stderr)
    return 1


async def _recompute(settings: Config) -> int:
    """Compute all ratings again; nothing else may work on the database meanwhile."""
    if settings.database_url is None and settings.in_playground:
        print(
            "There is no database to compute ratings in: set DATABASE_URL, or DISCORD_TOKEN for "
            "the database of the bot.",
            file=sys.stderr,
        )
        return _BAD_SETTINGS
    async with AsyncExitStack() as stack:
        database = _database(settings, stack)
        hold = await stack.enter_async_context(process_lock(database, patience=0))
        store = await Store.open(database, permitted=hold.sure)
        stack.push_async_callback(store.close)
        results = await recomputing.recompute_everything(store)
    print(f"The ratings are computed again. Results: {results}")
    return 0


async def _run(settings: Config, *, open_page: bool) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        token, playground = await _enter_discord(settings, stack)
        database = _database(settings, stack)
        hold = await stack.enter_async_context(process_lock(database))
        store = await Store.open(database, permitted=hold.sure)
        stack.push_async_callback(store.close)
        if await recomputing.check_formula(store):
            log.info("ratings are recomputed: the formula has changed")
        renderer = Renderer(width=settings.picture_width)
        stack.callback(renderer.close)
        renderer.warm(game.scene(game.initial()) for game in registry.games().values())
        if playground is not None and settings.playground_demo:
            await _seed(store, playground)
        # All that is loaded by now stays, and nearly everything that a press makes goes by itself.
        gc.freeze()
        gc.set_threshold(_UNTIL_COLLECTED, 20, 50)
        taken = asyncio.create_task(_stop_when_lost(hold, stopped), name="process lock lost")
        stack.callback(taken.cancel)
        if playground is not None:
            await _invite(playground, settings, open_page=open_page)
        await _stay_connected(settings, store, renderer, token, stopped)
        await hold.sure()  # if that is why it stopped


async def _stop_when_lost(hold: Hold, stopped: asyncio.Event) -> None:
    await hold.lost()
    stopped.set()


async def _seed(store: Store, playground: Playground) -> None:
    """Let the people of the playground have played before, unless the database knows matches."""
    async with store.read() as tx:
        if await outbox.newest(tx):
            return
    people = {person.name: person.id for person in playground.people}
    channel = playground.channel("general")
    seeding = Seeding(store, clock=SystemClock())
    await seeding.seed(playground.guild.id, channel.id, people)


async def _invite(playground: Playground, settings: Config, *, open_page: bool) -> None:
    """Tell where to play, and what becomes of it."""
    kept = (
        "Games are kept in DATABASE_URL, messages are not."
        if settings.database_url is not None
        else "Nothing is kept: each start is a fresh one."
    )
    print(
        f"\n  Play here   {playground.url}/"
        "\n  Try         pick a move on the board, or type /play"
        f"\n  Stop        Ctrl+C. {kept}\n",
        flush=True,
    )
    if open_page:
        await asyncio.to_thread(webbrowser.open, playground.url)


async def _enter_discord(settings: Config, stack: AsyncExitStack) -> tuple[str, Playground | None]:
    """Point discord.py where the settings say; return the token to log in with.

    Where the program runs a playground of its own, that is returned as well.
    """
    given = None if settings.discord_token is None else settings.discord_token.get_secret_value()
    if settings.playground_url is not None:
        stack.enter_context(point_discord_here(Addresses(settings.playground_url)))
        return given or "playground", None
    if given is not None:
        return given, None
    port = settings.playground_port
    try:
        playground = await stack.enter_async_context(Playground(port=port, attach=[chat_page]))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise OSError(
            f"port {port} is taken, perhaps by a bot that runs already. "
            "PLAYGROUND_PORT=0 takes a free one."
        ) from error
    stack.enter_context(point_discord_here(playground))
    return playground.token, playground


def _database(settings: Config, stack: AsyncExitStack) -> str:
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    if settings.in_playground:
        # The playground forgets its messages when it ends; matches without them would confuse.
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="old-board-games-"))
        return f"sqlite:///{folder}/playground.db"
    return f"sqlite:///{Path('var/games.db').resolve()}"


async def _stay_connected(
    settings: Config, store: Store, renderer: Renderer, token: str, stopped: asyncio.Event
) -> None:
    """Run the bot until told to stop, again and again while Discord cannot be reached."""
    pause = 1.0
    while not stopped.is_set():
        app = App(
            store,
            renderer,
            clock=SystemClock(),
            always_sync=settings.in_playground,
            workers=WorkerPool(settings.workers),
            analyse_after=_ANALYSE_AFTER if settings.analyse_matches else None,
        )
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
            if isinstance(error, discord.ConnectionClosed) and error.code in _CLOSED_FOR_GOOD:
                raise  # each attempt would count against the identifies of a day
            pause = 1.0 if was_ready else min(pause * 2, _MAX_PAUSE)
            log.warning("Discord cannot be reached, trying again", why=str(error), seconds=pause)
            try:
                await asyncio.wait_for(stopped.wait(), pause)
            except TimeoutError:
                continue


if __name__ == "__main__":
    sys.exit(main())
