"""Finds words that came from no catalogue in texts of the bracketed language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine import registry
from engine.registry import AnyGame
from tests.pseudolocale import CLOSE, OPEN

_PASSED = re.compile(
    r"```.*?```"  # seeds and boards
    r"|(?:https?|attachment)://[^\s⟦⟧]+"
    r"|\b[0-9a-f]{32,}\b|\b[0-9a-f]{8}\|\|[0-9a-f]{24,}\|\|"  # a fingerprint, whole or folded
    r"|<@\d+>|<#\d+>|<t:\d+(?::\w)?>|</[^>]+>",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+(?:[^\W\d_]|['’-])*")
_NOTATION = re.compile(r"\b[a-l]\d+\b", re.IGNORECASE)


def _names(game: AnyGame) -> Iterator[str]:
    """Yield words that are the same in every language: titles of games, documents and rules."""
    yield from (game.title, game.slug)
    for words in (*(d.title for d in game.documents), *(rule.name for rule in game.rules)):
        yield from _WORD.findall(words)


def untranslated_words(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    """Return the words outside all brackets.

    Args:
        text: a text in the bracketed language.
        known: words allowed outside, such as a game's notation.
    """
    outside, depth = [], 0
    for letter in _PASSED.sub(" ", text):
        depth += (letter == OPEN) - (letter == CLOSE)
        assert depth >= 0, text
        if depth == 0 and letter != CLOSE:
            outside.append(letter)
        elif depth:
            outside.append(" ")
    titles = {word for game in registry.games().values() for word in _names(game)}
    left = _NOTATION.sub(" ", "".join(outside))
    return [word for word in _WORD.findall(left) if word not in titles | known]
