"""Chores that go wrong in every way, done in real worker processes."""

from __future__ import annotations

import os
import signal
from typing import Any

from engine import registry
from engine.replay import final


def endless(**_: Any) -> None:
    """Never come to an end."""
    while True:
        pass


def dies(**_: Any) -> None:
    """Die in the middle of it, as when the machine has no memory left."""
    os.kill(os.getpid(), signal.SIGKILL)


def fails(**_: Any) -> None:
    """Raise an error."""
    raise LookupError("nothing comes to mind")


def talks(**_: Any) -> str:
    """Print where answers are read from."""
    print("an unexpected remark")  # noqa: T201 - that is what it is for
    return "said"


def illegal(**_: Any) -> dict[str, Any]:
    """Think of a move that is not legal."""
    return {"notation": "a1-a9"}


def last(
    game: str, options: dict[str, str], players: int, log: list[str], **_: Any
) -> dict[str, Any]:
    """Play the last legal move."""
    known = registry.game(game)
    state = final(known, log, options, players)
    return {"notation": known.write(known.legal_moves(state)[-1])}


CHORES = {
    "endless": endless,
    "dies": dies,
    "fails": fails,
    "talks": talks,
    "pid": os.getpid,
    "nice": lambda: os.nice(0),
    "secrets": lambda: sorted({"DISCORD_TOKEN", "DATABASE_URL"} & set(os.environ)),
    "last": last,
    "think": last,
}
