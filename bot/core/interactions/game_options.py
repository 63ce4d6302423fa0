"""Command options that come from a game: players, rules and seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bot.core.interactions.commands import Option, Parameter
from engine import registry
from engine.luck import MAX_WORD
from engine.phrase import say, shortened
from engine.registry import AnyGame

_MAX_DESCRIPTION: Final = 100


def game_option(description: str) -> Option:
    """Return an option that takes a game."""
    # Built for each tree, not at import: games may be dropped in.
    return Option(
        description,
        choices=lambda: {game.slug: game.title for game in registry.games().values()},
    )


def game_parameters(game: AnyGame, players: str) -> list[Parameter]:
    """Return the options of a command that starts a match, including a word for its luck.

    Args:
        game: the game.
        players: describes the number of players, in games that leave a choice.

    """
    found = []
    if len(game.players) > 1:
        number = Option(players, minimum=game.players[0], maximum=game.players[-1])
        found.append(Parameter("players", int, number))
    for option in game.options:
        summary = shortened(option.summary, _MAX_DESCRIPTION)
        found.append(Parameter(option.name, str, _one_of(summary, option.values)))
    seat = say("Your side (random if empty)")
    found.append(Parameter("seat", str, _one_of(seat, game.seat_names)))
    if game.has_luck:
        word = Option(say("Your own word for the throws"), maximum=MAX_WORD)
        found.append(Parameter("word", str, word))
    return found


def options_in(game: AnyGame, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the game's options that were given."""
    names = [option.name for option in game.options]
    return {name: given[name] for name in names if given[name] is not None}


def seat_in(game: AnyGame, given: Mapping[str, Any]) -> int | None:
    """Return the requested seat, if any."""
    seat = given["seat"]
    return None if seat is None else game.seat_names.index(seat)


def word_in(given: Mapping[str, Any]) -> str:
    """Return the word given for the throws; empty for none."""
    return given.get("word") or ""


def _one_of(description: str, values: Iterable[str]) -> Option:
    return Option(description, choices={value: value for value in values})
