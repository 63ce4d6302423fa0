"""Ends a program quietly when nobody reads its output any more, as in ``… | head``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from typing import Final

UNREAD: Final = 141
"""The exit status then: that of a program ended by SIGPIPE, as shells report it."""


def unread() -> bool:
    """Return whether output is waiting that nobody will read."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return True
    return False


def quietly(main: Callable[[], int]) -> int:
    """Run a program and return its exit status, `UNREAD` if the reader of its output goes.

    SIGPIPE itself would also end a server that writes to a closed connection.
    """
    try:
        return main()
    except BrokenPipeError:
        if not unread():
            raise
        return UNREAD
    finally:
        if unread():  # Python would complain of it on exit
            sys.stdout = StringIO()
