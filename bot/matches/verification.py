"""The record of a match, and the proof that its throws were random."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bot.errors import NoSuchMatch
from bot.matches.computers import is_practice
from data import challenges, matches
from engine import record, registry
from engine.headers import GaveUp
from engine.phrase import glued, lines, plural, say
from engine.verification import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from data.challenges import Challenge
    from data.matches import Entry, Match
    from data.store import Store


class Proof(NamedTuple):
    """What can be said of the throws of a match."""

    words: str
    record: str | None
    """The whole match as text; ``None`` while it is being played and its seed is secret."""


async def proof(store: Store, match_id: int) -> Proof:
    """Return the proof of a finished match, or what is sealed of one that goes on.

    Raises:
        NoSuchMatch: no match of that number.

    """
    async with store.read() as tx:
        match = await matches.get(tx, match_id)
        if match is None:
            raise NoSuchMatch(say("There is no match #{number}.", number=match_id))
        log = await matches.log(tx, match_id)
        origin = await challenges.of_match(tx, match_id)
    if not match.finished:
        return Proof(_sealed(match), None)
    written = record_of(match, log, origin)
    return Proof(_revealed(match, log, verify(written)), record.write(written))


def record_of(
    match: Match, log: Sequence[Entry], origin: Challenge | None, *, people: bool = True
) -> record.Record:
    """Return a match as a record, with its seed revealed once it has ended.

    Args:
        match: the match.
        log: its whole log.
        origin: the challenge that it began with, which tells whose seats were not drawn.
        people: whether the players' user ids are in it, unless the data of one was deleted.

    """
    game = registry.game(match.game)
    # In a rematch everybody takes the next seat: nothing is drawn.
    drawn = () if origin is not None and origin.rematch_of is not None else match.players
    chosen = None if origin is None else origin.seat
    told = people and all(player.user_id > 0 for player in match.players)
    ranks = [player.rank for player in match.players if player.rank is not None]
    ranked = match.finished and len(ranks) == len(match.players)
    players = [(game.seat_names[player.seat], player) for player in match.players]
    return record.Record(
        game=match.game,
        rules_version=match.rules_version,
        match=str(match.id),
        seats=tuple(name for name, _ in players),
        log=tuple(entry.notation for entry in log),
        options=tuple(match.options.items()),
        ids=tuple((name, str(player.user_id)) for name, player in players) if told else (),
        salts=tuple(
            sorted(((name, player.salt) for name, player in players), key=lambda pair: pair[1])
        ),
        drawn=tuple(game.seat_names[p.seat] for p in drawn if p.seat != chosen),
        commitment=match.commitment,
        seed=match.seed if match.finished else None,
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


def _sealed(match: Match) -> str:
    return lines(
        (
            say("### Match #{number} is still being played", number=match.id),
            say(
                "Its throws and the draw of its seats come from a secret seed that was sealed "
                "when it began, before the first throw:"
            )
            if is_practice(match)
            else say(
                "Its throws and the draw of its seats come from a secret seed that was sealed "
                "before the players joined:"
            ),
            f"```\nSHA-256 {match.commitment}\n```",
            say(
                "When the match ends, this command reveals the seed, and everybody can compute "
                "each draw again and see that the seed is the one that was sealed."
            ),
        )
    )


def _revealed(match: Match, log: Sequence[Entry], findings: Sequence[str]) -> str:
    throws = sum(entry.actor is None for entry in log)
    verdict = (
        lines(glued("⚠ ", finding) for finding in findings[:10]) if findings else _fair(throws)
    )
    return lines(
        (
            say("### The luck of match #{number}", number=match.id),
            verdict,
            f"```\nseed    {match.seed.hex()}\nSHA-256 {match.commitment}\n```",
            say(
                "The attached record holds everything. To check it without me: `{command}`.",
                command="python -m engine verify FILE",
            ),
        )
    )


def _fair(throws: int) -> str:
    if not throws:
        return say("✓ The seed is the one that was sealed, and the seats are as it draws them.")
    return plural(
        "✓ The seed is the one that was sealed, and all {n} throws are what it gives.",
        "✓ The seed is the one that was sealed, and all {n} throws are what it gives.",
        throws,
    )
