"""The view that processes sharing a PostgreSQL database have of each other.

Times are by the database server's clock, since machines' clocks differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Column, Index, Integer, bindparam, false, func, select, text

from data.sql.columns import Document, Flag, table
from data.sql.transaction import Record

processes = table(
    "processes",
    rows={
        "id": str,
        "role": str,
        "version": str,
        "started_at": datetime,
        "heartbeat_at": datetime,
        "draining": bool,
        "replaces": bool,
    },
)
"""The processes that work on this database, each with the time of its last heartbeat."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard and its owner."""

    number: int
    epoch: int
    """How often it has changed owners."""
    owner: str | None
    wanted_by: str | None
    """The process taking it over from its owner."""
    connected: bool
    """Whether that process is already connected to Discord."""


shards = table(
    "shards",
    Column("epoch", Integer, nullable=False, server_default="0"),
    Column("connected", Flag, nullable=False, server_default=false()),
    Column("handled", Document),
    Index("ix_shards_owner", "owner"),
    rows=Shard,
    key=("number",),
)

identifies = table("identifies", rows={"bucket": int, "next_at": datetime}, key=("bucket",))
"""When the next shard of each bucket may identify with Discord."""

GATEWAY: Final = "gateway"
WORKER: Final = "worker"
WEB: Final = "web"
"""Serves the page in the browser."""

_AGE = func.extract("epoch", func.clock_timestamp() - processes.c.heartbeat_at)
_LIFE = func.extract("epoch", func.clock_timestamp() - processes.c.started_at)
PROCESSES: Final = select(
    processes.c.id,
    processes.c.role,
    _AGE.label("silent"),
    _LIFE.label("age"),
    processes.c.draining,
    processes.c.replaces,
)
SHARDS: Final = select(
    shards.c.number, shards.c.epoch, shards.c.owner, shards.c.wanted_by, shards.c.connected
)

