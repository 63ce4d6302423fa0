"""Tasks that leave a trace file and then wait for permission to finish."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.bot.core.workers.tasks import last


def traces() -> Path:
    """Return the folder of trace files."""
    return Path(os.environ["TRACES"])


def think(match: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """Choose the last legal move once the file ``go`` exists."""
    (traces() / f"thought-{os.getpid()}-{time.monotonic_ns()}").touch()
    while not (traces() / "go").exists():
        time.sleep(0.01)
    return {**last(match), "evaluated": True, "others": {}}


def hint(match: Mapping[str, Any], **effort: Any) -> dict[str, Any]:
    """Choose a move and rate it at 0.9."""
    thought = think(match, **effort)
    return {**thought, "others": {thought["notation"]: 0.9}}


TASKS: Final[Mapping[str, Callable[..., Any]]] = {"think": think}
HINTS: Final[Mapping[str, Callable[..., Any]]] = {"think": hint}
