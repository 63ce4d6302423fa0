"""Findings of an examination, each with advice; and those about this machine and its database."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from bot.app import backups
from data.sql.errors import BadAddress, Different, InUse, StoreError, Unusable
from data.store.address import file_of
from data.store.inspection import inspect
from data.store.process_lock import process_lock
from data.store.store import Store

_LITTLE: Final = 1 << 30
_TOO_LITTLE: Final = 200 << 20
_OLDEST_SERVER: Final = 14
"""The oldest PostgreSQL that still gets fixes."""
_AHEAD: Final = 2.0
_WIDTH: Final = 12


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    """The bot works, but not as well as it could, or not for long."""
    ERROR = "ERROR"
    """The bot does not work, or not for everyone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact, and advice unless it is fine. Neither contains a secret."""

    level: Level
    about: str
    fact: str
    advice: str = ""

    def __post_init__(self) -> None:
        """Check that every problem comes with advice."""
        assert self.advice or self.level is Level.OK

    def __str__(self) -> str:
        """Return lines for a terminal."""
        line = f"{self.level.value:<8} {self.about:<{_WIDTH}} {self.fact}"
        return f"{line}\n{'':<8} {'':<{_WIDTH}} -> {self.advice}" if self.advice else line


ok, warning, error = (partial(Finding, level) for level in Level)
"""Report that something is fine, should be better, or does not work."""


async def database(url: str) -> list[Finding]:
    """Examine a database without changing it."""
    about = "database"
    try:
        inspection = await inspect(url)
    except Unusable as failure:
        return [
            error(
                about,
                failure.sentence,
                "Check that the server is running, that DATABASE_URL names it and that its user "
                "may connect. For SQLite, check that this user can read the file.",
            )
        ]
    name = f"{inspection.kind} {inspection.version.split()[0]}"
    findings = []
    if inspection.revision is None:
        findings.append(ok(about, f"{name}, without tables: the first start makes them"))
    elif inspection.too_new:
        findings.append(
            error(
                about,
                f"{name}, tables of a newer version ({inspection.revision}, known is {inspection.newest})",
                "Update the program. A newer version has used this database.",
            )
        )
    elif inspection.revision < inspection.newest:
        behind = f"{name}, tables {inspection.revision} of {inspection.newest}"
        findings.append(
            warning(about, behind, "Back it up: the next start brings the tables up to date.")
        )
    elif different := await _different(url):
        findings.append(error(about, f"{name}: {different}", "The bot does not start on it."))
    else:
        newer = inspection.revision > inspection.newest
        of = f"tables {inspection.revision}{' of a newer version' if newer else ''}"
        findings.append(ok(about, f"{name}, {of}, {_size(inspection.size)}"))
    if inspection.kind == "PostgreSQL" and int(inspection.version.split(".")[0]) < _OLDEST_SERVER:
        findings.append(
            warning(about, f"{name} gets no repairs any more", "Upgrade the server to 18.")
        )
    if inspection.read_only:
        findings.append(error(about, "it is a read-only standby", "Name the primary instead."))
    if abs(inspection.ahead) > _AHEAD:
        findings.append(
            warning(
                about,
                f"its clock differs by {inspection.ahead:+.0f} s from this machine's",
                "Sync both machines' clocks with NTP.",
            )
        )
    findings.append(await _lock(url))
    return findings


async def _different(url: str) -> str | None:
    """Return how the tables differ from this version's, ``None`` if they do not."""
    try:
        await (await Store.open(url)).close()  # at the newest revision, so nothing is migrated
    except Different as failure:
        return failure.sentence
    except StoreError:
        return None  # what else is wrong, the other checks say
    return None


async def _lock(url: str) -> Finding:
    """Say whether a bot is using a database; only relevant if the database exists."""
    if _never_used(url):
        return ok("bot", "none runs on this database")
    try:
        if file_of(url) is None:
            number = await backups.other_connections(url)
            return ok("bot", f"{number} connections of other programs to this database")
        async with process_lock(url, max_wait=0):
            return ok("bot", "none runs on this database")
    except InUse:
        return ok("bot", "one runs on this database")
    except StoreError as failure:
        return error("bot", failure.sentence, "Let this user write to the folder of the database.")


def disks(url: str) -> Iterator[Finding]:
    """Examine the free space where the bot writes."""
    places = {"temporary": Path(tempfile.gettempdir())}
    with suppress(BadAddress):  # `database` says so
        if (file := file_of(url)) is not None:
            places["database"] = _existing(file.absolute())
    for name, place in places.items():
        free = shutil.disk_usage(place).free
        fact = f"{_size(free)} free for {name} files"
        advice = f"Make room where {place} lies; without any, no move can be saved."
        if free < _TOO_LITTLE:
            yield error("disk", fact, advice)
        elif free < _LITTLE:
            yield warning("disk", fact, advice)
        else:
            yield ok("disk", fact)
        if not os.access(place, os.W_OK):
            yield error(
                "disk",
                f"{place} cannot be written to",
                "Make it writable for the user who runs the bot.",
            )


async def kernels() -> Finding:
    """Say whether the kernels that computers think with are compiled for this program."""
    about = "kernels"
    try:
        from ai import kernels as of_ai  # noqa: PLC0415 -- numba may not be installed

        missing = await asyncio.to_thread(of_ai.not_compiled)
    except ImportError:
        return ok(about, "not installed here, so this machine can't run workers")
    except OSError:
        # A gateway's unit forbids memory that can be both written and executed.
        return ok(about, "not examined: this service may not run compiled code, and need not")
    if missing:
        return ok(about, "not compiled yet: the first computer move takes a minute")
    return ok(about, "compiled")


def _never_used(url: str) -> bool:
    """Return whether no bot has ever locked a file: checking must not create a lock."""
    file = file_of(url)
    return file is not None and not Path(f"{file}.lock").exists()


def _existing(path: Path) -> Path:
    while not path.is_dir():
        path = path.parent
    return path


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GB" if number >= 1 << 30 else f"{number / (1 << 20):.0f} MB"
