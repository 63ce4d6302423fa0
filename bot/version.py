"""The version of the program: that of ``pyproject.toml``, the one place where it stands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

VERSION: Final[str] = tomllib.loads(
    (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]
"""Three numbers: what does not understand older data or settings, what is new, what is mended."""
