"""How matches end other than by the rules of their games.

Whoever gives up or lets the time run out has lost, and the others share the first place. But a
match in which somebody never made two moves is void: nobody has lost what had hardly begun.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bot import jobs
from bot.refusals import MatchOver, NoSuchMatch, OldBoard
from data import clocks, errors, matches
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bot.positions import MatchView
    from data.clocks import Clock
    from data.matches import Match, Player
    from data.outbox import Job
    from data.store import Transaction

HARDLY_BEGUN: Final = 2
"""A match in which some seat has made fewer moves than this is void, not lost."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match is to end."""

    ranks: Mapping[int, int]
    """By seat, for every seat; empty makes it void: no result, nothing is counted."""
    word: str
    """resigned, agreed, forfeited, aborted, voided or ended."""
    reason: str
    """Why, in a few words."""


async def hardly_begun(tx: Transaction, match: Match) -> bool:
    """Return whether somebody has not made two moves yet."""
    made = await matches.decisions(tx, match.id)
    return any(made.get(player.seat, 0) < HARDLY_BEGUN for player in match.players)


async def lost(
    tx: Transaction, view: MatchView, loser: Player, how: Literal["resigned", "forfeited"]
) -> Ending:
    """Return how a match ends that a player gives up or lets run out of time."""
    seat = view.seat_name(loser.seat)
    resigned = how == "resigned"
    if await hardly_begun(tx, view.match):
        why = (
            say("{seat} resigned before everybody had made two moves", seat=seat)
            if resigned
            else say("the time of {seat} was over before everybody had made two moves", seat=seat)
        )
        return Ending({}, "aborted", why)
    ranks = {p.seat: 2 if p.seat == loser.seat else 1 for p in view.match.players}
    why = (
        say("{seat} resigned", seat=seat)
        if resigned
        else say("the time of {seat} was over", seat=seat)
    )
    return Ending(ranks, how, why)


async def end(
    tx: Transaction,
    match_id: int,
    ending: Ending,
    *,
    by: int | None,
    at: datetime,
    ply: int | None = None,
    fits: Callable[[Clock], bool] | None = None,
) -> Job:
    """End a match in a transaction, and have its channel told by the job that is returned.

    Args:
        tx: the transaction.
        match_id: which match.
        ending: how.
        by: whose doing that is; ``None`` for the clock.
        at: the present moment.
        ply: the turn that was decided upon, where known.
        fits: tells whether the clock is still as it has to be for this.

    Raises:
        NoSuchMatch: no match of that number.
        MatchOver: it has ended before.
        OldBoard: it has gone on since ``ply``, or its clock does not fit.

    """
    try:
        # This takes the lock of the match: what is read afterwards does not change any more.
        await matches.finish(
            tx,
            match_id,
            ranks=ending.ranks,
            reason=str(ending.reason),
            at=at,
            ending=ending.word,
            ended_by=by,
        )
    except errors.Finished as error:
        raise MatchOver(f"Match #{match_id} is over already.", match_id=match_id) from error
    except LookupError as error:
        raise NoSuchMatch(f"There is no match #{match_id}.") from error
    match = await matches.get(tx, match_id)
    assert match is not None
    clock = await clocks.remove(tx, match_id)
    moved = ply is not None and match.plies != ply
    if fits is not None and (moved or clock is None or not fits(clock)):
        raise OldBoard(
            say("The move has come meanwhile, so match {match} goes on.", match=f"#{match_id}"),
            match_id=match_id,
        )
    if moved:
        raise OldBoard("A move was made since: the offer has lapsed.", match_id=match_id)
    return await jobs.show(tx, match, by, at, ended=True)
