"""Slash commands, declared as functions that get their reply.

    @command("match verify", say("Prove that nobody chose the throws"))
    async def verify(
        reply: Reply,
        number: Annotated[int, Option(say("The number of the match"), suggest=my_matches)],
    ) -> None: ...

`game_command` declares a command of every game; its function gets the game after the reply.
`install` makes commands of discord.py of all that was declared.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, get_args, get_type_hints

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

from bot.errors import Refusal
from bot.interactions.reply import Reply
from data.errors import StoreError
from engine import registry
from engine.errors import RulesError
from engine.phrase import say, shortened
from engine.registry import AnyGame

if TYPE_CHECKING:
    from bot.interactions.dispatch import Dispatcher

MAX_SUGGESTIONS: Final = 25
_MAX_LABEL: Final = 100

Suggestions: TypeAlias = Iterable[tuple[str, Any]]
"""Pairs of what a person reads and what the command is given."""

Public: TypeAlias = bool | Callable[[Mapping[str, Any]], bool]
"""Whether everyone in the channel sees the answer, or what tells that from the options."""

Suggest: TypeAlias = Callable[[Reply, str, AnyGame | None], Awaitable[Suggestions]]
"""Suggests values for what was typed so far; the game is that of a game's command."""

Offered = TypeVar(
    "Offered",
    app_commands.Command[Any, Any, None],
    app_commands.Group,
    app_commands.ContextMenu,
)
Callback = TypeVar("Callback", bound=Callable[..., Awaitable[None]])


@dataclass(frozen=True)
class Option:
    """One option of a command, as registered with Discord."""

    description: str
    _: KW_ONLY
    name: str | None = None
    """Where it differs from that of the parameter."""
    choices: Mapping[Any, str] | None = None
    """What a person reads, by the value that the command is given."""
    minimum: int | None = None
    maximum: int | None = None
    suggest: Suggest | None = None


@dataclass(frozen=True)
class Parameter:
    """An option that only some games have, and that may be left out."""

    name: str
    kind: Any
    option: Option


@dataclass(frozen=True)
class _Declared:
    """A command as it was declared."""

    path: tuple[str, ...]
    description: str | Callable[[AnyGame], str]
    callback: Callable[..., Awaitable[None]]
    public: Public
    server_only: bool = False
    when: Callable[[AnyGame], bool] = lambda _: True
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: ()


@dataclass(frozen=True)
class _Group:
    description: str
    managers: bool


_COMMANDS: Final[list[_Declared]] = []
_GAME_COMMANDS: Final[list[_Declared]] = []
_CONTEXT_MENUS: Final[list[_Declared]] = []
_GROUPS: Final[dict[str, _Group]] = {}


def group(name: str, description: str, *, managers: bool = False) -> None:
    """Declare a group of commands; ``managers`` restricts it to server managers."""
    _GROUPS[name] = _Group(description, managers)


def command(
    path: str, description: str, *, public: Public = False, server_only: bool = False
) -> Callable[[Callback], Callback]:
    """Declare a command.

    Args:
        path: its name, after that of its group if it has one.
        description: one line.
        public: whether everyone in the channel sees the answer.
        server_only: whether it means nothing outside a server.

    """

    def declare(callback: Callback) -> Callback:
        names = tuple(path.split())
        _COMMANDS.append(_Declared(names, description, callback, public, server_only))
        return callback

    return declare


def game_command(
    name: str,
    description: str | Callable[[AnyGame], str],
    *,
    public: Public = False,
    when: Callable[[AnyGame], bool] = lambda _: True,
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: (),
) -> Callable[[Callback], Callback]:
    """Declare a command of every game, in the group of that game.

    Args:
        name: its name.
        description: one line, or what makes it of the game.
        public: whether everyone in the channel sees the answer.
        when: which games have it.
        parameters: further options, by the game; the function gets them as keywords.

    """

    def declare(callback: Callback) -> Callback:
        _GAME_COMMANDS.append(
            _Declared((name,), description, callback, public, when=when, parameters=parameters)
        )
        return callback

    return declare


def context_menu(name: str, *, public: bool = False) -> Callable[[Callback], Callback]:
    """Declare an entry of a person's context menu; the function gets the person."""

    def declare(callback: Callback) -> Callback:
        _CONTEXT_MENUS.append(_Declared((name,), "", callback, public))
        return callback

    return declare


