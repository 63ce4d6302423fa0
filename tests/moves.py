"""Players' moves, made as by a press."""

from __future__ import annotations

from bot.play.matches import endings
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


async def end(matches: Matches, view: MatchView, ending: endings.Ending, by: int) -> MatchView:
    """End a match by a decision of its players, and return it as it then is."""
    async with matches.store.write() as tx:
        await endings.end(tx, view, ending, by=by, at=matches.clock())
    return await matches.view(view.match.id)
