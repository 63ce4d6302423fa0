"""Players' moves, made as by a press."""

from __future__ import annotations

from bot.play.matches import endings
from bot.play.matches.positions import Position, may_move
from bot.play.matches.service import Matches


async def play(
    matches: Matches, number: int, user_id: int, text: str, *, ply: int | None = None
) -> Position:
    """Make a player's move if allowed, at the version they saw if that is known."""
    position = await matches.position(number)
    return await matches.play(position, may_move(position, user_id, ply=ply), text)


async def play_on(matches: Matches, position: Position, text: str) -> Position:
    """Make the move of the player to move, in a match as it now is."""
    assert position.to_move is not None
    return await matches.play(position, may_move(position, position.to_move.user_id), text)


async def end(matches: Matches, position: Position, ending: endings.Ending, by: int) -> Position:
    """End a match by a decision of its players, and return it as it then is."""
    async with matches.store.write() as tx:
        await endings.end(tx, position, ending, by=by, at=matches.clock())
    return await matches.position(position.match.id)
