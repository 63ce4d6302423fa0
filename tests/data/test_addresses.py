"""Addresses of databases as hosters write them: what the bot and PostgreSQL's programs make of them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import asyncpg.connect_utils  # type: ignore[import-untyped]
import pytest
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from data.sql.errors import BadAddress
from data.store.address import address, libpq_variables

FULL = {"PGUSER": "ann", "PGPASSWORD": "pw", "PGDATABASE": "games", "PGHOST": "db.example"}
PLACE = "ann:pw@db.example"


def driver_reads(url: str) -> tuple[list[object], dict[str, object]]:
    """Return where asyncpg connects to at an address, and how."""
    _, given = dialect().create_connect_args(address(url))  # type: ignore[no-untyped-call]
    settings = dict.fromkeys(
        ("host", "port", "passfile", "ssl", "service", "servicefile", "direct_tls"), None
    ) | dict.fromkeys(("target_session_attrs", "krbsrvname", "gsslib", "user", "password"), None)
    places, read = asyncpg.connect_utils._parse_connect_dsn_and_args(
        **{
            **settings,
            "dsn": None,
            "database": None,
            "server_settings": {"application_name": "games"},
            **given,
        }
    )
    return places, read._asdict()


@pytest.mark.parametrize(
    ("url", "places", "variables"),
    [
        (f"postgres://{PLACE}/games", [("db.example", 5432)], FULL),
        (f"postgresql://{PLACE}:6432/games", [("db.example", 6432)], FULL | {"PGPORT": "6432"}),
        (f"postgresql+asyncpg://{PLACE}/games?", [("db.example", 5432)], FULL),
        (f"  postgres://{PLACE}/games\n", [("db.example", 5432)], FULL),
        ("postgresql://ann:pw@[::1]:6432/games", [("::1", 6432)], {"PGHOST": "::1"}),
        (
            "postgresql://ann:pw@one:1,two/games?target_session_attrs=read-write",
            [("one", 1), ("two", 5432)],
            {"PGHOST": "one,two", "PGPORT": "1,5432", "PGTARGETSESSIONATTRS": "read-write"},
        ),
        (
            "postgresql://ann@/games?host=/run/postgresql&port=5433",
            ["/run/postgresql/.s.PGSQL.5433"],
            {"PGHOST": "/run/postgresql", "PGPORT": "5433", "PGUSER": "ann"},
        ),
        (
            "postgresql:///games?host=/run/postgresql:5433&user=ann&password=p%23w",
            ["/run/postgresql/.s.PGSQL.5433"],
            {"PGHOST": "/run/postgresql", "PGUSER": "ann", "PGPASSWORD": "p#w"},
        ),
        (
            "postgresql://ann@%2Frun%2Fpostgresql:5433/games",
            ["/run/postgresql/.s.PGSQL.5433"],
            {"PGHOST": "/run/postgresql", "PGPORT": "5433"},
        ),
        ("postgresql://ann:pw@db.example", [("db.example", 5432)], {"PGDATABASE": "ann"}),
        ("postgresql://ann:pw@db/x?dbname=games", [("db", 5432)], {"PGDATABASE": "games"}),
    ],
)
def test_hosts_ports_and_sockets_mean_what_they_mean_to_postgresql(
    url: str, places: list[object], variables: dict[str, str]
) -> None:
    found, read = driver_reads(url)
    assert found == places
    known = libpq_variables(address(url))
    assert known | variables == known
    assert (read["user"], read["database"]) == (known["PGUSER"], known["PGDATABASE"])


@pytest.mark.parametrize(
    "password",
    [
        "p@ss",
        "p/ss",
        "p#ss",
        "100%",
        "50%off",
        "a@b/c#d%e",
        "p:ss",
        "p?ss",
        "p+s s",
        "@",
        "/@/",
        "é&=x",
    ],
)
@pytest.mark.parametrize(
    "rest", ["db.example/games", "db:5432/games?sslmode=require", "[::1]/games"]
)
def test_passwords_work_with_and_without_escapes(password: str, rest: str) -> None:
    for written in (password, quote(password, safe="")):
        url = f"postgres://ann:{written}@{rest}"
        _, read = driver_reads(url)
        assert (read["user"], read["password"], read["database"]) == ("ann", password, "games")
        assert libpq_variables(address(url))["PGPASSWORD"] == password
        assert password not in repr(address(url)) or password == "/@/" or len(password) < 2


def test_a_user_may_contain_an_at_sign() -> None:
    for url in ("postgres://ann@server:p@ss@db/games", "postgres://db/games?user=ann@server"):
        assert libpq_variables(address(url))["PGUSER"] == "ann@server"


@pytest.mark.parametrize(
    "parameter",
    [
        "application_name=theirs",
        "connect_timeout=10",
        "connect_timeout=10&keepalives=1&keepalives_idle=30",
        "client_encoding=utf8",
        "pgbouncer=false",
        "channel_binding=prefer",
        "gssencmode=disable",
    ],
)
def test_what_the_bot_does_without_is_left_out(parameter: str) -> None:
    plain, url = f"postgres://{PLACE}/games", f"postgres://{PLACE}/games?{parameter}"
    assert driver_reads(url)[1]["server_settings"] == {"application_name": "games"}
    assert libpq_variables(address(url)) == libpq_variables(address(plain))


@pytest.mark.parametrize(
    ("parameter", "mode"),
    [
        ("sslmode=disable", "disable"),
        ("sslmode=require", "require"),
        ("ssl=require", "require"),
        ("ssl=true", "require"),
        ("ssl=false", "disable"),
    ],
)
def test_encryption_is_what_the_address_demands(parameter: str, mode: str) -> None:
    url = f"postgres://{PLACE}/games?{parameter}"
    assert driver_reads(url)[1]["sslmode"].name == mode  # type: ignore[attr-defined]
    assert libpq_variables(address(url))["PGSSLMODE"] == mode


def test_options_reach_the_server() -> None:
    url = f"postgres://{PLACE}/games?options=-c%20search_path%3Dgames"
    settings = {"application_name": "games", "options": "-c search_path=games"}
    assert driver_reads(url)[1]["server_settings"] == settings
    assert libpq_variables(address(url))["PGOPTIONS"] == settings["options"]


@pytest.mark.parametrize(
    ("parameter", "advice"),
    [
        ("sslmod=require", "Did you mean sslmode?"),
        ("schema=public", "Remove it."),
        ("sslmode=on", "disable, allow, prefer, require"),
        ("target_session_attrs=standby", "any, read-write, primary"),
        ("pgbouncer=true", "the address of the server itself"),
        ("channel_binding=require", "sslmode=verify-full&sslrootcert=system"),
        ("channel_binding=require&sslmode=require", "sslmode=verify-full&sslrootcert=system"),
        ("sslmode=verify-full", "lacks sslrootcert=FILE"),
        ("sslmode=verify-full&sslrootcert=/not/there.crt", "sslrootcert=/not/there.crt"),
        ("sslmode=require&sslrootcert=system", "needs sslmode=verify-full"),
        ("port=twelve", "a port"),
        ("port=1,2", "more hosts than ports"),
    ],
)
def test_what_cannot_work_says_what_to_do(
    parameter: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(BadAddress) as error:
        address(f"postgres://ann:hunter2@db.example/games?{parameter}")
    assert advice in error.value.sentence
    assert "hunter2" not in error.value.sentence


def test_a_bound_channel_is_not_needed_where_the_server_proves_itself(tmp_path: Path) -> None:
    (tmp_path / "root.crt").touch()
    end = f"sslmode=verify-full&sslrootcert={tmp_path}/root.crt"
    url = address(f"postgres://{PLACE}/games?channel_binding=require&{end}")
    assert libpq_variables(url)["PGSSLROOTCERT"] == f"{tmp_path}/root.crt"
