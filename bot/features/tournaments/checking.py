"""Reads tournament files, and the names of tournaments, in a separate process.

Files are untrusted input, so they get little time and memory: a worker that needs more is killed
(see `bot.core.workers.pool`), and no one else waits for it. What it returns is small, and ready to be
stored: the event loop never sees a pairing.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

import structlog

from bot.core.errors import BadImport
from bot.core.i18n.slash import slash
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.process import TooHeavy, limited
from bot.features.tournaments import reading
from bot.features.tournaments.reading import Played
from bot.features.tournaments.standing_rows import places_won
from bot.features.tournaments.view import stored_pairing, stored_plan
from data.tournaments import tournament_imports
from engine import registry
from engine.phrase import packed, say, shortened, unpacked
from engine.plain_text import one_line

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TASK: Final = "read"
_WALL_LIMIT: Final = 60.0
"""Seconds until a worker is killed, however busy the machine."""
_READING_LIMIT: Final = 5.0
"""Seconds of processor time to read a file; the largest need about one."""
_PAIRING_LIMIT: Final = 5.0
"""Seconds of processor time to pair a tournament again; 64 players over 63 rounds need about two."""
_MEMORY: Final = 256 << 20
_MAX_WORDS: Final = 1000
"""Maximum length of an error from a bad file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A tournament from a file, ready to be stored."""

    name: str
    """Empty if the file has none."""
    plan: Mapping[str, Any]
    entrants: Sequence[Mapping[str, Any]]
    """Fields of `data.tournaments.tournament_entrants.Entrant`, in the order of joining."""
    round: int
    """The last one."""
    pairings: bytes
    """See `data.tournaments.tournament_imports`."""
    seed: bytes
    wrong: int | None
    """The first round that differs from what its seed gives."""
    verified: bool
    """Whether all its rounds are what its seed gives."""


ImportPool: TypeAlias = Annotated[WorkerPool, "imports"]
"""The process that reads tournament files."""


def workers() -> ImportPool:
    """Return the process that reads tournament files; it starts on demand and ends when idle."""
    return WorkerPool(tasks=f"{__name__}:TASKS", memory=_MEMORY)


async def checked(pool: WorkerPool, raw: bytes, game: str, requester: Requester) -> Checked:
    """Have a file read.

    Raises:
        BadImport: it can't be imported; the message says why, where, and what to do.

    """
    if len(raw) > reading.MAX_BYTES:
        raise reading.too_large()
    arguments = {"file": b64encode(raw).decode(), "game": game}
    try:
        found = await pool.run(TASK, arguments, requester=requester, limit=_WALL_LIMIT)
    except WorkerFailure as error:
        log.warning("a tournament could not be checked", reason=str(error))
        raise _too_heavy() from error
    if "refused" in found:
        raise BadImport(unpacked(found["refused"]))
    return Checked(
        **found | {"pairings": b64decode(found["pairings"]), "seed": bytes.fromhex(found["seed"])}
    )


def read(file: str, game: str) -> dict[str, Any]:
    """Return the fields of `Checked`, or the reason for refusing a file as a packed phrase."""
    found = registry.game(game)
    try:
        with limited(_READING_LIMIT):
            played = reading.read(b64decode(file), found)
            answer = _stored(played)
    except TooHeavy:
        return {"refused": packed(_too_heavy().sentence)}
    except BadImport as error:
        return {"refused": packed(shortened(error.sentence, _MAX_WORDS))}
    try:
        with limited(_PAIRING_LIMIT):
            again = reading.verified(played, found)
    except TooHeavy:
        again = played
    except BadImport as error:
        return {"refused": packed(error.sentence)}
    return answer | {"wrong": again.wrong, "verified": again.verified}


TASKS: Final[Mapping[str, Callable[..., Any]]] = {TASK: read}


def _stored(played: Played) -> dict[str, Any]:
    places = places_won(played.standings, played.pairings)
    pairings = sorted(played.pairings, key=lambda one: (one.round, one.table))
    document = tournament_imports.packed(
        map(stored_pairing, pairings), [one.user_id for one in played.entrants]
    )
    return {
        "name": named(played.title),
        "plan": stored_plan(played.plan),
        "entrants": [
            {
                "user_id": one.user_id,
                "strength": one.strength,
                "joined_round": one.joined_round,
                "left_after": one.left_after,
                "replaces_user_id": one.replaces,
                "place": places.get(one.user_id),
            }
            for one in played.entrants
        ],
        "round": pairings[-1].round,
        "pairings": b64encode(document).decode(),
        "seed": played.seed.hex(),
    }


def _too_heavy() -> BadImport:
    return BadImport(
        say(
            "This file takes too long to read, so it wasn't imported. Files from `{command}` are "
            "fine.",
            command=slash("tournament", "export"),
        )
    )


MAX_NAME: Final = 60
_MAX_READ: Final = 1000
"""How many characters of a longer text are read."""
_MARKS: Final = re.compile(r"[`*_~|<>\[\]\\]")
"""Discord's formatting characters, removed so that a name shows as plain text."""
_LINKS: Final = re.compile(r"(:|\.\w+)(//?)")
"""The parts that turn text into a link. The bot may post links where the name's author may not."""
_IDS: Final = re.compile(r"\d{15,}")
"""Ids of users, as of a mention: a name would keep them when their owner deletes their data."""


def named(typed: str) -> str:
    """Return a typed tournament name cleaned for display; empty if nothing remains."""
    plain = _IDS.sub(" ", _MARKS.sub(" ", one_line(typed[:_MAX_READ])))
    return one_line(_LINKS.sub(r"\1 \2", plain)[: 2 * MAX_NAME])[:MAX_NAME].rstrip()
