"""The menu that asks which match a command refers to if several fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args, get_type_hints

import discord

from bot.core.errors import Refusal, SeveralMatches
from bot.core.interactions.commands import COMMANDS, GAME_COMMANDS, Declared
from bot.core.interactions.components import action_row, option, text_display
from bot.core.interactions.controls import MAX_CUSTOM_ID, Menu
from bot.core.interactions.dispatch import shows
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import GONE, picked
from engine import registry
from engine.phrase import say
from engine.registry import AnyGame

_MATCH: Final = ("match", "number")
"""The names of the option that selects a match."""
_TYPED: Final = "move"
"""The name of the command that plays a typed move, and of its option."""
_MAX_OPTIONS: Final = 25


class WhichMatchMenu(Menu, prefix="which"):
    """Repeats a command for the chosen match."""

    command: str
    """The command's name, with dots: ``game.resign``."""
    typed: str
    """The typed move, for the command that plays one."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Run the command."""
        declared, game = _declared(self.command)
        name, number = _option(declared)
        given: dict[str, Any] = {name: picked(values[0]) if number else values[0]}
        if bool(self.typed) is not (declared.path == (_TYPED,)):
            raise Refusal(GONE)
        if self.typed:
            given[_TYPED] = self.typed
        context = () if game is None else (game,)
        await declared.callback(reply, *context, **given)


@shows(lambda refusal: isinstance(refusal, SeveralMatches))
async def ask(reply: Reply, refusal: Refusal) -> None:
    """Ask which match a command refers to."""
    assert isinstance(refusal, SeveralMatches)
    menu = _menu(reply.interaction)
    if menu is None:
        words = say("Several games fit. Add the number of the one you mean.")
        await reply.send(text_layout(words), public=False)
        return
    entries = [option(label, name) for name, label in list(refusal.choices.items())[:_MAX_OPTIONS]]
    shown = menu.component(entries, placeholder=refusal.sentence)
    await reply.send(Layout(text_display(refusal.sentence), action_row(shown)), public=False)


def _menu(interaction: discord.Interaction[Any]) -> WhichMatchMenu | None:
    """Return the menu for a command; ``None`` if the menu cannot hold its options."""
    command = interaction.command
    if not isinstance(command, discord.app_commands.Command):
        return None
    given = dict(iter(interaction.namespace))
    typed = str(given.pop(_TYPED)) if command.name == _TYPED else ""
    menu = WhichMatchMenu(command.qualified_name.replace(" ", "."), typed)
    size = len(f"{menu.prefix}:{menu.command}:{typed}")
    return None if given or size > MAX_CUSTOM_ID else menu


def _declared(path: str) -> tuple[Declared, AnyGame | None]:
    """Return a command by name; raise Refusal unless it takes a match."""
    names = tuple(path.split("."))
    game = registry.games().get(names[0]) if names else None
    known = COMMANDS if game is None else GAME_COMMANDS
    wanted = names if game is None else names[1:]
    for declared in known:
        if declared.path == wanted and (game is None or declared.when(game)) and _option(declared):
            return declared, game
    raise Refusal(GONE)


def _option(declared: Declared) -> tuple[str, bool]:
    """Return the option of a command that selects a match, and whether it is a number."""
    hints = get_type_hints(declared.callback, include_extras=True)
    for name in _MATCH:
        if name in hints:
            kind = get_args(hints[name])[0]
            return name, int in {kind, *get_args(kind)}
    raise Refusal(GONE)
