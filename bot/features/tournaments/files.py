"""Imports tournaments played elsewhere, and exports them: FIDE reports and the project's records.

Files are untrusted input: they are read and checked in a separate process with little time and
memory, so no one else waits for them. What it returns is small, and ready to be stored in one short
transaction: the event loop never sees a pairing. An imported tournament is over. It can be viewed
like any other here but changes no rating and appears on no profile, as anyone can write such a file.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Final, TypeAlias

import structlog
from pydantic import Base64Bytes, TypeAdapter

from bot.core import hourly_limits
from bot.core.errors import BadImport, TooMany
from bot.core.i18n.mentions import slash
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.process import TooHeavy, limited
from bot.features.tournaments import transitions
from bot.features.tournaments.rules import pairing, reading, trf
from bot.features.tournaments.rules.pairing import Record
from bot.features.tournaments.rules.standings import Standing, places_won
from bot.features.tournaments.service import MAX_MADE, clean_name
from bot.features.tournaments.view import TournamentView
from data import locks
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_imports, tournaments
from data.tournaments.tournaments import Entry, State, Terms, Tournament
from data.tournaments.values import Entrant, Plan
from engine import registry
from engine.luck import commitment
from engine.phrase import packed, say, shortened, unpacked

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

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
    plan: Plan
    entrants: tuple[Entrant, ...]
    """In the order of joining."""
    places: Mapping[int, int]
    """By user id, see `places_won`."""
    round: int
    """The last one."""
    pairings: Base64Bytes
    """See `data.tournaments.tournament_imports`."""
    seed: Base64Bytes
    wrong: int | None = None
    """The first round that differs from what its seed gives, 0 if none does; see `wrong_round`."""


_CHECKED: Final = TypeAdapter(Checked)


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
        found = await pool.run("read", arguments, requester=requester, limit=_WALL_LIMIT)
    except WorkerFailure as error:
        log.warning("a tournament could not be checked", reason=str(error))
        raise _too_heavy() from error
    if "refused" in found:
        raise BadImport(unpacked(found["refused"]))
    return _CHECKED.validate_python(found)


def read(
    file: str, game: str, *, to_read: float = _READING_LIMIT, to_pair: float = _PAIRING_LIMIT
) -> Any:
    """Return the fields of `Checked`, or the reason for refusing a file as a packed phrase.

    Reading it and pairing it again may take so many seconds of processor time.
    """
    found = registry.game(game)
    try:
        with limited(to_read):
            played, final = reading.read(b64decode(file), found)
            answer = _stored(played, final)
        with suppress(TooHeavy), limited(to_pair):
            answer = replace(answer, wrong=reading.wrong_round(played, found))
    except TooHeavy:
        return {"refused": packed(_too_heavy().sentence)}
    except BadImport as error:
        return {"refused": packed(shortened(error.sentence, _MAX_WORDS))}
    return _CHECKED.dump_python(answer, mode="json")


TASKS: Final[Mapping[str, Callable[..., Any]]] = {"read": read}


def _stored(played: Record, final: Sequence[Standing]) -> Checked:
    pairings = sorted(played.pairings, key=lambda one: (one.round, one.table))
    return Checked(
        clean_name(played.title),
        played.plan,
        played.entrants,
        places_won(final, played.pairings),
        pairings[-1].round,
        tournament_imports.packed(pairings, [one.user_id for one in played.entrants]),
        bytes.fromhex(played.seed),
    )


def _too_heavy() -> BadImport:
    return BadImport(
        say(
            "This file takes too long to read, so it wasn't imported. Files from `{command}` are "
            "fine.",
            command=slash("tournament", "export"),
        )
    )


MAX_IMPORTED: Final = 50
"""Maximum imported tournaments per server."""
MAX_IMPORTED_IN_ALL: Final = 2000
"""Maximum imported tournaments of all servers."""
_ALL: Final = 0
"""Serialises imports of all servers, to count them."""


@dataclass(eq=False, repr=False)
class TournamentImports:
    """Stores tournaments from files. Callers check permissions."""

    store: Store
    pool: ImportPool
    clock: WallClock

    async def add(self, raw: bytes, terms: Terms) -> tuple[Tournament, Checked]:
        """Store a tournament, named as in the file unless the terms have a name.

        Raises:
            BadImport: the file can't be imported; the message says why, where, and what to do.
            TooMany: too many imports by this user within an hour, in this server, or in all.
        """
        now = self.clock()
        await hourly_limits.take(self.store, terms.created_by, "tournament", now, MAX_MADE)
        requester = Requester(terms.guild_id, terms.created_by)
        played = await checked(self.pool, raw, terms.game, requester)
        name = clean_name(terms.name) or played.name or registry.title(terms.game)
        terms = replace(terms, name=name, plan=played.plan)
        async with self.store.write() as tx:
            await _check(tx, terms.guild_id)
            tournament = await tournaments.add(tx, terms, seed=played.seed, at=now, next_at=None)
            entries = (
                Entry(
                    **asdict(one),
                    tournament_id=tournament.id,
                    number=number,
                    joined_at=now,
                    leave_reason=None if one.left_after is None else "left",
                    place=played.places.get(one.user_id),
                )
                for number, one in enumerate(played.entrants, 1)
            )
            await tournament_entrants.add(tx, entries)
            await tournament_imports.add(tx, tournament.id, played.pairings)
            tournament = await tournaments.change(
                tx,
                tournament,
                state=State.FINISHED,
                imported=True,
                round=played.round,
                ended_at=now,
            )
            await transitions.show(tx, tournament, now)
        return tournament, played


async def _check(tx: Transaction, guild_id: int) -> None:
    """Raise TooMany if a server, or all of them, have too many imported tournaments."""
    await locks.lock_id(tx, _ALL)
    if await tournaments.count_imported(tx, guild_id) >= MAX_IMPORTED:
        raise TooMany(
            say("This server already has {number} imported tournaments.", number=MAX_IMPORTED)
        )
    if await tournaments.count_imported(tx) >= MAX_IMPORTED_IN_ALL:
        raise TooMany(
            say(
                "I already keep {number} imported tournaments of all servers, so there's no room "
                "for more.",
                number=MAX_IMPORTED_IN_ALL,
            )
        )


def exported(view: TournamentView) -> dict[str, bytes]:
    """Return a tournament's files by name; they include the seed once it is public."""
    terms = view.tournament
    name = f"tournament-{terms.id}"
    played = replace(
        view.record,
        commitment=commitment(terms.seed) if terms.seed else "",
        seed=terms.seed.hex() if view.seed_revealed else "",
    )
    found = {f"{name}.json": pairing.to_json(played).encode()}
    if view.rounds and trf.fits(played):
        # Anyone here can see user ids, as mentions contain them.
        names = {one.user_id: str(one.user_id) for one in view.entrants if one.user_id > 0}
        report = trf.to_trf(played, names=names, rounds=view.rounds_in_all)
        found[f"{name}.trf"] = report.encode()
    return found