def install(tree: app_commands.CommandTree[Any], dispatcher: Dispatcher) -> None:
    """Add every declared command to a tree, offered wherever it makes sense."""
    for game in registry.games().values():
        for declared in _GAME_COMMANDS:
            if declared.when(game):
                _game_group(tree, game).add_command(_made(declared, dispatcher, game))
    for declared in _COMMANDS:
        made = _made(declared, dispatcher, None)
        if len(declared.path) == 1:
            tree.add_command(made if declared.server_only else _everywhere(made))
        else:
            _group(tree, declared.path[0]).add_command(made)
    for declared in _CONTEXT_MENUS:
        tree.add_command(_everywhere(_menu(declared, dispatcher)))


def _game_group(tree: app_commands.CommandTree[Any], game: AnyGame) -> app_commands.Group:
    known = tree.get_command(game.slug)
    if isinstance(known, app_commands.Group):
        return known
    # Translators: what a game is, in one line.
    summary = say("{game}: {summary}", game=game.title, summary=game.summary)
    made = app_commands.Group(name=game.slug, description=shortened(summary, _MAX_LABEL))
    tree.add_command(_everywhere(made))
    return made


def _group(tree: app_commands.CommandTree[Any], name: str) -> app_commands.Group:
    known = tree.get_command(name)
    if isinstance(known, app_commands.Group):
        return known
    declared = _GROUPS[name]
    made = app_commands.Group(
        name=name,
        description=declared.description,
        guild_only=declared.managers,
        default_permissions=discord.Permissions(manage_guild=True) if declared.managers else None,
    )
    tree.add_command(made if declared.managers else _everywhere(made))
    return made


def _everywhere(made: Offered) -> Offered:
    """Offer a command in servers, direct messages and groups."""
    made.allowed_installs = AppInstallationType(guild=True, user=True)
    made.allowed_contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    return made


def _made(
    declared: _Declared, dispatcher: Dispatcher, game: AnyGame | None
) -> app_commands.Command[Any, Any, None]:
    parameters = _parameters(declared, game)
    context = () if game is None else (game,)

    async def callback(interaction: discord.Interaction[Any], **given: Any) -> None:
        await dispatcher.run(
            interaction,
            lambda reply: declared.callback(reply, *context, **given),
            public=_is_public(declared, given),
        )

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signed: Any = callback  # discord.py reads the options from the signature
    signed.__signature__ = inspect.Signature([first, *(signature for signature, _ in parameters)])
    options = {signature.name: option for signature, option in parameters}
    app_commands.describe(**{name: option.description for name, option in options.items()})(signed)
    app_commands.rename(**{name: o.name for name, o in options.items() if o.name})(signed)
    app_commands.choices(
        **{
            name: [
                app_commands.Choice(name=label, value=value) for value, label in o.choices.items()
            ]
            for name, o in options.items()
            if o.choices
        }
    )(signed)
    described = declared.description
    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name=declared.path[-1],
        description=described if isinstance(described, str) else described(game),  # type: ignore[arg-type]  # those of no game are texts
        callback=signed,
    )
    for name, option in options.items():
        if option.suggest is not None:
            made.autocomplete(name)(_suggesting(option.suggest, dispatcher, game))
    return made


def _parameters(
    declared: _Declared, game: AnyGame | None
) -> list[tuple[inspect.Parameter, Option]]:
    """Return the options of a command, those of its function and those of the game."""
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
    if option.minimum is not None or option.maximum is not None:
        ranged = app_commands.Range[int, option.minimum, option.maximum]
        kind = ranged | None if type(None) in get_args(kind) else ranged
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _is_public(declared: _Declared, given: Mapping[str, Any]) -> bool:
    public = declared.public
    return public if isinstance(public, bool) else public(given)


def _suggesting(suggest: Suggest, dispatcher: Dispatcher, game: AnyGame | None) -> Any:
    async def complete(
        interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[Any]]:
        try:
            found = await suggest(dispatcher.reply(interaction), str(typed), game)
        except (Refusal, RulesError, StoreError):
            return []
        return [
            app_commands.Choice(name=shortened(label, _MAX_LABEL), value=value)
            for label, value in itertools.islice(found, MAX_SUGGESTIONS)
        ]

    return complete


def _menu(declared: _Declared, dispatcher: Dispatcher) -> app_commands.ContextMenu:
    async def callback(interaction: discord.Interaction[Any], user: discord.User) -> None:
        await dispatcher.run(
            interaction,
            lambda reply: declared.callback(reply, user),
            public=_is_public(declared, {}),
        )

    # discord.py looks the annotation up among the globals of this module.
    return app_commands.ContextMenu(name=declared.path[0], callback=callback)
