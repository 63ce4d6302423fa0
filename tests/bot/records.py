"""Records of matches, and whom a test finds everywhere."""

from __future__ import annotations

import random
from collections.abc import Iterable

from engine import registry
from engine.record import Record


def record_of(slug: str, plies: int, dice: random.Random) -> Record:
    """Return the record of a game played at random."""
    game = registry.game(slug)
    options = game.settle({})
    state = game.initial(options, max(game.players))
    log: list[str] = []
    while len(log) < plies and game.outcome(state) is None:
        move = dice.choice(game.legal_moves(state))
        log.append(game.write(move))
        state = game.after(state, move)
    seats = tuple(str(seat) for seat in game.seats(max(game.players)))
    return Record(slug, game.rules_version, "1", seats, tuple(log))


async def everywhere(channels: Iterable[int]) -> set[int]:
    """Report every channel as readable."""
    return {*channels}
