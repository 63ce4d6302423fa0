"""Recomputes the luck of a record: the drawn seats and every throw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine import registry
from engine.errors import BadRecord, RulesError
from engine.game import CHANCE, Seat
from engine.luck import Luck, commitment, derived
from engine.phrase import lines, say
from engine.placing import placed
from engine.record import Record
from engine.registry import AnyGame
from engine.replay import Played, replay


def verify(record: Record) -> tuple[str, ...]:
    """Return every discrepancy as a sentence, a phrase; empty if everything is correct.

    The log is replayed and the result compared where the rules give one. In a game with luck, the
    commitment, the drawn seats and every throw are checked too, which needs the seed.
    """
    return tuple(_findings(record))


def _findings(record: Record) -> Iterator[str]:
    try:
        game = registry.game(record.game)
        seats = _seats(game, record)
    except RulesError as error:
        yield error.sentence
        return
    luck = None
    if game.has_luck:
        luck = _luck(record)
        yield from _seed_findings(game, record, luck)
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
        message = say(
            "The record follows version {version} of the rules of {game}, but this program knows "
            "version {known}.",
            version=record.rules_version,
            game=game.title,
            known=game.rules_version,
        )
        raise BadRecord(message)
    number = len(record.seats)
    seats = game.seats(number) if number in game.players else ()
    if tuple(game.seat_names[seat] for seat in seats) != record.seats:
        # Translators: seats is a list such as "white, black, red".
        message = say(
            "{game} is not played by {seats}.", game=game.title, seats=", ".join(record.seats)
        )
        raise BadRecord(message)
    return seats


def _luck(record: Record) -> Luck | None:
    if record.seed is None or not record.challenge or not record.order:
        return None
    words = dict(record.words)
    return Luck(record.seed, record.challenge, tuple(words.get(seat, "") for seat in record.order))


def _seed_findings(game: AnyGame, record: Record, luck: Luck | None) -> Iterator[str]:
    if luck is None and record.seed is not None:
        # Translators: a draw is a throw, or who gets which seat.
        yield say(
            "The challenge or the order of the players is missing, so the draws can't be checked."
        )
        return
    if luck is None:
        # Translators: the seed is the secret number that all luck of a match follows from.
        yield say("The seed has not been revealed, so neither throws nor seats can be checked.")
        return
    if record.commitment is None:
        # Translators: the commitment is a fingerprint of the seed that was shown at the start.
        yield say("There is no commitment, so nothing proves that the seed was chosen beforehand.")
    elif not commitment(luck.seed).startswith(record.commitment):
        yield say(
            "The seed is not the one that was committed to: its SHA-256 is {digest}.",
            digest=commitment(luck.seed),
        )
    yield from _tournament_findings(record, luck.seed)
    ids = {seat: int(name) for seat, name in record.ids if name.isascii() and name.isdigit()}
    if len(ids) == len(record.order) and record.order != tuple(sorted(ids, key=ids.__getitem__)):
        yield say("The players don't enter the draws in the order of their IDs.")
    if not record.drawn:
        return
    entering = [seat for seat in record.order if seat in record.drawn]
    fair = luck.shuffle("seats", entering)
    if fair != record.drawn:
        names: dict[str, str] = {str(name): name for name in game.seat_names}
        message = [
            say("the player on {seat} should have had {other}", seat=names[sits], other=names[seat])
            for seat, sits in zip(record.drawn, fair, strict=True)
            if seat != sits
        ]
        # Translators: players is a list of "the player on white should have had black".
        yield say(
            "The seats were not drawn as the seed gives them: {players}.",
            players=lines(message, ", "),
        )


def _tournament_findings(record: Record, seed: bytes) -> Iterator[str]:
    """Check that the seed derives from that of the tournament, committed to before sign-up."""
    if record.tournament_commitment is None:
        return
    source = record.tournament_seed
    if source is None:
        yield say(
            "The tournament's seed has not been revealed yet, so nothing proves so far that this "
            "match's seed was chosen beforehand."
        )
    elif not commitment(source).startswith(record.tournament_commitment):
        yield say(
            "The tournament's seed is not the one that was committed to: its SHA-256 is {digest}.",
            digest=commitment(source),
        )
    elif derived(source, record.challenge) != seed:
        yield say("The seed doesn't follow from the tournament's.")


def _throw_findings(game: AnyGame, entry: Played[Any, Any], luck: Luck | None) -> Iterator[str]:
    if luck is None or game.actor(entry.before) is not CHANCE:
        return
    drawn = luck.draw(str(entry.ply), game.odds(entry.before))
    if drawn != entry.move:
        yield say(
            "Throw {n} reads {move}, but the seed gives {drawn}.",
            n=entry.ply,
            move=game.write(entry.move),
            drawn=game.write(drawn),
        )


def _result_findings(game: AnyGame, state: Any, record: Record) -> Iterator[str]:
    outcome = game.outcome(state)
    seats = [record.seats.index(one.seat) for one in record.gave_up]
    if outcome is None:
        if record.ranks and placed(record.ranks, seats) != record.ranks:
            yield say("Players who gave up earlier must rank behind everyone who held out longer.")
        return
    due = placed(outcome.ranks, seats)
    if due == record.ranks:
        return
    if record.ended and not record.ranks:
        return  # it was declared void
    ranks = " ".join(f"{seat}:{rank}" for seat, rank in zip(record.seats, due, strict=True))
    if not record.ranks:
        yield say(
            "By the rules, the game ended {ranks}, {reason}, but the record gives no result.",
            ranks=ranks,
            reason=outcome.reason,
        )
        return
    yield say(
        "By the rules, the game ended {ranks}, {reason}, but the record gives another result.",
        ranks=ranks,
        reason=outcome.reason,
    )
