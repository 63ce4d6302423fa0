"""Whether advice on a position is allowed, and how it gives chances.

It is not while people play it in a match, or while it is the puzzle of the day in any server.
Analyses, hints, puzzles and computer opponents ask here. It works across processes, as the store
knows these positions by their fingerprints (`data.puzzles.puzzles`).

These compare positions rather than logs: the moves that led there, the options, the seat names and
the asker do not matter. Only positions with a choice have one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from bot.core.computers import is_person
from bot.core.errors import NotAllowed
from bot.core.i18n.mentions import slash
from data.matches.match import Match
from data.puzzles import puzzles
from data.store.store import Transaction
from engine.game import CHANCE
from engine.phrase import Phrase, say
from engine.registry import AnyGame
from engine.replay import Played

CERTAIN: Final = 0.999
"""Expected results above this count as a certain win."""
OPENING: Final = 4
"""Advice on positions within this many decisions per player is allowed: every game passes through
them, and without them no one could practise."""


class Refusals(NamedTuple):
    """Why there is no advice on a position."""

    in_play: Phrase
    of_the_day: Phrase


async def is_closed(tx: Transaction, fingerprints: Collection[int]) -> bool:
    """Return whether there is no advice on any of these positions."""
    return await puzzles.any_of(tx, fingerprints) or await puzzles.any_of_the_day(tx, fingerprints)


async def require_open(tx: Transaction, fingerprints: Collection[int], refusals: Refusals) -> None:
    """Raise NotAllowed unless there may be advice, without saying on which position or where."""
    if await puzzles.any_of(tx, fingerprints):
        raise NotAllowed(refusals.in_play)
    if await puzzles.any_of_the_day(tx, fingerprints):
        raise NotAllowed(refusals.of_the_day)


def of_position(game: AnyGame, state: Any) -> tuple[int, ...]:
    """Return the fingerprint of a position, if anyone has a choice in it."""
    found = fingerprint(game, state)
    return () if found is None else (found,)


def hint_refusals() -> Refusals:
    """Return why no hint is given."""
    return Refusals(
        say(
            "Others are playing this exact position right now, and a hint here would help them. "
            "Ask again on your next move."
        ),
        say("This position is a puzzle of the day, so there's no hint. Ask on your next move."),
    )


def puzzle_refusal() -> Phrase:
    """Return why a puzzle cannot be answered."""
    return say(
        "Others are playing this exact position right now, so the answer has to wait. Get "
        "another puzzle with `{command}`.",
        command=slash("puzzle"),
    )


def analysis_refusals(name: str) -> Refusals:
    """Return why a match or record is not analysed."""
    return Refusals(
        say(
            "Others are playing a position from {name} right now, so its analysis has to wait. Ask "
            "again later.",
            name=name,
        ),
        say(
            "A position from {name} is a puzzle of the day, so its analysis has to wait. Ask again "
            "tomorrow.",
            name=name,
        ),
    )


def percent(expected: float) -> str:
    """Return an expected result in percent of a win."""
    return str(round(100 * expected))


def fingerprint(game: AnyGame, state: Any) -> int | None:
    """Return the fingerprint of a position; ``None`` if no one has a choice."""
    if game.actor(state) is CHANCE or len(game.legal_moves(state)) < 2:
        return None
    line = f"{game.slug} {game.equivalence_key(state)}"
    return int.from_bytes(blake2b(line.encode(), digest_size=8).digest(), signed=True)


def of_log(game: AnyGame, played: Iterable[Played[Any, Any]]) -> frozenset[int]:
    """Return the fingerprints of all positions in a log with a choice."""
    found: set[int | None] = set()
    for entry in played:
        found |= {fingerprint(game, entry.before), fingerprint(game, entry.after)}
    return frozenset(one for one in found if one is not None)


def barred(
    match: Match, game: AnyGame, tail: Sequence[Played[Any, Any]], first: int
) -> dict[int, int | None]:
    """Return the fingerprints of the new positions closed to advice, by ply.

    ``tail`` is the end of the log, from ``first`` on new; the whole log while it is short.
    """
    if sum(is_person(player.user_id) for player in match.players) < 2:
        return {}
    # A log that is longer than its tail is past its opening.
    left = OPENING * len(match.players) if tail[0].ply == 1 else 0
    found: dict[int, int | None] = {}
    for played in tail:
        left -= game.actor(played.before) is not CHANCE
        if played.ply >= first and left < 0:
            found[played.ply] = fingerprint(game, played.after)
    return found
