"""Files that nobody but the user who runs the program may read: they hold who plays and seeds."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_folder(path: Path) -> None:
    """Make the folder of a file for its owner alone, where there is none.

    A folder that exists stays as it is, as others may have files in it.

    Raises:
        OSError: it cannot be made.

    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def make(path: Path) -> None:
    """Make a file for its owner alone where there is none; close one that exists to others."""
    with suppress(OSError):  # whoever opens it next learns why
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    close_to_others(path)


def close_to_others(path: Path) -> None:
    """Take every permission on a file from all but its owner, if there is such a file of ours."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
