"""The record of a match, and whether its throws follow from what was sealed beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.core.computers import is_practice
from bot.play.matches.positions import get_match
from data.challenges import challenges
from data.ladders import ladder_challenges
from data.matches import match_log
from data.matches.match import Entry, Match
from data.store.store import Store, Transaction
from data.tournaments import tournament_rounds
from data.tournaments.tournament_rounds import Source
from engine import record, registry
from engine.headers import GaveUp
from engine.luck import commitment
from engine.phrase import concat, lines, plural, say
from engine.verification import verify


class Proof(NamedTuple):
    """What can be said about the throws of a match."""

    words: str
    record: str | None
    """The whole match as text; ``None`` during play, while its seed is secret."""


async def proof(store: Store, match_id: int) -> Proof:
    """Return the proof for a finished match, or the sealed values of an ongoing one.

    Raises NoSuchMatch if there is none with that number.
    """
    async with store.read() as tx:
        match = await get_match(tx, match_id)
        log = await match_log.read(tx, match_id)
        source = await tournament_rounds.source_of(tx, match_id)
        written = await record_of(tx, match, log, source)
    if not match.finished:
        return Proof(_sealed(match, source), None)
    findings = verify(checkable(written))
    if registry.game(match.game).has_luck:
        words = _revealed(match, log, findings, source)
    else:
        title = say("### The record of match #{number}", number=match.id)
        words = lines((title, _verdict(findings, say("✓ Every move follows the rules."))))
    return Proof(words, record.write(written))


def checkable(written: record.Record) -> record.Record:
    """Return a record without the tournament's commitment, while its seed is still secret."""
    if written.tournament_seed is not None:
        return written
    return replace(written, tournament_commitment=None)


async def record_of(
    tx: Transaction,
    match: Match,
    log: Sequence[Entry],
    source: Source | None,
    *,
    people: bool = True,
) -> record.Record:
    """Return a match as a record; its seed is revealed once it has ended.

    ``log`` is its whole log, ``source`` the seed of its tournament, if any. With ``people`` it includes
    the players' user ids, unless the data of any of them was deleted.
    """
    game = registry.game(match.game)
    given = await _given_seats(tx, match, source)
    with_people = people and all(player.user_id > 0 for player in match.players)
    ranks = [player.rank for player in match.players if player.rank is not None]
    ranked = match.finished and len(ranks) == len(match.players)
    players = [(game.seat_names[player.seat], player) for player in match.players]
    entering = sorted(players, key=lambda pair: pair[1].draw_order)
    plain = record.Record(
        game=match.game,
        rules_version=match.rules_version,
        match=str(match.id),
        seats=tuple(name for name, _ in players),
        log=tuple(entry.notation for entry in log),
        options=tuple(match.options.items()),
        ids=tuple((name, str(player.user_id)) for name, player in players) if with_people else (),
        ranks=tuple(ranks) if ranked else (),
        reason=(match.reason or "") if ranked else "",
        started=match.created_at.date().isoformat(),
        ended=match.finished_at.date().isoformat() if match.finished_at is not None else "",
        takebacks=match.takebacks,
        gave_up=tuple(
            GaveUp(name, player.gave_up_ply or 0, player.gave_up_how or "")
            for name, player in sorted(players, key=lambda pair: pair[1].gave_up or 0)
            if player.gave_up is not None
        ),
    )
    if not game.has_luck:
        return plain
    return replace(
        plain,
        challenge=match.draw,
        order=tuple(name for name, _ in entering),
        words=tuple((name, player.word) for name, player in entering if player.word),
        drawn=tuple(game.seat_names[p.seat] for p in match.players if p.seat not in given),
        commitment=match.commitment,
        seed=match.seed if match.finished else None,
        tournament_commitment=None if source is None else commitment(source.seed),
        tournament_seed=source.seed if source is not None and source.revealed else None,
    )


async def _given_seats(tx: Transaction, match: Match, source: Source | None) -> frozenset[int]:
    """Return the seats that were not drawn.

    A tournament's pairings set the seats, and in a rematch or a ladder's next game of the same two,
    everyone moves on to the next seat.
    """
    everyone = frozenset(player.seat for player in match.players)
    if source is not None or await ladder_challenges.swaps_seats(tx, match.id):
        return everyone
    origin = await challenges.of_match(tx, match.id)
    if origin is not None and origin.rematch_of is not None:
        return everyone
    return frozenset() if origin is None or origin.seat is None else frozenset({origin.seat})


def _sealed(match: Match, source: Source | None) -> str:
    title = say("### Match #{number} is still being played", number=match.id)
    if not registry.game(match.game).has_luck:
        return lines((title, say("Every move is checked against the rules as it is played.")))
    if is_practice(match):
        drawn = say(
            "The throws come from a secret seed, drawn when the match began. Its fingerprint, "
            "the number that goes in with it, and the players' words:"
        )
    elif source is not None:
        drawn = say(
            "The throws come from a secret seed. It follows from the tournament's, drawn before "
            "anyone signed up. Both fingerprints, what goes in with the seed, and the players' "
            "words:"
        )
    else:
        drawn = say(
            "The throws come from a secret seed, drawn before anyone accepted. Its "
            "fingerprint, the number that goes in with it, and the players' words:"
        )
    shown = say(
        "When the match ends, this command shows the seed, so anyone can work out every throw again."
    )
    return lines((title, drawn, _fixed(match, source), shown))


def _fixed(match: Match, source: Source | None, *, seed: bool = False) -> str:
    """Return the inputs of the throws, formatted as in a record."""
    lines_ = [f"seed      {match.seed.hex()}"] if seed else []
    lines_ += [f"SHA-256   {match.commitment}", f"challenge {match.draw}"]
    entering = sorted(match.players, key=lambda player: player.draw_order)
    lines_ += [f"word      {player.word}" for player in entering if player.word]
    if source is not None:
        lines_ += [f"TournamentCommitment {commitment(source.seed)}"]
        if seed and source.revealed:
            lines_ += [f"TournamentSeed {source.seed.hex()}"]
    return "```\n" + "\n".join(lines_) + "\n```"


def _revealed(
    match: Match, log: Sequence[Entry], findings: Sequence[str], source: Source | None
) -> str:
    parts = [
        say("### The throws of match #{number}", number=match.id),
        _verdict(findings, _fair(sum(entry.actor is None for entry in log))),
    ]
    if source is not None and not source.revealed:
        parts.append(
            say(
                "Come back once the tournament is over, to check that this seed follows "
                "from the tournament's."
            )
        )
    parts += [
        _fixed(match, source, seed=True),
        say(
            "The attached record holds everything. To check it without me: `{command}`.",
            command="python -m engine verify FILE",
        ),
    ]
    return lines(parts)


def _verdict(findings: Sequence[str], fine: str) -> str:
    return lines(concat("⚠ ", finding) for finding in findings[:10]) if findings else fine


def _fair(throws: int) -> str:
    if not throws:
        return say("✓ The seed matches its fingerprint, and the seats match the seed.")
    return plural(
        "✓ The seed matches its fingerprint, and the throw matches the seed.",
        "✓ The seed matches its fingerprint, and all {n} throws match the seed.",
        throws,
    )
