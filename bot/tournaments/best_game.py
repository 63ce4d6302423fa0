"""The best game of a tournament by the analyses of its matches.

That is the game in which the player who gave away most, per move with a choice, gave away least; so
both played well. It has to be a real game: played to its end on the board or resigned, with enough
moves of each player. What luck did does not count, as the analysis does not count it either.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot.tournaments import results
from data import analyses, computer_tasks, matches
from data.computer_tasks import Kind

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from bot.tournaments.view import TournamentView
    from data.match import Match
    from data.store import Transaction

LEAST_MOVES: Final = 8
"""Moves with a choice that each player has to have made."""
_LOOKED_AT: Final = 10
"""So many games are compared exactly: those that look best by the length of their logs."""
_ENDINGS: Final = {None, "resigned"}
"""How a match ends that was played: by the rules, or as somebody saw that it is lost."""


class BestGame(NamedTuple):
    """A game, and why it is the best."""

    match_id: int
    players: tuple[int, ...]
    """In turn order."""
    moves: int
    """Moves with a choice, of all players."""
    lost: float
    """The most that one of them gave away in the whole game, in parts of a win."""
    rate: float
    """The most that one of them gave away per move."""


async def waits(tx: Transaction, seen: TournamentView) -> bool:
    """Return whether a match that could be the best is still to be analysed."""
    wanted = [match.id for match in await _candidates(tx, seen)]
    known = await analyses.known(tx, wanted)
    for number in wanted:
        # One that computers have given up is not waited for.
        if number not in known and await computer_tasks.known(tx, Kind.ANALYSIS, str(number)):
            return True
    return False


async def best(tx: Transaction, seen: TournamentView) -> BestGame | None:
    """Return the best game of those that are analysed; ``None`` where none is good enough to name."""
    looks: list[tuple[float, Match]] = []
    for match in await _candidates(tx, seen):
        found = await analyses.of(tx, match.id)
        if found is not None:
            looks.append((max(_lost(found, match)) / match.plies, match))
    looks.sort(key=lambda look: (look[0], look[1].id))
    judged = [await judge(tx, match) for _, match in looks[:_LOOKED_AT]]
    real = [one for one in judged if one is not None]
    return min(real, key=lambda one: (one.rate, -one.moves, one.match_id), default=None)


async def judge(tx: Transaction, match: Match) -> BestGame | None:
    """Return what a match is worth as a best game; ``None`` if it is too short or not analysed."""
    found = await analyses.of(tx, match.id)
    if found is None:
        return None
    log = [entry.notation for entry in await matches.log(tx, match.id)]
    made: Counter[int] = await asyncio.to_thread(results.chosen, match, log)
    counts = [made[player.seat] for player in match.players]
    if min(counts) < LEAST_MOVES:
        return None
    lost = _lost(found, match)
    rate = max(part / count for part, count in zip(lost, counts, strict=True))
    users = tuple(player.user_id for player in match.players)
    return BestGame(match.id, users, sum(counts), max(lost), rate)


async def _candidates(tx: Transaction, seen: TournamentView) -> list[Match]:
    """Return the matches that were played to an end."""
    numbers = [
        game.match_id
        for one in seen.tables
        for game in one.games
        if game.match_id is not None and game.points is not None and game.how == "played"
    ]
    found = [await matches.get(tx, number) for number in numbers]
    return [
        match
        for match in found
        if match is not None
        and match.ending in _ENDINGS
        and all(player.rank is not None and player.gave_up is None for player in match.players)
        and match.plies >= LEAST_MOVES * len(match.players)
    ]


def _lost(found: Mapping[str, Any], match: Match) -> list[float]:
    """Return what each player gave away in a match, in parts of a win."""
    lost = [0.0] * len(match.players)
    for _, place, _, _, loss in found["mistakes"]:
        lost[place] += loss
    return lost
