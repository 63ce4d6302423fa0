"""The bot's commands, built and registered once per run and known to Discord from then on.

Building and registering them takes longer than most tests: there are many, in every language.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.app.app import App
from bot.core.errors import NotAllowed
from bot.core.i18n.locales import Locales
from bot.core.interactions import tree
from bot.core.interactions.commands import Declared
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.registration import CommandRegistration
from bot.core.interactions.reply import Reply
from bot.core.interactions.tree import Tree
from data.sql import key_values
from data.store.store import Store, Transaction
from engine import registry
from engine.registry import AnyGame
from playground.app import Playground
from tests.routes import COMMANDS


class Registered(NamedTuple):
    """What a bot registered, and its store's record of that."""

    definitions: list[Any]
    note: str


@dataclass
class Registration:
    """What the first bot with certain games registered."""

    kept: dict[frozenset[str], Registered] = field(default_factory=dict)

    async def keep(self, playground: Playground, store: Store) -> None:
        """Keep what a bot has just registered, once for all tests with its games."""
        sent = [request for request in playground.requests if request.route == COMMANDS]
        games = frozenset(registry.games())
        if games not in self.kept and sent:
            async with store.read() as tx:
                note = await key_values.get(tx, _key(playground))
            if note is None:
                return  # Discord refused them
            self.kept[games] = Registered(sent[-1].json, note)

    def spare(self, app: App) -> None:
        """Skip registration, as Discord already knows the commands.

        The bot would translate a thousand texts into thirty languages only to find nothing changed.
        """

        async def registered() -> None:
            """Do nothing."""

        app.get(CommandRegistration).start = registered  # type: ignore[method-assign]

    async def restore(self, playground: Playground, tx: Transaction) -> frozenset[str] | None:
        """Restore the commands registered for these games, if there are any; return the games."""
        games = frozenset(registry.games())
        known = self.kept.get(games)
        if known is None:
            return None
        playground.world.commands.sync(None, known.definitions)
        await key_values.set(tx, _key(playground), known.note)
        return games


class _Asked:
    """Passes a command to the dispatcher of the bot that received it."""

    async def run(self, interaction: discord.Interaction[Any], *work: Any, **how: Any) -> None:
        """Handle an interaction."""
        await self._of(interaction).run(interaction, *work, **how)

    def reply(self, interaction: discord.Interaction[Any]) -> Reply:
        """Return the answer to an interaction."""
        return self._of(interaction).reply(interaction)

    def refusal(self, reply: Reply) -> NotAllowed | None:
        """Return what a blocked user is told."""
        return self._of(reply.interaction).refusal(reply)

    def _of(self, interaction: discord.Interaction[Any]) -> Dispatcher:
        client: Any = interaction.client
        found: Dispatcher = client._services.get(Dispatcher)
        return found


@contextmanager
def share_commands() -> Iterator[None]:
    """Share the commands and their translations among all bots of this process.

    Each has its own tree.
    """
    make: Any = tree.slash_command
    describe = Tree.described
    asked = _Asked()
    known: dict[Any, tuple[str, list[dict[str, Any]]]] = {}

    @cache
    def made(
        declared: Declared, game: AnyGame | None, games: frozenset[str]
    ) -> app_commands.Command[Any, Any, None]:
        command: app_commands.Command[Any, Any, None] = make(declared, asked, game)
        return command

    async def described(one: Tree, locales: Locales) -> tuple[str, str, list[dict[str, Any]]]:
        spoken = (frozenset(registry.games()), frozenset(locales._languages.items()))
        if spoken not in known:
            _, digest, payload = await describe(one, locales)
            known[spoken] = (digest, payload)
        return f"commands of {one.client.application_id}", *known[spoken]

    tree.slash_command = lambda declared, dispatcher, game: made(
        declared, game, frozenset(registry.games())
    )
    Tree.described = described  # type: ignore[method-assign, assignment]
    yield
    tree.slash_command = make
    Tree.described = describe  # type: ignore[method-assign]


def _key(playground: Playground) -> str:
    return f"commands of {playground.world.application.id}"
