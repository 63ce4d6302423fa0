"""``python -m bot owner ...``: gives orders to a bot that is running, and reads what it has stored.

It writes an order into the database, which the bot carries out and answers. So it works beside a bot on
SQLite too, and an order outlives a bot that is down.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Sequence

import aiohttp
import discord

from bot.app import CannotWork, maintenance
from bot.core.config import Config
from bot.core.scheduling.scheduler import WallClock
from bot.features.owner.arguments import BadCommand
from bot.features.owner.desk import OwnerDesk, Server
from bot.features.owner.message_commands import list_servers
from data.store.address import file_of
from data.store.inspection import inspect
from data.store.store import Store
from playground.addresses import Addresses
from playground.connect import point_discord_here


async def run(settings: Config, options: argparse.Namespace) -> int:
    """Answer a command; return the exit status: 0, or 2 if the command cannot be read.

    Raises CannotWork if there is no database, or it isn't that of this version or this user, and
    StoreError if it cannot be used.
    """
    url = maintenance.required_database(settings)
    await _check(url)
    store = await Store.open(url)
    try:
        if file_of(url) is None:
            store.travels = lambda _: True

        async def servers() -> Sequence[Server] | None:
            return await _servers(settings)

        desk = OwnerDesk(store, WallClock(), servers)
        print(await desk.answer(options, user_id=None, login=_login()))  # noqa: T201 -- for the person at the terminal
    except BadCommand as error:
        print(error, file=sys.stderr)  # noqa: T201 -- as above
        return 2
    finally:
        await store.close()
    return 0


async def _check(url: str) -> None:
    """Refuse what would change the database under a running bot: its tables, or whose files it has."""
    found = await inspect(url)
    if found.revision is None or found.revision < found.newest:
        raise CannotWork(
            "The database isn't that of this version yet. Start the bot first: it makes the tables.",
            restart_helps=False,
        )
    file = file_of(url)
    if file is None or not hasattr(os, "geteuid"):
        return
    if (user := file.stat().st_uid) != os.geteuid():
        raise CannotWork(
            f"The database belongs to the user with the number {user}. Run this as that user, or the "
            "bot could lose access to its files.",
            restart_helps=False,
        )


def _login() -> str:
    """Return the name of the person at the terminal, for the log of orders."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):
        return "terminal"


async def _servers(settings: Config) -> Sequence[Server] | None:
    """Ask Discord for the bot's servers, without connecting; ``None`` if it does not say."""
    token = settings.discord_token
    if settings.playground_url is not None:
        with point_discord_here(Addresses(settings.playground_url)):
            return await _ask("playground" if token is None else token.get_secret_value())
    return None if token is None else await _ask(token.get_secret_value())


async def _ask(token: str) -> Sequence[Server] | None:
    # As the bot itself: without warnings about what it does not use.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    client = discord.Client(intents=discord.Intents(guilds=True))
    async with client:
        try:
            await client.login(token)
        except (discord.DiscordException, aiohttp.ClientError, OSError):
            return None
        return await list_servers(client)
