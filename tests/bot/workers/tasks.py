"""Tasks that go wrong in every way, for real worker processes."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

from engine import registry
from engine.replay import final

if TYPE_CHECKING:
    from collections.abc import Mapping


def endless(**_: Any) -> None:
    """Never end."""
    while True:
        pass


def dies(**_: Any) -> None:
    """Die midway, as when the machine runs out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def fails(**_: Any) -> None:
    """Raise an error."""
    raise LookupError("nothing comes to mind")


def talks(**_: Any) -> str:
    """Print to where answers are read from."""
    print("an unexpected remark")  # noqa: T201 - that is what it is for
    return "said"


def greedy(**_: Any) -> int:
    """Need more memory than there is."""
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


TASKS = {
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
THINK_DIES = {"think": dies}
THINK_ENDLESS = {"think": endless}
THINK_FAILS = {"think": fails}
THINK_ILLEGAL = {"think": illegal}
ANALYSE_DIES = {"analyse": dies}
CHECK_ENDLESS = {"check": endless}
CHECK_GREEDY = {"check": greedy}
