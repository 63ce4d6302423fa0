"""Files that only the user running the program may read, as they name players and hold seeds."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_folder(path: Path) -> None:
    """Create the folder of a file, and those above it, for their owner alone if they are missing.

    An existing folder keeps its permissions, as it may hold others' files.

    Raises:
        OSError: it cannot be created.
    """
    # Path.mkdir(parents=True) gives the mode to the last folder only.
    for folder in (*reversed(path.parent.parents), path.parent):
        folder.mkdir(mode=0o700, exist_ok=True)


def make(path: Path) -> None:
    """Create a file for its owner alone if it is missing; close an existing one to others."""
    with suppress(OSError):  # opening it later will say why
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    close_to_others(path)


def close_to_others(path: Path) -> None:
    """Remove all permissions on a file of ours from everyone but its owner, if it exists."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
