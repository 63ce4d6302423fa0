"""Players' moves, made as by a press."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.turns import may_move

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches


async def play(
    matches: Matches, number: int, user_id: int, text: str, *, ply: int | None = None
) -> MatchView:
    """Make a player's move if allowed, at the version they saw if that is known."""
    view = await matches.view(number)
    return await matches.play(view, may_move(view, user_id, ply=ply), text)
