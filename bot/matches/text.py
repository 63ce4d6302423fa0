"""Text of other messages: rules, lists, refusals, links. Imports no Discord library.

The text of boards is in :mod:`bot.matches.board_text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.i18n.mentions import mention, mention_all
from bot.matches.turns import deciding_player
from engine import registry
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from data.matches import Match
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


def match_line(match: Match, user_id: int, link: str | None) -> str:
    """Return one line of a list of a player's matches."""
    mover = deciding_player(match)
    if mover is None:
        turn = say("over")
    elif mover.user_id == user_id:
        turn = say("**your turn**")
    else:
        turn = say("{player}'s turn", player=mention(mover.user_id))
    words = say(
        "#{number} {game} against {others}",
        number=match.id,
        game=registry.game(match.game).title,
        others=mention_all(p.user_id for p in match.players if p.user_id != user_id),
    )
    place = [say("[board]({link})", link=link)] if link else []
    return lines((words, turn, *place), " · ")


def message_link(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return the link to a message."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"
