"""All declared commands as one tree of discord.py, guarded like the buttons."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar, get_args, get_type_hints

import discord
import structlog
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType
from svcs import Container, Registry

from bot.core.errors import COUNT, Refusal
from bot.core.hooks import INTERFACE, load
from bot.core.i18n.locales import CommandWords, Locales
from bot.core.interactions import entry_point
from bot.core.interactions.commands import (
    COMMANDS,
    CONTEXT_MENUS,
    GAME_COMMANDS,
    GROUPS,
    MAX_SUGGESTIONS,
    MAX_TYPED,
    Declared,
    Option,
    Suggest,
)
from bot.core.interactions.dispatch import CHANGED, Dispatcher
from bot.core.interactions.layout import say_in
from bot.core.interactions.reply import Reply
from data.sql.errors import StoreError
from engine import registry
from engine.errors import RulesError
from engine.phrase import say, shortened
from engine.registry import AnyGame

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_LABEL: Final = 100
_LEADING: Final = ("play", "help")
"""The commands that lead everywhere, listed before those of the games."""
_FIRST: Final = (*_LEADING, "challenge", "practice", "learn", "move", "board")
"""What newcomers need, listed first."""

Offered = TypeVar(
    "Offered",
    app_commands.Command[Any, Any, None],
    app_commands.Group,
    app_commands.ContextMenu,
)


class Tree(app_commands.CommandTree[discord.Client]):
    """All commands."""

    def __init__(self, client: discord.Client, dispatcher: Dispatcher) -> None:
        """Add every declared command, offered wherever it makes sense, run by a dispatcher."""
        super().__init__(client)
        self._dispatcher = dispatcher
        self._add_declared(d for d in COMMANDS if d.path[0] in _LEADING)
        for game in registry.games().values():
            for declared in sorted(GAME_COMMANDS, key=_rank):
                if declared.when(game):
                    self._game_group(game).add_command(slash_command(declared, dispatcher, game))
        self._add_declared(d for d in COMMANDS if d.path[0] not in _LEADING)
        for declared in sorted(CONTEXT_MENUS, key=_rank):
            self.add_command(_everywhere(context_menu(declared, dispatcher)))

    async def described(self, locales: Locales) -> tuple[str, str, list[dict[str, Any]]]:
        """Return the key of the stored hash, the hash, and the commands in Discord's format."""
        translator = CommandWords(locales)
        await self.set_translator(translator)
        payload = [
            await command.get_translated_payload(self, translator)
            for command in self.get_commands(type=None)
        ]
        return f"commands of {self.client.application_id}", digest(payload), payload

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Answer the command that opens the Activity, which discord.py does not know; pass all others."""
        data: Any = interaction.data or {}
        if data.get("type") != entry_point.ENTRY_POINT:
            return True
        (declared,) = entry_point.DECLARED
        await self._dispatcher.run(interaction, declared.answer, name="launch")
        return False

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        """Answer an error before a callback started, such as an option of the wrong kind."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.info("nothing to suggest", reason=type(error).__name__)
            return

        async def fail(_: Reply) -> None:
            raise getattr(error, "original", error)

        await self._dispatcher.run(interaction, fail)

    def _add_declared(self, found: Iterable[Declared]) -> None:
        for declared in sorted(found, key=_rank):
            command = slash_command(declared, self._dispatcher, None)
            if len(declared.path) == 1:
                self.add_command(command if declared.server_only else _everywhere(command))
            else:
                self._group(declared.path[0]).add_command(command)

    def _game_group(self, game: AnyGame) -> app_commands.Group:
        known = self.get_command(game.slug)
        if isinstance(known, app_commands.Group):
            return known
        # Translators: what a game is, in one line.
        summary = say("{game}: {summary}", game=game.title, summary=game.summary)
        group = app_commands.Group(name=game.slug, description=shortened(summary, _MAX_LABEL))
        self.add_command(_everywhere(group))
        return group

    def _group(self, name: str) -> app_commands.Group:
        known = self.get_command(name)
        if isinstance(known, app_commands.Group):
            return known
        declared = GROUPS[name]
        group = app_commands.Group(
            name=name,
            description=declared.description,
            guild_only=declared.managers,
            default_permissions=discord.Permissions(manage_guild=True)
            if declared.managers
            else None,
        )
        self.add_command(group if declared.managers else _everywhere(group))
        return group


def offline_tree(client: discord.Client | None = None) -> Tree:
    """Return all commands, to be read and never run."""
    load(*INTERFACE)
    client = client or discord.Client(intents=discord.Intents.none())
    return Tree(client, Dispatcher(Container(Registry())))


def _rank(declared: Declared) -> tuple[int, str]:
    """Return the place of a command, the same in every process: modules are imported in any order."""
    name = declared.path[-1]
    first = _FIRST.index(name) if name in _FIRST else len(_FIRST)
    return first, declared.callback.__module__


def _everywhere(command: Offered) -> Offered:
    command.allowed_installs = AppInstallationType(guild=True, user=True)
    command.allowed_contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    return command


