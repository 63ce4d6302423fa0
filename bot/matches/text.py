"""Text of other messages: lists, links. Imports no Discord library.

The text of boards is in :mod:`bot.matches.board_text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.i18n.mentions import mention, mention_all
from bot.matches.turns import deciding_player
from engine import registry
from engine.phrase import lines, say

if TYPE_CHECKING:
    from data.matches import Match


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
