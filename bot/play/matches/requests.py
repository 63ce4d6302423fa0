"""The bot's requests to its workers about a match."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from ai.levels import PATIENCE
from bot.core.computers import is_person
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.play.matches.positions import MatchView
from data.matches import match_log
from data.store.store import Store
from engine.errors import RulesError

MOVE_LIMIT: Final = PATIENCE + 8.0
"""Seconds before a worker choosing a move is killed, however busy the machine is: a second of
processor time once the board is loaded, and several more if others keep the processor."""


async def choose_move(
    store: Store, workers: WorkerPool, view: MatchView, *, level: int, seconds: float
) -> dict[str, Any]:
    """Search for a move for some seconds; return the fields of an `ai.opponents.Thought`.

    Raises:
        WorkerFailure: there is no legal move to return.

    """
    async with store.read() as tx:
        log = [entry.notation for entry in await match_log.read(tx, view.match.id)][: view.ply]
    thought: dict[str, Any] = await workers.run(
        "think",
        {
            "match": match_arguments(view, log),
            "level": level,
            "seed": seed_of(view),
            "seconds": seconds,
        },
        requester=requester_of(view),
        limit=MOVE_LIMIT,
    )
    try:
        view.game.read(view.state, thought["notation"])
    except RulesError as error:
        raise WorkerFailure(f"illegal move {thought['notation']}") from error
    return thought


def match_arguments(view: MatchView, log: Sequence[str]) -> dict[str, Any]:
    """Return a match in the form that tasks take."""
    match = view.match
    return {
        "slug": match.game,
        "options": match.options,
        "players": len(match.players),
        "log": list(log),
    }


def seed_of(view: MatchView) -> int:
    """Return the seed of a computer's choices at a turn, the same after every restart."""
    digest = hashlib.sha256(view.match.seed + f"computer {view.version}".encode()).digest()
    return int.from_bytes(digest[:8])


def requester_of(view: MatchView) -> Requester:
    """Return the first person of a match, as requester of tasks about it."""
    people = [p.user_id for p in view.match.players if is_person(p.user_id)]
    return Requester(view.match.guild_id or 0, people[0] if people else 0)
