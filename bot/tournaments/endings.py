"""Ends the matches that are open when their round is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import MatchOver
from bot.matches import endings
from bot.matches.begun import hardly_begun
from bot.matches.endings import Ending
from bot.tournaments.results import ADJUDICATED

if TYPE_CHECKING:
    from datetime import datetime

    from bot.matches.service import Matches
    from data.store import Transaction
    from data.tournament_rounds import Game


async def end(
    tx: Transaction, matches: Matches, game: Game, now: datetime, *, only_absent: bool
) -> bool:
    """End the match of a game, if it is to be ended; return whether it has ended.

    In a match that has hardly begun, who is to move has not come and loses. Every other one is drawn.

    Args:
        tx: the transaction.
        matches: the matches.
        game: not decided; its match has begun.
        now: the present moment.
        only_absent: whether only a match is ended that has hardly begun.

    """
    assert game.match_id is not None
    seen = await matches.view_in(tx, game.match_id)
    if seen.match.finished:
        return True
    mover = seen.to_move
    early = await hardly_begun(tx, seen.match)
    if only_absent and not early:
        return False
    late = mover.seat if early and mover is not None else None
    ranks = {player.seat: 1 + (player.seat == late) for player in seen.match.players}
    ending = Ending(ranks, ADJUDICATED, endings.round_over())
    try:
        await endings.end(tx, seen, ending, by=None, at=now)
    except MatchOver:
        return True
    return True
