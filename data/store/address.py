"""Addresses of databases, as operators and hosters write them, for every client that connects.

Those of PostgreSQL follow libpq, whose parameters asyncpg and SQLAlchemy only partly know. Here each
is passed on, safe to leave out, or refused with what to do. asyncpg itself reads the parameters for
encryption as libpq does, if they come in its own form of address, its ``dsn``.
"""

from __future__ import annotations

import os
import re
import ssl
from difflib import get_close_matches
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from data.sql.errors import BadAddress

FORMS: Final = "It looks like sqlite:///games.db or postgresql://user:password@host/database."
"""What an address looks like."""

_HOST: Final = r"(?:\[[\w:.%]+\]|[^\s@/?#,:\[\]]*)(?::[0-9]*)?"
_SERVER: Final = re.compile(
    r"postgres(?:ql)?(?:\+asyncpg)?://"
    # Hosters' passwords are not always escaped: the shortest that leaves a proper host.
    r"(?:(?P<user>[^:/?]*?)(?::(?P<password>.*?))?@)??"
    rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?:/(?P<database>[^/?#@]*))?"
    r"(?:\?(?P<query>(?:[A-Za-z_]+=[^&]*(?:&|$))*))?"
)
_IN_QUERY: Final = re.compile(r"(?P<host>\[.*?\]|[^,]*?)(?::(?P<port>[0-9]*))?")
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_CHOICES: Final = {
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": ("postgres", "direct"),
    "target_session_attrs": ("any", "read-write", "primary"),  # the bot writes
    "channel_binding": ("disable", "prefer", "require"),
}
_PASSED: Final = (
    *("sslmode", "sslnegotiation", "target_session_attrs", "options", *_FILES),
    *("ssl_min_protocol_version", "ssl_max_protocol_version"),
)
"""Parameters that asyncpg and the programs of PostgreSQL get."""
_NOT_NEEDED: Final = (
    *("application_name", "client_encoding", "connect_timeout", "fallback_application_name"),
    *("gssencmode", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval"),
    *("prepared_statement_cache_size", "sslcompression", "sslsni", "tcp_user_timeout", "timeout"),
)
"""Parameters without which the bot works: it has its own names, time limits and checks."""
_PLACE: Final[tuple[str, ...]] = ("user", "password", "host", "port", "dbname")
_OWN_ROOT: Final = Path("~/.postgresql/root.crt")
_TRUSTED: Final = "/etc/ssl/certs/ca-certificates.crt"


def address(url: str) -> URL:
    """Return a database's address, checked; one of a server as the arguments of asyncpg.

    Raises:
        BadAddress: it cannot be used; the error shows nothing of it but parameters and files.
    """
    url = url.strip()
    if url.startswith("postgres"):
        return _server(url)
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        # Not chained: the address must not be shown, as it may contain a password.
        raise _bad(f"cannot be read. {FORMS}") from None
    if read.drivername not in {"sqlite", "sqlite+aiosqlite"}:
        raise _bad(f"cannot be read. {FORMS}")
    if read.database in {None, "", ":memory:"}:
        raise _bad(f"names no file. {FORMS}")
    return read.set(drivername="sqlite+aiosqlite")


def file_of(url: str) -> Path | None:
    """Return the file of a SQLite database, ``None`` for a server."""
    parsed: URL = address(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def libpq_variables(url: URL) -> dict[str, str]:
    """Return the environment in which the programs of PostgreSQL connect to an address.

    Unlike their arguments, no other user can see it.
    """
    given = dict(parse_qsl(urlsplit(str(url.query.get("dsn", ""))).query))
    if "host" in given:
        given["host"] = re.sub(r"[\[\]]", "", given["host"])  # around an IPv6 address
    place = {"user": url.username, "password": url.password, "database": url.database}
    given |= {name: value for name, value in place.items() if value is not None}
    return {f"PG{name.replace('_', '').upper()}": value for name, value in given.items()}


def _bad(what: str) -> BadAddress:
    return BadAddress(f"The address of the database {what}")


def _server(url: str) -> URL:
    read = _SERVER.fullmatch(url)
    if read is None:
        raise _bad(
            f"cannot be read. {FORMS} In the password, write % as %25, / as %2F, ? as %3F and @ as %40."
        )
    query = dict(item.split("=", 1) for item in (read["query"] or "").split("&") if item)
    given = {name: unquote(value) for name, value in query.items() if value}
    place = {name: given.pop(name) for name in _PLACE if name in given}
    user, password, database = (
        place.get(name) or unquote(read[group] or "")
        for name, group in (("user", "user"), ("password", "password"), ("dbname", "database"))
    )
    if not (database or user):
        raise _bad(f"names no database. {FORMS}")
    hosts, ports = _hosts(place.get("host") or unquote(read["hosts"]), place.get("port"))
    passed = hosts | ports | _parameters(given)
    return URL.create(
        "postgresql+asyncpg",
        username=user or None,
        password=password or None,
        database=database or user,
        query={"dsn": f"postgresql://?{urlencode(passed)}"} if passed else {},
    )


def _hosts(hosts: str, ports: str | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return the hosts and their ports, separated by commas: names, addresses or folders of sockets."""
    found = [read for one in hosts.split(",") if (read := _IN_QUERY.fullmatch(one))]
    if ports is None and any(one["port"] for one in found):
        ports = ",".join(one["port"] or "5432" for one in found)
    if ports and not all(one.isdecimal() and int(one) <= 65_535 for one in ports.split(",")):
        raise _bad("has a port that is none.")
    if ports and ports.count(",") not in {0, len(found) - 1}:
        raise _bad("has more hosts than ports, or fewer.")
    named = [one["host"] for one in found]
    return {"host": ",".join(named)} if any(named) else {}, {"port": ports} if ports else {}


def _parameters(given: dict[str, str]) -> dict[str, str]:
    """Return the parameters that asyncpg gets; raise BadAddress for those that it cannot fulfil."""
    if (short := given.pop("ssl", None)) is not None:  # as SQLAlchemy and Node write it
        modes = {"true": "require", "1": "require", "false": "disable", "0": "disable"}
        given.setdefault("sslmode", modes.get(short, short))
    if given.pop("pgbouncer", "false") != "false":
        raise _bad(
            "leads to PgBouncer (pgbouncer=true). The bot holds locks and listens, so it needs its own "
            "connections: use the address of the server itself."
        )
    for name in given:
        if name not in (*_PASSED, *_NOT_NEEDED, "channel_binding"):
            near = get_close_matches(name, (*_PASSED, *_PLACE), n=1)
            hint = f"Did you mean {near[0]}?" if near else "Remove it."
            raise _bad(f"has a parameter that the bot does not know. {hint} {FORMS}")
    for name, values in _CHOICES.items():
        if given.get(name, values[0]) not in values:
            raise _bad(f"has a {name} that the bot cannot use. It can be {', '.join(values)}.")
    _check_certificates(given)
    if given.get("channel_binding") == "require" and given.get("sslmode") != "verify-full":
        raise _bad(
            "has channel_binding=require, which the bot's driver lacks. Replace it by "
            "sslmode=verify-full&sslrootcert=system: that proves, too, that it is your server."
        )
    return {name: given[name] for name in _PASSED if name in given}


def _check_certificates(given: dict[str, str]) -> None:
    """Check that the files exist, and put the one that this machine trusts for ``system``."""
    if given.get("sslrootcert") == "system":
        if given.setdefault("sslmode", "verify-full") != "verify-full":
            raise _bad("has sslrootcert=system, which needs sslmode=verify-full.")
        given["sslrootcert"] = ssl.get_default_verify_paths().cafile or _TRUSTED
    for name in _FILES:
        if name in given and not os.access(given[name], os.R_OK):
            raise _bad(f"names a file that cannot be read: {name}={given[name]}.")
    known = {"sslrootcert", "PGSSLROOTCERT"} & {*given, *os.environ}
    if (
        given.get("sslmode", "").startswith("verify")
        and not known
        and not _OWN_ROOT.expanduser().exists()
    ):
        raise _bad(
            "lacks sslrootcert=FILE, the certificate by which to verify the server's. With "
            "sslrootcert=system, it is verified by those that this machine trusts."
        )
