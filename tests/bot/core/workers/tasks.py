"""Tasks that fail in every possible way, for real worker processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from bot.core.workers import report
from engine import registry
from engine.replay import final


def endless(**_: Any) -> None:
    """Never end."""
    while True:
        pass


def dies(**_: Any) -> None:
    """Die midway, as if the machine ran out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def fails(**_: Any) -> None:
    """Raise an error."""
    raise LookupError("nothing comes to mind")


def talks(**_: Any) -> str:
    """Print to the stream that carries answers."""
    print("an unexpected remark")  # noqa: T201 - printing is its purpose
    return "said"


def greedy(**_: Any) -> int:
    """Use more memory than there is."""
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def illegal(**_: Any) -> dict[str, Any]:
    """Choose an illegal move."""
    return {"notation": "a1-a9"}


def last(match: Mapping[str, Any], **_: Any) -> dict[str, Any]:
    """Choose the last legal move."""
    known = registry.game(match["slug"])
    state = final(known, match["log"], match["options"], match["players"])
    return {"notation": known.write(known.legal_moves(state)[-1])}


def slowly_fails(**_: Any) -> None:
    """Raise an error after a while."""
    report(0.5)
    time.sleep(0.5)
    raise LookupError("nothing comes to mind")


def counts() -> str:
    """Report progress, then return."""
    for quarter in range(4):
        report(quarter / 4)
    return "counted"


TASKS = {
    "counts": counts,
    "endless": endless,
    "dies": dies,
    "fails": fails,
    "talks": talks,
    "greedy": greedy,
    "pid": os.getpid,
    "nice": lambda: os.nice(0),
    "secrets": lambda: sorted({"DISCORD_TOKEN", "DATABASE_URL"} & set(os.environ)),
    "last": last,
    "think": last,
}
SLOWLY_FAILS = {"analyse": slowly_fails}
THINK_DIES = {"think": dies}
THINK_ENDLESS = {"think": endless}
THINK_FAILS = {"think": fails}
THINK_ILLEGAL = {"think": illegal}
ANALYSE_DIES = {"analyse": dies}
CHECK_ENDLESS = {"check": endless}
CHECK_GREEDY = {"check": greedy}
