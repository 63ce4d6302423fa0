"""The bot's commands, built and registered once per run and known to Discord from then on.

Building and registering them takes longer than most tests: there are many, in every language.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.interactions import tree
from bot.interactions.dispatch import Dispatcher
from data import key_values
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord
    from discord import app_commands

    from bot.app import App
    from bot.interactions.commands import Declared
    from bot.interactions.reply import Reply
    from data.store import Store
    from engine.registry import AnyGame
    from playground.app import Playground

ROUTE = "PUT /applications/{application_id}/commands"


@dataclass
class Registration:
    """What the first bot registered, and its store's record of that."""

    definitions: list[Any] | None = None
    note: str | None = None
    games: frozenset[str] = frozenset()

    async def keep(self, playground: Playground, store: Store) -> None:
        """Keep what a bot has just registered, once for all tests."""
        sent = [request for request in playground.requests if request.route == ROUTE]
        if self.definitions is None and sent:
            async with store.read() as tx:
                self.note = await key_values.get(tx, _key(playground))
            self.definitions = sent[-1].json
            self.games = frozenset(registry.games())

    def spare(self, app: App) -> None:
        """Skip registration if a bot with the same games has already registered.

        The bot would translate a thousand texts into thirty languages only to find nothing changed.
        """
        if self.definitions is None or frozenset(registry.games()) != self.games:
            return

        async def registered(*_: object, always: bool = False) -> None:
            """Do nothing."""

        app._tree.register = registered  # type: ignore[method-assign, assignment]

    async def restore(self, playground: Playground, store: Store) -> None:
        """Restore the registered commands for a bot and its Discord, if there are any.

        A bot with an additional game has other commands and sends them all the same.
        """
        if self.definitions is None or self.note is None:
            return
        playground.world.commands.sync(None, self.definitions)
        async with store.write() as tx:
            await key_values.set(tx, _key(playground), self.note)


class _Asked:
    """Passes a command to the dispatcher of the bot that received it."""

    async def run(self, interaction: discord.Interaction[Any], *work: Any, **how: Any) -> None:
        """Handle an interaction."""
        await self._of(interaction).run(interaction, *work, **how)

    def reply(self, interaction: discord.Interaction[Any]) -> Reply:
        """Return the answer to an interaction."""
        return self._of(interaction).reply(interaction)

    def _of(self, interaction: discord.Interaction[Any]) -> Dispatcher:
        client: Any = interaction.client
        found: Dispatcher = client._services.get(Dispatcher)
        return found


@contextmanager
def share_commands() -> Iterator[None]:
    """Share the commands among all bots of this process, each with its own tree."""
    make: Any = tree._made
    asked = _Asked()

    @cache
    def made(
        declared: Declared, game: AnyGame | None, games: frozenset[str]
    ) -> app_commands.Command[Any, Any, None]:
        command: app_commands.Command[Any, Any, None] = make(declared, asked, game)
        return command

    tree._made = lambda declared, dispatcher, game: made(
        declared, game, frozenset(registry.games())
    )
    yield
    tree._made = make


def _key(playground: Playground) -> str:
    return f"commands of {playground.world.application.id}"