def slash_command(
    declared: Declared, dispatcher: Dispatcher, game: AnyGame | None
) -> app_commands.Command[Any, Any, None]:
    """Return a slash command that a dispatcher runs, for a game or none."""
    parameters = _parameters(declared, game)
    context = () if game is None else (game,)

    async def callback(interaction: discord.Interaction[Any], **given: Any) -> None:
        async def run(reply: Reply) -> None:
            _check(options, given)
            await declared.callback(reply, *context, **given)

        await dispatcher.run(
            interaction,
            run,
            public=_is_public(declared, given),
            for_blocked=declared.for_blocked,
        )

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signed: Any = callback  # discord.py reads the options from the signature
    signed.__signature__ = inspect.Signature([first, *(signature for signature, _ in parameters)])
    options = {signature.name: option for signature, option in parameters}
    app_commands.describe(**{name: option.description for name, option in options.items()})(signed)
    app_commands.rename(**{name: o.name for name, o in options.items() if o.name})(signed)
    app_commands.choices(**{n: found for n, o in options.items() if (found := _choices(o))})(signed)
    described = declared.description
    command: app_commands.Command[Any, Any, None] = app_commands.Command(
        name=declared.path[-1],
        description=described if isinstance(described, str) else described(game),  # type: ignore[arg-type]  # without a game it is a text
        callback=signed,
    )
    for name, option in options.items():
        if option.suggest is not None:
            command.autocomplete(name)(_suggesting(option.suggest, dispatcher, game))
    return command


def context_menu(declared: Declared, dispatcher: Dispatcher) -> app_commands.ContextMenu:
    """Return a command of a user's context menu that a dispatcher runs."""

    async def callback(interaction: discord.Interaction[Any], user: discord.User) -> None:
        await dispatcher.run(
            interaction,
            lambda reply: declared.callback(reply, user),
            public=_is_public(declared, {}),
        )

    # discord.py looks up the annotation in the globals of this module.
    return app_commands.ContextMenu(name=declared.path[0], callback=callback)


@cache
def _parameters(
    declared: Declared, game: AnyGame | None
) -> Sequence[tuple[inspect.Parameter, Option]]:
    """Return the options of a command: those of its function, then those of the game."""
    function = inspect.signature(declared.callback).parameters
    hints = get_type_hints(declared.callback, include_extras=True)
    skipped = 1 if game is None else 2
    found = []
    for name, parameter in list(function.items())[skipped:]:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        kind, option = get_args(hints[name])
        found.append((_parameter(name, kind, option, parameter.default), option))
    if game is not None:
        found += [
            (_parameter(more.name, more.kind | None, more.option, None), more.option)
            for more in declared.parameters(game)
        ]
    return found


def _parameter(name: str, kind: Any, option: Option, default: Any) -> inspect.Parameter:
    kinds, ranged = {kind, *get_args(kind)}, None
    if not option.choices and int in kinds:
        ranged = app_commands.Range[int, *_bounds(option)]
    elif not option.choices and str in kinds:
        ranged = app_commands.Range[str, option.minimum, _longest(option)]
    if ranged is not None:
        kind = ranged | None if type(None) in kinds else ranged
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _choices(option: Option) -> list[app_commands.Choice[Any]]:
    return [
        app_commands.Choice(name=label, value=value) for value, label in _offered(option).items()
    ]


def _offered(option: Option) -> Mapping[Any, str]:
    return option.choices() if callable(option.choices) else option.choices


def _check(options: Mapping[str, Option], given: Mapping[str, Any]) -> None:
    """Raise Refusal if an option's value is not on offer: discord.py lets any through."""
    for name, option in options.items():
        value, offered = given.get(name), _offered(option)
        if value is None:
            continue
        if offered:
            allowed = value in offered
        elif isinstance(value, str):
            allowed = len(value) <= _longest(option)
        else:
            least, most = _bounds(option)
            allowed = not isinstance(value, int) or least <= value <= most
        if not allowed:
            raise Refusal(CHANGED)


def _bounds(option: Option) -> tuple[int, int]:
    least, most = option.minimum, option.maximum
    return COUNT.minimum if least is None else least, COUNT.maximum if most is None else most


def _longest(option: Option) -> int:
    return MAX_TYPED if option.maximum is None else option.maximum


def _is_public(declared: Declared, given: Mapping[str, Any]) -> bool:
    return declared.public(given) if callable(declared.public) else declared.public


def _suggesting(suggest: Suggest, dispatcher: Dispatcher, game: AnyGame | None) -> Any:
    async def complete(
        interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[Any]]:
        reply = dispatcher.reply(interaction)
        if dispatcher.refusal(reply) is not None:
            return []
        try:
            found = await suggest(reply, str(typed)[:MAX_TYPED], game)
            locale = await reply.locale(public=False)
        except (Refusal, RulesError, StoreError):
            return []
        return [
            app_commands.Choice(name=say_in(locale, label, _MAX_LABEL), value=value)
            for label, value in itertools.islice(found, MAX_SUGGESTIONS)
        ]

    return complete


def digest(described: object) -> str:
    """Return a hash of commands as Discord gets them."""
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
