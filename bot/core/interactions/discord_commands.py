"""Declared commands as commands of discord.py: their options, choices and suggestions."""

from __future__ import annotations

import inspect
import itertools
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

import discord
from discord import app_commands

from bot.core.errors import Refusal
from bot.core.interactions.commands import MAX_SUGGESTIONS, MAX_TYPED, Option
from bot.core.interactions.errors import CHANGED
from bot.core.interactions.rendering import say_in
from bot.core.numbers import COUNT
from data.sql.errors import StoreError
from engine.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.core.interactions.commands import Declared, Suggest
    from bot.core.interactions.dispatch import Dispatcher
    from bot.core.interactions.reply import Reply
    from engine.registry import AnyGame

_MAX_LABEL: Final = 100


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

        await dispatcher.run(interaction, run, public=_is_public(declared, given))

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
    ranged: Any = None
    if option.choices:
        pass
    elif int in {kind, *get_args(kind)}:
        ranged = app_commands.Range[int, *_bounds(option)]
    elif str in {kind, *get_args(kind)}:
        ranged = app_commands.Range[str, option.minimum, _longest(option)]
    if ranged is not None:
        kind = ranged | None if type(None) in get_args(kind) else ranged
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
    """Return the smallest and largest number that an option takes."""
    least, most = option.minimum, option.maximum
    return COUNT.minimum if least is None else least, COUNT.maximum if most is None else most


def _longest(option: Option) -> int:
    """Return the most characters that a text option takes."""
    return MAX_TYPED if option.maximum is None else option.maximum


def _is_public(declared: Declared, given: Mapping[str, Any]) -> bool:
    public = declared.public
    return public if isinstance(public, bool) else public(given)


def _suggesting(suggest: Suggest, dispatcher: Dispatcher, game: AnyGame | None) -> Any:
    async def complete(
        interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[Any]]:
        reply = dispatcher.reply(interaction)
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
