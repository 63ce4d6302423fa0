"""Ends the matches still open when their round is over."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bot.core.errors import MatchOver
from bot.play.matches import endings
from bot.play.matches.begun import hardly_begun
from bot.play.matches.endings import Ending
from bot.play.matches.scoring import ADJUDICATED, STOPPED
from data.puzzles import hints
from data.tasks import computer_tasks
from data.tasks.computer_tasks import Kind

if TYPE_CHECKING:
    from datetime import datetime

    from bot.play.matches.positions import MatchView
    from bot.play.matches.service import Matches
    from data.matches.matches import Player
    from data.store.store import Transaction
    from data.tournaments.tournament_rounds import Game


MARGIN: Final = 0.8
"""Expected result from which the computer's verdict is a win; 1 is certain."""


async def end(
    tx: Transaction,
    matches: Matches,
    game: Game,
    now: datetime,
    *,
    only_absent: bool,
    forced: bool = False,
) -> bool:
    """End a game's match where that applies; return whether it has ended.

    In a match that has hardly begun, the player to move is absent and loses; if its round was ended
    before its time, they are not, and it is void. Any other match is drawn, unless the computer has
    found a side to be winning.

    Args:
        tx: the transaction.
        matches: the matches.
        game: undecided, its match begun.
        now: the current time.
        only_absent: end only matches that have hardly begun.
        forced: whether someone has ended the round before its time.
    """
    assert game.match_id is not None
    view = await matches.view_in(tx, game.match_id)
    if view.match.finished:
        return True
    early = await hardly_begun(tx, view.match)
    if only_absent and not early:
        return False
    loser = view.to_move if early else await _judged(tx, view)
    seat = None if loser is None else loser.seat
    ranks = {player.seat: 1 + (player.seat == seat) for player in view.match.players}
    ending = Ending(ranks, ADJUDICATED, endings.round_over())
    if forced:
        ending = Ending({} if early else ranks, STOPPED, endings.round_stopped())
    with suppress(MatchOver):
        await endings.end(tx, view, ending, by=None, at=now)
    return True


async def ask(tx: Transaction, matches: Matches, game: Game, now: datetime, *, again: bool) -> bool:
    """Have the computer judge a game's match; return whether to wait for its verdict.

    It is asked only once, even if it finds no verdict or the match continues meanwhile. If it has
    not found one when asked ``again``, the question waits among those of players from then on:
    however busy the computers are, its turn comes.
    """
    assert game.match_id is not None
    view = await matches.view_in(tx, game.match_id)
    of_two = len(view.match.players) == 2
    if view.match.finished or not of_two or await hardly_begun(tx, view.match):
        return False
    if await hints.of(tx, view.match.id, view.version) is not None:
        return False
    name = f"{view.match.id}:{view.version}"
    if again and not await computer_tasks.task_exists(tx, Kind.HINT, name):
        return False
    asker = 0 if view.to_move is None else max(0, view.to_move.user_id)
    await computer_tasks.put(
        tx,
        Kind.HINT,
        name,
        now,
        match_id=view.match.id,
        requester=(view.match.guild_id or 0, asker),
        urgent=again,
    )
    return True


async def _judged(tx: Transaction, view: MatchView) -> Player | None:
    """Return the loser of a two-player match if the computer's verdict is known and clear."""
    found = await hints.of(tx, view.match.id, view.version)
    mover = view.to_move
    if found is None or mover is None or len(view.match.players) != 2:
        return None
    if found["expected"] <= 1 - MARGIN:
        return mover
    other = next(player for player in view.match.players if player.seat != mover.seat)
    return other if found["expected"] >= MARGIN else None
