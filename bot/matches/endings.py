"""How matches end other than by the rules of their games.

Whoever gives up or lets the time run out has lost, and the others share the first place. But a
match in which somebody never made two moves is void: nobody has lost what had hardly begun.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bot.delivery import jobs
from bot.errors import MatchOver, NoSuchMatch, OldBoard
from bot.matches import thinking
from bot.matches.begun import hardly_begun
from bot.ratings import service as ratings_service
from data import clocks, matches
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bot.matches.positions import MatchView
    from data.clocks import MatchClock
    from data.matches import Match, Player
    from data.outbox import Job
    from data.store import Transaction
    from engine.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match is to end."""

    ranks: Mapping[int, int]
    """By seat, for every seat; empty makes it void: no result, nothing is counted."""
    word: str
    """resigned, agreed, forfeited, aborted, voided or ended."""
    reason: str
    """Why, in a few words."""


async def lost(
    tx: Transaction, view: MatchView, loser: Player, how: Literal["resigned", "forfeited"]
) -> Ending:
    """Return how a match ends that a player gives up or lets run out of time."""
    seat = view.seat_names[loser.seat]
    resigned = how == "resigned"
    if await hardly_begun(tx, view.match):
        return Ending({}, "aborted", _resigned_early(seat) if resigned else _late_early(seat))
    ranks = {p.seat: 2 if p.seat == loser.seat else 1 for p in view.match.players}
    return Ending(ranks, how, _resigned(seat) if resigned else _late(seat))


def aborted(view: MatchView, late: Player) -> Ending:
    """Return how a match ends without a result because a player is late."""
    return Ending({}, "aborted", _late(view.seat_names[late.seat]))


def decided(why: str) -> Phrase:
    """Return the reason of an ending that a moderator decided, with what they say of it."""
    if not why:
        return say("decided by a moderator")
    return say("decided by a moderator ({reason})", reason=why)


def known_reason(view: MatchView) -> Phrase | None:
    """Return the reason of an ending as it can be said in every language, where it is known."""
    if view.match.ending in {"voided", "ended"}:
        return _known_decision(view.match.reason or "")
    for player in view.match.players:
        seat = view.seat_names[player.seat]
        for reason in (_resigned, _resigned_early, _late, _late_early):
            if reason(seat) == view.match.reason:
                return reason(seat)
    return None


def _known_decision(reason: str) -> Phrase | None:
    """Return what `decided` made, from its English words in the store."""
    if reason == decided(""):
        return decided("")
    before, after = decided(_WHY).split(_WHY)
    if not (reason.startswith(before) and reason.endswith(after)):
        return None
    return decided(reason[len(before) : -len(after)])


_WHY: Final = "\0"
"""Placeholder for a moderator's words; it cannot be typed."""


def _resigned(seat: str) -> Phrase:
    return say("{seat} resigned", seat=seat)


def _resigned_early(seat: str) -> Phrase:
    return say("{seat} resigned before everybody had made two moves", seat=seat)


def _late(seat: str) -> Phrase:
    return say("the time of {seat} was over", seat=seat)


def _late_early(seat: str) -> Phrase:
    return say("the time of {seat} was over before everybody had made two moves", seat=seat)


async def follow_up(tx: Transaction, match: Match, at: datetime, *, void: bool = False) -> None:
    """Do what follows from the end of a match: ratings and computer tasks.

    Whatever ends a match calls this in the transaction that ends it, after `data.matches.finish`.
    Parts that react after the commit listen to `data.matches.ENDED`.
    """
    await ratings_service.rate(tx, match.id)
    await thinking.ended(tx, match, at, void=void)


async def end(
    tx: Transaction,
    match_id: int,
    ending: Ending,
    *,
    by: int | None,
    at: datetime,
    ply: int | None = None,
    fits: Callable[[MatchClock], bool] | None = None,
) -> Job:
    """End a match in a transaction, and have its channel told by the job that is returned.

    Args:
        tx: the transaction.
        match_id: which match.
        ending: how.
        by: whose doing that is; ``None`` for the clock.
        at: the present moment.
        ply: the version that was decided upon, where known.
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
    except matches.Finished as error:
        over = say("Match #{number} is over already.", number=match_id)
        raise MatchOver(over, match_id=match_id) from error
    except LookupError as error:
        raise NoSuchMatch(say("There is no match #{number}.", number=match_id)) from error
    match = await matches.get(tx, match_id)
    assert match is not None
    clock = await clocks.remove(tx, match_id)
    moved = ply is not None and match.version != ply
    if fits is not None and (moved or clock is None or not fits(clock)):
        raise OldBoard(
            say("The move has come meanwhile, so match {match} goes on.", match=f"#{match_id}"),
            match_id=match_id,
        )
    if moved:
        raise OldBoard(say("A move was made since: the offer has lapsed."), match_id=match_id)
    await follow_up(tx, match, at, void=not ending.ranks)
    return await jobs.show(tx, match, by, at, ended=True)
