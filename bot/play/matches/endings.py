"""How matches end other than by the rules of their game.

The match ends when all players but one have resigned or run out of time; the one left wins. But
if any player has not had two turns yet, it is void: too little was played to lose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from bot.core.errors import OldBoard, Refusal
from bot.core.hooks import on_match_ended, on_match_voided
from bot.core.i18n.mentions import slash
from bot.play.matches import computer_players, jobs
from bot.play.matches.computer_players import final_ranks
from bot.play.matches.positions import Position, arrived, over
from bot.play.matches.scoring import leaving
from data import locks
from data.matches import absences, clocks, matches
from data.matches.match import Finished, Match, MatchClock, Player
from data.store.store import Transaction
from engine.game import Outcome
from engine.phrase import Phrase, say


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ends."""

    ranks: Mapping[int, int]
    """By seat, for every seat; empty for a void match: no result, nothing counted."""
    word: str
    """resigned, agreed, forfeited, aborted, voided, ended, adjudicated or stopped."""
    reason: str
    """The reason, in a few words."""
    early: str | None = None
    """The reason if the match is void as hardly begun; ``None`` if that is irrelevant."""
    leaver: int | None = None
    """The user responsible if it is void."""
    promised_void: bool = False
    """Whether that user was told that nothing would be counted."""


How: TypeAlias = Literal["resigned", "forfeited", "left"]
"""How a player gives up: by resigning, by running out of time, or by leaving the server."""
_WHY: Final = "\0"
"""Placeholder for a moderator's words; it cannot be typed."""


def lost(position: Position, loser: Player, how: How, *, promised_void: bool = False) -> Ending:
    """Return the ending when a player gives up or runs out of time."""
    word = "forfeited" if how == "forfeited" else "resigned"
    reasons = _reasons(position.seat_names[loser.seat])
    ranks = {p.seat: 2 if p.seat == loser.seat else 1 for p in position.match.players}
    early = reasons[f"{word}-early"]
    return Ending(ranks, word, reasons[word], early, loser.user_id, promised_void)


def may_agree(position: Position) -> bool:
    """Return whether the players may agree on a draw."""
    return not position.practice and (
        position.game.agreed_draw is not None or bool(position.match.given_up)
    )


def agreed(position: Position) -> Ending:
    """Return the ending for an agreed draw."""
    return Ending({p.seat: 1 for p in position.match.players}, "agreed", say("draw agreed"))


def aborted(position: Position, late: Player) -> Ending:
    """Return the ending without a result because a player is late."""
    reason = _reasons(position.seat_names[late.seat])["forfeited"]
    return Ending({}, "aborted", reason, leaver=late.user_id)


def decided(reason: str) -> Phrase:
    """Return the reason for an ending by a moderator, including their explanation."""
    if not reason:
        return say("decided by a moderator")
    return say("decided by a moderator ({reason})", reason=reason)


def round_over() -> Phrase:
    """Return the reason for an ending at the close of a tournament round."""
    return say("the round was over")


def round_stopped() -> Phrase:
    """Return the reason for an ending as someone ends a tournament round by hand."""
    return say("the round was ended by hand")


def server_left() -> Phrase:
    """Return the reason for the endings in a server that the bot's owner has it leave."""
    return say("I'm leaving this server")


def known_reason(position: Position) -> Phrase | None:
    """Return the translatable reason for an ending; ``None`` if it is not a known one."""
    ending, stored = position.match.ending, position.match.reason or ""
    if ending == "adjudicated":
        return round_over()
    if ending == "stopped":
        return round_stopped()
    if ending in {"voided", "ended"}:
        before, after = decided(_WHY).split(_WHY)
        if stored.startswith(before) and stored.endswith(after):
            return decided(stored[len(before) : -len(after)])
        return next((one for one in (decided(""), server_left()) if one == stored), None)
    known = (reason for seat in position.seat_names.values() for reason in _reasons(seat).values())
    return next((reason for reason in known if reason == stored), None)


def forfeiter(position: Position) -> Player | None:
    """Return who left a game of a tournament or ladder for two before it had really begun.

    The game is void and unrated, but its points go to the opponent; see `scoring.decided`.
    """
    match = position.match
    if match.ending != "aborted" or not match.competition or len(match.players) != 2:
        return None
    for player in match.players:
        reasons = _reasons(position.seat_names[player.seat])
        if match.reason in (reasons["resigned-early"], reasons["forfeited-early"]):
            return player
    return None


