"""Recomputes what luck did in a record: the seats that were drawn and every throw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import registry
from engine.errors import BadRecord, RulesError
from engine.game import CHANCE, Seat
from engine.luck import Luck, commitment
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.record import Record
    from engine.registry import AnyGame
    from engine.replay import Played


def verify(record: Record) -> tuple[str, ...]:
    """Return every discrepancy as a plain sentence; nothing where all is as it must be.

    Checked are the commitment, the drawn seats, every throw, that the log can be played, and
    the result where the rules give one. Throws and seats need the revealed seed.
    """
    return tuple(_findings(record))


def _findings(record: Record) -> Iterator[str]:
    try:
        game = registry.game(record.game)
        seats = _seats(game, record)
    except RulesError as error:
        yield error.sentence
        return
    luck = _luck(record)
    yield from _seed_findings(record, luck)
    entry: Played[Any, Any] | None = None
    try:
        for entry in replay(game, record.log, dict(record.options), len(seats)):
            yield from _throw_findings(game, entry, luck)
    except RulesError as error:
        yield error.sentence
        return
    if entry is not None:
        yield from _result_findings(game, entry.after, record)


def _seats(game: AnyGame, record: Record) -> tuple[Seat, ...]:
    if record.rules_version != game.rules_version:
        raise BadRecord(
            f"The record follows version {record.rules_version} of the rules of {game.title}, "
            f"but this program knows version {game.rules_version}."
        )
    number = len(record.seats)
    seats = game.seats(number) if number in game.players else ()
    if tuple(game.seat_names[seat] for seat in seats) != record.seats:
        raise BadRecord(f"{game.title} is not played by {', '.join(record.seats)}.")
    return seats


def _luck(record: Record) -> Luck | None:
    if record.seed is None:
        return None
    return Luck(record.seed, record.match, tuple(salt for _, salt in record.salts))


def _seed_findings(record: Record, luck: Luck | None) -> Iterator[str]:
    if luck is None:
        yield "The seed has not been revealed, so neither throws nor seats can be checked."
        return
    if record.commitment is None:
        yield "There is no commitment, so nothing proves that the seed was chosen beforehand."
    elif record.commitment != commitment(luck.seed):
        yield (
            f"The seed is not the one that was committed to: its SHA-256 is "
            f"{commitment(luck.seed)}."
        )
    if not record.drawn:
        return
    if not record.salts:
        yield "The seats were drawn, but the salts are missing, so it cannot be checked."
        return
    entering = [seat for seat, _ in record.salts if seat in record.drawn]
    fair = luck.shuffle("seats", entering)
    if fair != record.drawn:
        told = ", ".join(
            f"the player on {sits} should have had {seat}"
            for seat, sits in zip(record.drawn, fair, strict=True)
            if seat != sits
        )
        yield f"The seats were not dealt as the seed draws them: {told}."


def _throw_findings(game: AnyGame, entry: Played[Any, Any], luck: Luck | None) -> Iterator[str]:
    if luck is None or game.actor(entry.before) is not CHANCE:
        return
    drawn = luck.draw(str(entry.ply), game.odds(entry.before))
    if drawn != entry.move:
        yield (
            f"Throw {entry.ply} reads {game.write(entry.move)}, "
            f"but the seed gives {game.write(drawn)}."
        )


def _result_findings(game: AnyGame, state: Any, record: Record) -> Iterator[str]:
    outcome = game.outcome(state)
    if outcome is None or outcome.ranks == record.ranks:
        return
    ranks = " ".join(
        f"{seat}:{rank}" for seat, rank in zip(record.seats, outcome.ranks, strict=True)
    )
    told = "is not given" if not record.ranks else "is another in the record"
    yield f"By the rules the game ended {ranks}, {outcome.reason}, but the result {told}."
