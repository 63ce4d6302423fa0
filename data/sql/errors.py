"""The errors of the store.

    StoreError
    ├── Unusable            there is no usable database at this address, or it broke
    │   ├── BadAddress      the address is wrong, so trying again is no use
    │   ├── Away            it is out of reach, or occupied, and may come back
    │   └── InUse           another program is using it
    ├── TooNew              a newer version of the program has written this database
    ├── Different           its tables are not those of this version of the program
    ├── Full                no room left on the disk
    ├── Busy                others kept the database occupied for too long
    └── StalePly …          of `data.matches.matches`

Those named here are about the database: ``Store.open``, ``write`` and ``read`` raise them, and so
does any statement. The others are about one row and leave the transaction usable. Every error
has one sentence for the person affected, which is also its ``str``; it never contains an address
or a password.
"""

from __future__ import annotations

import sqlite3
import ssl
from typing import Final

from sqlalchemy.exc import InternalError, PendingRollbackError, SQLAlchemyError


class StoreError(Exception):
    """Base class of the store's errors."""

    def __init__(self, sentence: str) -> None:
        """Keep the sentence to show."""
        super().__init__(sentence)
        self.sentence = sentence


class Unusable(StoreError):
    """There is no usable database at this address, or it broke."""


class BadAddress(Unusable):
    """The address is wrong, in itself or for its server: trying again is no use."""


class Away(Unusable):
    """The database is out of reach, or occupied by others: it may come back by itself."""


class InUse(Unusable):
    """Another program is using this database."""


class TooNew(StoreError):
    """A newer version of the program has written this database."""


class Different(StoreError):
    """The tables are not those of this version of the program."""


class Full(StoreError):
    """There is no room left where the database lives; nothing was written."""


class Busy(StoreError):
    """Others kept the database occupied for too long; nothing was written."""


_FULL = "The disk with the database is full. Nothing was saved. Please make room and try again."
BUSY = "The database is busy. Nothing was saved. Please try again in a moment."
_READ_ONLY = "The database cannot be written to. Please check the rights of its file and folder."
_BROKEN = "The file is not a usable database: damaged, or of another kind. Restore a good copy."
_NO_FILE = "The database file cannot be opened. Please check that its folder exists and its rights."
_DISK = "The disk failed while the database was in use. Please check the disk."
_AWAY = "The database cannot be reached. Please check that it is running, and its address."
_LOGIN = (
    "The database refused the login. Please check the user and the password, and what pg_hba.conf "
    "allows. In an address, the % of a password is written %25."
)
_RIGHTS = "The user lacks rights to the database. Please make it the owner of the database."
_POOLER = (
    "A pooler such as PgBouncer refuses the bot's settings. The bot holds locks and listens, so please use "
    "the address of the server itself."
)
_OPTIONS = "The server does not know a setting in the options= of its address."
_NO_TLS = "The server offers no encryption, which its address demands (sslmode)."
_CERTIFICATE = (
    "The server's certificate is not the one its address demands: signed by sslrootcert, still valid and, "
    "with sslmode=verify-full, for the server's name."
)
_NO_DATABASE = "There is no database of that name on the server. Please create it first."

_SQLITE: Final = {
    sqlite3.SQLITE_FULL: Full(_FULL),
    sqlite3.SQLITE_BUSY: Busy(BUSY),
    sqlite3.SQLITE_LOCKED: Busy(BUSY),
    sqlite3.SQLITE_READONLY: Unusable(_READ_ONLY),
    sqlite3.SQLITE_PERM: Unusable(_READ_ONLY),
    sqlite3.SQLITE_CORRUPT: Unusable(_BROKEN),
    sqlite3.SQLITE_NOTADB: Unusable(_BROKEN),
    sqlite3.SQLITE_CANTOPEN: Unusable(_NO_FILE),
    sqlite3.SQLITE_IOERR: Unusable(_DISK),
}
_POSTGRESQL: Final = {
    "53100": Full(_FULL),
    "53200": Full(_FULL),
    "53300": Busy(BUSY),
    "40001": Busy(BUSY),
    "40P01": Busy(BUSY),
    "55P03": Busy(BUSY),
    "57014": Busy(BUSY),
    "25006": Unusable(_READ_ONLY),
    "25P03": Away(_AWAY),  # the transaction was left idle for too long
    "42501": Unusable(_RIGHTS),
    "28000": BadAddress(_LOGIN),
    "28P01": BadAddress(_LOGIN),
    "3D000": BadAddress(_NO_DATABASE),
    "XX001": Unusable(_BROKEN),
    "XX002": Unusable(_BROKEN),
}
_POSTGRESQL_CLASSES: Final = {
    "08": Away(_AWAY),  # connection
    "57": Away(_AWAY),  # shutdown, restart, start-up
    "58": Unusable(_DISK),
}

_REFUSED: Final = {
    "08P01": ("startup parameter", BadAddress(_POOLER)),
    "42704": ("unrecognized configuration parameter", BadAddress(_OPTIONS)),
}
"""What a server says of an address that leads elsewhere or asks too much, with a part of its message."""


class translating:  # noqa: N801 -- used like a function
    """Raises the store's errors in place of SQLAlchemy's and drivers'.

    Every statement is run in it, and a generator would take twice as long.
    """

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, _: type[BaseException] | None, failure: BaseException | None, __: object
    ) -> None:
        """Raise the store's error for a driver's."""
        if isinstance(failure, (SQLAlchemyError, sqlite3.Error, OSError)):
            error = translated(failure)
            if error is not None:
                raise error from failure


def translated(failure: Exception) -> StoreError | None:
    """Return the store's error for a driver's, ``None`` for a defect of the program.

    Constraint violations and faulty statements are defects, left unchanged for the log.
    """
    if isinstance(failure, ssl.SSLCertVerificationError):
        return BadAddress(_CERTIFICATE)
    if isinstance(failure, OSError):
        return BadAddress(_NO_TLS) if "rejected SSL upgrade" in str(failure) else Away(_AWAY)
    known = _known(failure)
    # A new instance each time, since exceptions collect tracebacks.
    return None if known is None else type(known)(known.sentence)


def _known(failure: Exception) -> StoreError | None:
    cause = getattr(failure, "orig", failure)
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    state = getattr(cause, "sqlstate", None)
    if state in _REFUSED and _REFUSED[state][0] in str(cause):
        return _REFUSED[state][1]
    if state is not None:
        return _POSTGRESQL.get(state) or _POSTGRESQL_CLASSES.get(state[:2])
    # A connection cut at a bad moment leaves the driver, or SQLAlchemy, in an intermediate state.
    in_the_middle = isinstance(failure, InternalError | PendingRollbackError)
    lost = in_the_middle or getattr(failure, "connection_invalidated", False)
    return Away(_AWAY) if lost else None
