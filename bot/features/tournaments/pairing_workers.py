"""Pairs large rounds in a separate process.

Pairing 500 players takes a second or two, and for much of that the library blocks all other
threads. A thread would delay every interaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, TypeAlias

import structlog
from pydantic import TypeAdapter

from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.features.tournaments import pairing
from bot.features.tournaments.model import Pairing
from bot.features.tournaments.record import Record
from bot.features.tournaments.view import TournamentView

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MANY: Final = 150
"""From this many players a separate process is used; fewer take a tenth of a second."""
_LIMIT: Final = 120.0
"""Seconds until the process is killed, generous enough for a busy machine."""
_RECORDS: Final = TypeAdapter(Record)
_ROUNDS: Final = TypeAdapter(tuple[Pairing, ...])


PairingPool: TypeAlias = Annotated[WorkerPool, "pairings"]
"""The process that pairs large rounds."""


def workers() -> PairingPool:
    """Return the pairing process; it starts on demand and ends when idle."""
    return WorkerPool(tasks=f"{__name__}:TASKS")


async def next_round(pool: WorkerPool, view: TournamentView) -> tuple[Pairing, ...]:
    """Return the next round of a tournament; see `pairing.next_round`.

    Raises:
        pairing.PairingImpossible: there are too few entrants to begin.

    """
    record_ = Record(
        view.plan,
        view.entrants,
        view.pairings,
        unequal_sides=view.unequal_sides,
        seed=view.tournament.seed.hex(),
    )
    if len(record_.entrants) >= MANY:
        arguments = {"record": _RECORDS.dump_python(record_, mode="json")}
        requester = Requester(view.tournament.guild_id, 0)
        try:
            made = await pool.run("pair", arguments, requester=requester, limit=_LIMIT)
            return _ROUNDS.validate_python(made)
        except WorkerFailure as error:
            log.warning("paired without a worker", tournament=view.id, reason=str(error))
    return await asyncio.to_thread(_next_round, record_)


def pair(record: Mapping[str, Any]) -> Any:
    """Pair the next round of a tournament, inside the process."""
    return _ROUNDS.dump_python(_next_round(_RECORDS.validate_python(record)), mode="json")


TASKS: Final[Mapping[str, Callable[..., Any]]] = {"pair": pair}


def _next_round(record: Record) -> tuple[Pairing, ...]:
    return pairing.next_round(
        record.plan,
        record.entrants,
        record.pairings,
        bytes.fromhex(record.seed),
        unequal_sides=record.unequal_sides,
    )
