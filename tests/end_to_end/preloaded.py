"""What forked bots find done: `tests.end_to_end.forking` forks from a process that imported this.

None of it depends on settings or a database, and together it is most of a bot's start.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import discord

import bot.__main__
import bot.app.doctor
import bot.app.gateway
import bot.app.maintenance
import bot.app.thinking  # noqa: F401 -- each is what some command line imports
from bot.core.hooks import INTERFACE, load
from bot.core.i18n.locales import Locales
from bot.core.interactions.tree import Tree
from bot.play.pictures import rendering
from engine import registry
from render import Painter
from tests.end_to_end.registration import share_commands

WIDTH = 400
"""The width of the pictures in most tests."""


async def _translate_commands() -> None:
    """Build and translate the commands: there are many, in every language."""
    unused: Any = None
    locales = Locales(unused, lambda _: None)
    await locales.load()
    tree = Tree(discord.Client(intents=discord.Intents.none()), unused)
    await tree.described(locales)


def _paint_boards() -> None:
    """Paint each game's board, with which a bot also greets new servers."""
    painter = Painter()
    for game in registry.games().values():
        painter.png(game.scene(game.initial()), width=WIDTH)
    rendering.Painter = lambda: painter  # type: ignore[attr-defined, assignment]


load(*INTERFACE)
share_commands().__enter__()
asyncio.run(_translate_commands())
_paint_boards()
gc.collect()
gc.freeze()  # so that no collection in a forked process touches all this
