"""Rules in messages: quoted, as the reason of a refusal, or all of a game's."""

from __future__ import annotations

from collections.abc import Sequence

from engine.phrase import glued, lines, say
from engine.registry import AnyGame
from engine.rule import Rule


def illegal(rule: Rule, sentence: str, squares: Sequence[str]) -> str:
    """Return why a move is illegal: the reason with all its squares, and the rule it breaks."""
    unnamed = [square for square in squares if square not in sentence]
    where = f" ({', '.join(unnamed)})" if unnamed else ""
    return lines((glued(sentence, where), glued("> ", quoted(rule))))


def quoted(rule: Rule) -> str:
    """Return a rule quoted by name."""
    return say("**Rule {name}.** {sentence}", name=rule.name, sentence=rule.sentence)


def rules_pages(game: AnyGame, limit: int = 2600) -> tuple[str, ...]:
    """Return a game's rules as pages of at most ``limit`` characters in English.

    The limit leaves room for longer languages.
    """
    pages: list[str] = []
    page = [say("### The rules of {game}", game=game.title), game.summary]
    for document in game.documents:
        page.append(f"**{document.title}**")
        for rule in game.rules:
            if rule.document != document.key:
                continue
            line = glued(f"**{rule.name}** ", rule.sentence)
            if len("\n".join(page)) + 1 + len(line) > limit:
                pages.append(lines(page))
                page = []
            page.append(line)
    return (*pages, lines(page))
