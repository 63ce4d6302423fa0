"""What all other messages say: challenges, rules, lists, refusals. Knows no Discord library.

What a board says stands in :mod:`bot.present`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.positions import MatchView
    from data.standings import Standing
    from engine.game import Rule
    from engine.registry import AnyGame


def illegal(rule: Rule, sentence: str, squares: Sequence[str]) -> str:
    """Return why a move is not legal: the reason with all its squares, and the rule it breaks."""
    unnamed = [square for square in squares if square not in sentence]
    where = f" ({', '.join(unnamed)})" if unnamed else ""
    return f"{sentence}{where}\n> **Rule {rule.name}.** {rule.sentence}"


def rules_pages(game: AnyGame, most: int = 3500) -> tuple[str, ...]:
    """Return all rules of a game as pages of at most so many characters."""
    pages: list[str] = []
    page = f"### The rules of {game.title}\n{game.summary}\n"
    for document in game.documents:
        page += f"**{document.title}**\n"
        for rule in game.rules:
            if rule.document != document.key:
                continue
            line = f"**{rule.name}** {rule.sentence}\n"
            if len(page) + len(line) > most:
                pages.append(page)
                page = ""
            page += line
    return (*pages, page)


def standings(rows: Iterable[tuple[int, Standing]]) -> str:
    """Return a table of standings, a line each: place, player, won, drawn, lost."""
    return "\n".join(
        f"{place}. <@{row.user_id}> · {row.won} won · {row.drawn} drawn · {row.lost} lost"
        for place, row in rows
    )


def match_line(view: MatchView, user_id: int, link: str | None) -> str:
    """Return one match in a list of a player's matches."""
    others = ", ".join(f"<@{p.user_id}>" for p in view.match.players if p.user_id != user_id)
    mover = view.to_move
    if mover is None:
        turn = "over"
    elif mover.user_id == user_id:
        turn = "**your turn**"
    else:
        turn = f"<@{mover.user_id}> is to move"
    place = f" · [board]({link})" if link else ""
    return f"#{view.match.id} {view.game.title} against {others} · {turn}{place}"


def message_link(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return the address of a message."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"
