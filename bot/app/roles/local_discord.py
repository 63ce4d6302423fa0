"""The Discord that a process joins: the real one, or its own on this machine."""

from __future__ import annotations

import asyncio
import errno
import webbrowser
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bot.core.config import Config
from bot.core.scheduling.wall_clock import SystemClock
from data.matches import outbox
from data.store.store import Store
from playground.addresses import Addresses
from playground.connect import point_discord_here

if TYPE_CHECKING:  # only a playground loads these
    from bot.app.demo.seeding import Seeding
    from playground.app import Playground


async def enter_discord(settings: Config, stack: AsyncExitStack) -> tuple[str, Playground | None]:
    """Point discord.py where the settings say; return the token to log in with.

    If the program runs its own playground, that is returned as well.

    Raises:
        OSError: the port of the playground is taken.

    """
    given = None if settings.discord_token is None else settings.discord_token.get_secret_value()
    if settings.playground_url is not None:
        stack.enter_context(point_discord_here(Addresses(settings.playground_url)))
        return given or "playground", None
    if given is not None:
        return given, None
    # A bot connected to the real Discord needs none of this.
    from playground.app import Playground  # noqa: PLC0415 -- see above
    from playground.chat.page import attach as chat_page  # noqa: PLC0415 -- see above

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


async def seed(store: Store, playground: Playground) -> Seeding | None:
    """Give the playground's people a history of matches, unless the database has any.

    Returns:
        The seeding, to show the unfinished match once the bot works; ``None`` if nothing was seeded.

    """
    async with store.read() as tx:
        if await outbox.newest(tx):
            return None
    from bot.app.demo.seeding import Seeding  # noqa: PLC0415 -- only a playground needs it

    people = {person.name: person.id for person in playground.people}
    channel = playground.channel("general")
    seeding = Seeding(store, clock=SystemClock())
    await seeding.seed(playground.guild.id, channel.id, people)
    return seeding


async def invite(playground: Playground, settings: Config, *, open_page: bool) -> None:
    """Print where to play, and what is kept."""
    kept = (
        "Games are kept in DATABASE_URL, messages are not."
        if settings.database_url is not None
        else "Nothing is kept: each start is a fresh one."
    )
    print(  # noqa: T201 -- for the person at the terminal
        f"\n  Play here   {playground.url}/"
        "\n  Try         pick a move on the board, or type /play"
        f"\n  Stop        Ctrl+C. {kept}\n",
        flush=True,
    )
    if open_page:
        await asyncio.to_thread(webbrowser.open, playground.url)
