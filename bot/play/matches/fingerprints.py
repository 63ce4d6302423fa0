"""Fingerprints of positions, which keep anyone from getting advice on an ongoing match.

They compare positions rather than logs: the moves that led there, the options, the seat names and
the asker do not matter. Only positions with a choice have one, as there is no advice on throws and
forced moves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

from bot.core.computers import is_person
from data.matches.match import Entry, Match
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played

OPENING: Final = 4
"""Advice on positions within this many decisions per player is allowed: every game passes through
them, and without them no one could practise.
"""


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


def marked(
    match: Match, game: AnyGame, entries: Sequence[Entry], tail: Sequence[Played[Any, Any]]
) -> list[Entry]:
    """Return new entries with the fingerprints of positions closed to advice.

    Args:
        match: the match.
        game: its game.
        entries: the entries to append to its log.
        tail: the end of its log, including these entries; the whole log while it is short.

    """
    if sum(is_person(player.user_id) for player in match.players) < 2:
        return list(entries)
    left = OPENING * len(match.players)
    if tail[0].ply > 1:
        left = 0  # a log this long is past its opening
    found: dict[int, int | None] = {}
    first = entries[0].ply
    for played in tail:
        left -= game.actor(played.before) is not CHANCE
        if played.ply >= first and left < 0:
            found[played.ply] = fingerprint(game, played.after)
    return [dataclasses.replace(entry, fingerprint=found.get(entry.ply)) for entry in entries]