def _reasons(seat: str) -> dict[str, Phrase]:
    """Return why a seat may lose, also before everyone had two turns."""
    return {
        "resigned": say("{seat} resigned", seat=seat),
        "resigned-early": say("{seat} resigned before everyone had two turns", seat=seat),
        "forfeited": say("{seat} ran out of time", seat=seat),
        "forfeited-early": say("{seat} ran out of time before everyone had two turns", seat=seat),
    }


async def by_rules(tx: Transaction, match: Match, outcome: Outcome, at: datetime) -> None:
    """End a match by the rules of its game."""
    ranks = _ranks(match, outcome.ranks)
    await matches.finish(tx, match.id, ranks=ranks, reason=outcome.reason, at=at)
    await _ended(tx, match.id, at)


def _ranks(match: Match, ranks: Sequence[int]) -> dict[int, int]:
    """Return the final ranks by seat; players who gave up come last."""
    final = final_ranks(match.players, ranks)
    return {player.seat: rank for player, rank in zip(match.players, final, strict=True)}


async def end(
    tx: Transaction,
    before: Position,
    ending: Ending,
    *,
    by: int | None,
    at: datetime,
    ply: int | None = None,
    clock: MatchClock | None = None,
) -> None:
    """End a match by a decision or for lack of one, and queue its announcement.

    ``before`` is the match when the decision was made, ``ply`` its version then, ``clock`` the one
    that ran out, if that is the reason; ``by`` the user responsible, ``None`` for the clock. Raises
    MatchOver if the match has already ended, and OldBoard if it has gone on since ``ply``, or its
    deadline is no longer ``clock``, and Refusal if it would count as a loss, though the player was
    promised it would not.
    """
    number = before.match.id
    # The lock keeps the match unchanged from here on.
    await locks.lock_match(tx, number)
    if ending.leaver is not None:
        ending = await _void_or_lost(tx, before.match, ending, ending.leaver, at)
    match = await matches.get_existing(tx, number)
    ranks = [ending.ranks[player.seat] for player in match.players] if ending.ranks else []
    try:
        await matches.finish(
            tx,
            number,
            ranks=_ranks(match, ranks) if ranks else {},
            reason=str(ending.reason),
            at=at,
            ending=ending.word,
            ended_by=by,
        )
    except Finished as error:
        raise over(number) from error
    await check(tx, match, ply, clock)
    await clocks.remove(tx, number)
    await _ended(tx, number, at)
    await jobs.show(tx, match, by, at, ended=True)


async def _void_or_lost(
    tx: Transaction, match: Match, ending: Ending, leaver: int, at: datetime
) -> Ending:
    """Return how the match ends for its leaver, and record the abort if it had hardly begun."""
    what = await leaving(tx, match, leaver, at)
    if ending.ranks and not what.void:
        if ending.promised_void:
            raise Refusal(
                say(
                    "Match #{number} counts now, so resigning is a loss. To be asked again, use "
                    "`{command}`.",
                    number=match.id,
                    command=slash(match.game, "resign"),
                )
            )
        return ending
    if what.hardly_begun and not what.practice:
        await absences.add_abort(tx, leaver, match.id, at)
    return Ending({}, "aborted", ending.early or ending.reason)


async def check(tx: Transaction, match: Match, ply: int | None, clock: MatchClock | None) -> None:
    """Raise OldBoard if the version or deadline changed since the decision."""
    moved = ply is not None and match.version != ply
    running = await clocks.of(tx, match.id)
    if clock is not None and (moved or running is None or running.due_at != clock.due_at):
        raise arrived(match.id)
    if moved:
        words = say("A move has been made since then, so the offer has lapsed.")
        raise OldBoard(words, match_id=match.id)


async def _ended(tx: Transaction, match_id: int, at: datetime) -> None:
    match = await matches.get_existing(tx, match_id)
    for follow in on_match_ended:
        await follow(tx, match, at)


@on_match_ended(order=30)
async def _announce(tx: Transaction, match: Match, at: datetime) -> None:
    await computer_players.queue_move(tx, match, None, at)
    await matches.show_result(tx, match, at)


async def void(
    tx: Transaction, match_id: int, *, reason: str, by: int, at: datetime
) -> Match | None:
    """Take back the result of a finished match, queue its announcement, and return the voided match.

    ``None`` if it is ongoing, already void or does not exist.
    """
    await locks.lock_match(tx, match_id)
    match = await matches.get(tx, match_id)
    if match is None or not match.finished or match.ending == "voided":
        return None
    for undo in on_match_voided:
        await undo(tx, match, at)
    voided = await matches.void(tx, match_id, reason=reason, by=by)
    assert voided is not None, "the match is locked"
    await jobs.put(tx, voided, f"m{match_id}void", at)
    await matches.show_result(tx, voided, at)
    return voided
