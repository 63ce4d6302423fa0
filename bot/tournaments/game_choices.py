"""The rules and options of a game as somebody types them in one line: ``rules=bell end=both-done``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bot.errors import BadInput
from bot.matches.story import option_words
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.phrase import Phrase
    from engine.registry import AnyGame

MAX_TYPED: Final = 100
"""Characters of a suggestion that Discord takes."""
_BETWEEN: Final = re.compile(r"[\s,;]+")


def read(game: AnyGame, typed: str) -> dict[str, str]:
    """Return the options that were typed.

    Raises:
        BadInput: it is no line of options.
        BadOption: the game has no such option, or it cannot have that value.

    """
    chosen = {}
    for part in filter(None, _BETWEEN.split(typed.lower())):
        name, sign, value = part.partition("=")
        if not sign:
            raise BadInput(
                say(
                    "“{part}” is no option. Write a name and a value, for example `{example}`, or "
                    "pick one of the suggestions.",
                    part=part,
                    example=_example(game),
                )
            )
        chosen[name] = value
    game.settle(chosen)
    return chosen


def suggestions(game: AnyGame, typed: str) -> Iterator[tuple[str, str]]:
    """Yield what can be added to what was typed: the words for it, and the whole line."""
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
    """Return options in one line, as `read` takes them."""
    return " ".join(f"{name}={value}" for name, value in chosen.items())


def _words(game: AnyGame, chosen: Mapping[str, str]) -> Phrase:
    known = {option.name: option for option in game.options}
    return lines((option_words(known[name], value) for name, value in chosen.items()), " · ")


def _example(game: AnyGame) -> str:
    """Return an option of the game with a value that it does not have by itself."""
    for option in game.options:
        for value in option.values:
            if value != option.default:
                return f"{option.name}={value}"
    return "rules=…"
