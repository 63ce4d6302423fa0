"""A Discord bot for board games, played turn by turn."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Final


def _stay_here() -> None:
    """Import what comes later, and start workers, from the folder in which this process started.

    It may be reached through a link, which an upgrade points at the next version. It is done here,
    before any package is imported, as packages remember their folder.
    """
    sys.path[:] = [os.path.realpath(one) for one in sys.path]
    folder, name = os.path.split(sys.executable)
    sys.executable = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 -- `name` may be a link


_stay_here()

_ROOT: Final = Path(__file__).parents[1]
VERSION: Final[str] = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["version"]
"""The program's version: breaks older data or settings, new features, fixes. From its only source."""
_HASH: Final = re.compile(r"(?:^|-g)([0-9a-f]{7,40})$")
_SECONDS: Final = 5.0


@cache
def full_version(root: Path = _ROOT) -> str:
    """Return "0.2.0" for a release, "0.2.0 (abc1234)" for any other known commit.

    A clone is asked with git. An image has a file ``commit`` instead, which its build writes; both
    have what ``git describe --tags --always`` says. It takes some milliseconds the first time.
    """
    found = _HASH.search(_described(root))
    return f"{VERSION} ({found[1]})" if found else VERSION


def _described(root: Path) -> str:
    written = root / "commit"
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    if not (root / ".git").exists():
        return ""
    # Git trusts a folder of another user, as that of a service is, only if it is named.
    command = ["git", f"--git-dir={root / '.git'}", "describe", "--tags", "--always"]
    try:
        done = subprocess.run(  # noqa: S603 -- nothing in it is from outside
            [*command, "--match", f"v{VERSION}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return ""  # git is not installed, or its folder cannot be read
    return done.stdout.strip()
