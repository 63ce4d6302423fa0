"""Players' moves, made as by a press."""

from __future__ import annotations

from bot.play.matches.positions import MatchView, may_move
from bot.play.matches.service import Matches


async def play(
    matches: Matches, number: int, user_id: int, text: str, *, ply: int | None = None
) -> MatchView:
    """Make a player's move if allowed, at the version they saw if that is known."""
    view = await matches.view(number)
    return await matches.play(view, may_move(view, user_id, ply=ply), text)


async def play_on(matches: Matches, view: MatchView, text: str) -> MatchView:
    """Make the move of the player to move, in a match as it now is."""
    assert view.to_move is not None
    return await matches.play(view, may_move(view, view.to_move.user_id), text)
