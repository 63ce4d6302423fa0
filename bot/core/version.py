"""The program's version, read from ``pyproject.toml``, its only source."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

VERSION: Final[str] = tomllib.loads(
    (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]
"""Three numbers: breaks older data or settings, new features, fixes."""
