"""Rules and options of a game typed on one line, like ``rules=bell end=both-done``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bot.core.errors import BadInput
from bot.play.matches.story import option_words
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.phrase import Phrase
    from engine.registry import AnyGame

MAX_TYPED: Final = 100
"""Maximum length of a suggestion on Discord."""
_BETWEEN: Final = re.compile(r"[\s,;]+")


def read(game: AnyGame, typed: str) -> dict[str, str]:
    """Parse typed options.

    Raises:
        BadInput: a part isn't of the form ``name=value``.
        BadOption: the game has no such option or value.

    """
    chosen = {}
    for part in filter(None, _BETWEEN.split(typed.lower())):
        name, sign, value = part.partition("=")
        if not sign:
            raise BadInput(
                say(
                    "“{part}” isn't an option. Write a name and a value, for example `{example}`, "
                    "or pick one of the suggestions.",
                    part=part,
                    example=_example(game),
                )
            )
        chosen[name] = value
    game.settle(chosen)
    return chosen


def suggestions(game: AnyGame, typed: str) -> Iterator[tuple[str, str]]:
    """Yield possible completions: the label, and the whole line."""
    parts = list(filter(None, _BETWEEN.split(typed.lower())))
    known = {option.name: option.values for option in game.options}
    chosen: dict[str, str] = {}
    while parts:
        name, _, value = parts[0].partition("=")
        if value not in known.get(name, ()):
            break
        chosen[name] = value
        del parts[0]
    if chosen and not parts:
        yield _words(game, chosen), written(chosen)
    begun = " ".join(parts)
    settled = game.settle(chosen)
    for option in game.options:
        for value in option.values:
            added = {**chosen, option.name: value}
            whole = written(added)
            fits = f"{option.name}={value}".startswith(begun) or begun in value
            new = option.name not in chosen and value != settled[option.name]
            if new and fits and len(whole) <= MAX_TYPED:
                yield _words(game, added), whole


def written(chosen: Mapping[str, str]) -> str:
    """Write options on one line, as `read` parses them."""
    return " ".join(f"{name}={value}" for name, value in chosen.items())


def _words(game: AnyGame, chosen: Mapping[str, str]) -> Phrase:
    known = {option.name: option for option in game.options}
    return lines((option_words(known[name], value) for name, value in chosen.items()), " · ")


def _example(game: AnyGame) -> str:
    """Return one of the game's options with a value other than its default."""
    for option in game.options:
        for value in option.values:
            if value != option.default:
                return f"{option.name}={value}"
    return "rules=…"