BEGIN: Final = text(
    "INSERT INTO processes (id, role, version, started_at, heartbeat_at, draining, replaces) "
    "VALUES (:id, :role, :version, clock_timestamp(), clock_timestamp(), false, :replaces)"
)
BEAT: Final = text(
    "UPDATE processes SET heartbeat_at = clock_timestamp(), draining = :draining WHERE id = :id"
)
END: Final = text("DELETE FROM processes WHERE id = :id")
DISMISS: Final = text(
    "DELETE FROM processes "
    "WHERE id = :id AND heartbeat_at < clock_timestamp() - make_interval(secs => :silent)"
)
KNOWN: Final = text("SELECT 1 FROM processes WHERE id = :id")
TERMINATE: Final = text(
    "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity "
    "WHERE application_name = :name AND datname = current_database() AND pid <> pg_backend_pid()"
)
ADD: Final = text("INSERT INTO shards (number) VALUES (:number) ON CONFLICT DO NOTHING")
TAKE: Final = text(
    "UPDATE shards SET owner = :id, epoch = epoch + 1, handled = NULL, wanted_by = NULL, "
    "connected = false WHERE number = :number AND owner IS NOT DISTINCT FROM :owner"
)
WANT: Final = text(
    "UPDATE shards SET wanted_by = :id, connected = false WHERE number = :number "
    "AND owner = :owner AND wanted_by IS NOT DISTINCT FROM :seen"
)
CONNECTED: Final = text(
    "UPDATE shards SET connected = true WHERE number = :number AND wanted_by = :id"
)
GIVE: Final = text(
    "UPDATE shards SET owner = wanted_by, epoch = epoch + 1, handled = :handled, "
    "wanted_by = NULL, connected = false WHERE number = :number AND owner = :id"
).bindparams(bindparam("handled", type_=shards.c.handled.type))
RELEASE: Final = text("UPDATE shards SET owner = NULL WHERE owner = :id AND number = :number")
HANDLED: Final = select(shards.c.handled).where(shards.c.number == bindparam("number"))
IDENTIFY: Final = text(
    "INSERT INTO identifies (bucket, next_at) "
    "VALUES (:bucket, clock_timestamp() + make_interval(secs => :seconds)) "
    "ON CONFLICT (bucket) DO UPDATE SET next_at = excluded.next_at "
    "WHERE identifies.next_at + make_interval(secs => :later) <= clock_timestamp()"
)
NEXT_IDENTIFY: Final = text(
    "SELECT extract(epoch FROM next_at - clock_timestamp()) + :later FROM identifies "
    "WHERE bucket = :bucket"
)
LOCK_COUNT: Final = text("SELECT pg_advisory_lock(:key)")
UNLOCK_COUNT: Final = text("SELECT pg_advisory_unlock(:key)")
COUNT: Final = text(
    "WITH living AS (SELECT id FROM processes WHERE role = 'gateway' AND id <> :id "
    "AND heartbeat_at > clock_timestamp() - interval '8 seconds') "
    "INSERT INTO key_values (key, value) VALUES ('shards', :count) ON CONFLICT (key) DO UPDATE "
    "SET value = CASE WHEN EXISTS (SELECT 1 FROM living WHERE id IN (SELECT owner FROM shards) "
    "OR id = ANY (SELECT unnest(string_to_array(agreed.value, ',')) FROM key_values AS agreed "
    "WHERE agreed.key = 'shards_agreed')) "
    "THEN key_values.value ELSE excluded.value END RETURNING value"
)
"""The first gateway's number of shards applies to all that live and join it.

A gateway that has not asked yet does not count, or of those that start at once each would keep the
number of an earlier run.
"""
AGREED: Final = text(
    "INSERT INTO key_values (key, value) VALUES ('shards_agreed', :id) ON CONFLICT (key) DO UPDATE "
    "SET value = concat_ws(',', (SELECT string_agg(id, ',') FROM processes WHERE id <> :id "
    "AND id = ANY (string_to_array(key_values.value, ','))), excluded.value)"
)
"""Notes the gateways that know the number, until they end."""
UNOWNED: Final = text(
    "SELECT count(*) FROM shards "
    "WHERE number < (SELECT value::integer FROM key_values WHERE key = 'shards') "
    "AND NOT EXISTS (SELECT 1 FROM processes WHERE id = shards.owner "
    "AND heartbeat_at > clock_timestamp() - interval '30 seconds')"
)
"""Counts the shards without an owner, or with one that has died."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that works on the database."""

    id: str
    role: str
    silent: float
    """Seconds since its last heartbeat."""
    age: float
    """Seconds since its start."""
    draining: bool
    """Whether it is shutting down and handing over its shards."""
    replaces: bool
    """Whether it takes over everything older processes have."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """All processes and shards at one point in time."""

    processes: tuple[Process, ...]
    shards: tuple[Shard, ...]

    @classmethod
    def of(cls, processes_: Iterable[Record], shards_: Iterable[Record]) -> Cluster:
        """Build a cluster from database rows."""
        found = (
            Process(row[0], row[1], float(row[2]), float(row[3]), *row[4:]) for row in processes_
        )
        return cls(tuple(found), tuple(Shard(*row) for row in shards_))

    def process(self, process_id: str | None) -> Process | None:
        """Return a process, ``None`` if it does not exist."""
        return next((one for one in self.processes if one.id == process_id), None)

    def with_max_silence(self, seconds: float) -> Cluster:
        """Return a copy in which no process has been silent for longer than some seconds."""
        processes = (replace(one, silent=min(one.silent, seconds)) for one in self.processes)
        return replace(self, processes=tuple(processes))

    @property
    def gateways(self) -> tuple[Process, ...]:
        """The processes that can own shards, oldest first."""
        found = (one for one in self.processes if one.role == GATEWAY)
        return tuple(sorted(found, key=lambda one: (-one.age, one.id)))
