"""Picks the best game of a tournament from the analyses of its matches.

A game is as good as its weaker player: the lowest loss per move with a choice wins, so both played
well. It has to be a real game, played to its end on the board or resigned, with enough moves by
each player. Luck doesn't count, as the analysis leaves it out.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from bot.features.tournaments.view import TournamentView
from bot.play.matches.scoring import chosen
from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import match_log, matches
from data.matches.match import Match
from data.puzzles import analyses
from data.store.store import Transaction

MIN_MOVES: Final = 8
"""Moves with a choice required of each player."""
_LOOKED_AT: Final = 10
"""How many games to compare exactly, preselected by loss per logged move."""
_ENDINGS: Final = {None, "resigned"}
"""Endings of a played match: by the rules or by resignation."""


class BestGame(NamedTuple):
    """A game and the figures that make it the best."""

    match_id: int
    players: tuple[int, ...]
    """In turn order."""
    moves: int
    """Moves with a choice, all players together."""
    lost: float
    """The largest loss by one player over the whole game, as a share of a win."""
    rate: float
    """The largest loss by one player per move with a choice."""


async def awaits_analysis(tx: Transaction, view: TournamentView) -> bool:
    """Return whether a match that could be the best still awaits its analysis."""
    # Don't wait for an analysis that has been given up.
    pending = set(_played(view)).intersection(await computer_tasks.waiting(tx, Kind.ANALYSIS))
    return not pending <= await analyses.known(tx, pending)


async def best(tx: Transaction, view: TournamentView) -> BestGame | None:
    """Return the best analysed game; ``None`` if none is good enough to name."""
    looks: list[tuple[float, Match]] = []
    for match in await _candidates(tx, view):
        found = await analyses.of(tx, match.id)
        if found is not None:
            looks.append((max(_lost(found, match)) / match.plies, match))
    looks.sort(key=lambda look: (look[0], look[1].id))
    judged = [await judge(tx, match) for _, match in looks[:_LOOKED_AT]]
    real = [one for one in judged if one is not None]
    return min(real, key=lambda one: (one.rate, -one.moves, one.match_id), default=None)


async def judge(tx: Transaction, match: Match) -> BestGame | None:
    """Return a match's figures as a best game; ``None`` if it is too short or not analysed."""
    found = await analyses.of(tx, match.id)
    if found is None:
        return None
    log = [entry.notation for entry in await match_log.read(tx, match.id)]
    counter: Counter[int] = await asyncio.to_thread(chosen, match, log)
    counts = [counter[player.seat] for player in match.players]
    if min(counts) < MIN_MOVES:
        return None
    lost = _lost(found, match)
    rate = max(part / count for part, count in zip(lost, counts, strict=True))
    users = tuple(player.user_id for player in match.players)
    return BestGame(match.id, users, sum(counts), max(lost), rate)


def _played(view: TournamentView) -> list[int]:
    return [
        game.match_id
        for one in view.pairings
        for game in one.games
        if game.match_id is not None and game.points is not None and game.how == "played"
    ]


async def _candidates(tx: Transaction, view: TournamentView) -> list[Match]:
    """Return the matches played to their end."""
    numbers = _played(view)
    found = await matches.of_numbers(tx, numbers)
    return [
        match
        for match in (found[number] for number in numbers if number in found)
        if match.ending in _ENDINGS
        and all(player.rank is not None and player.gave_up is None for player in match.players)
        and match.plies >= MIN_MOVES * len(match.players)
    ]


def _lost(found: Mapping[str, Any], match: Match) -> list[float]:
    """Return each player's loss in a match, as a share of a win."""
    lost = [0.0] * len(match.players)
    for _, place, _, _, loss in found["mistakes"]:
        lost[place] += loss
    return lost
