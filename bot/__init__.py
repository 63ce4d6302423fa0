"""A Discord bot for board games, played turn by turn."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

VERSION: Final[str] = tomllib.loads(
    (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]
"""The program's version: breaks older data or settings, new features, fixes. From its only source."""
