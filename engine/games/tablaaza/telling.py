"""What happened, in a plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tablaaza.building import risen
from engine.games.tablaaza.refusals import listed

if TYPE_CHECKING:
    from engine.games.tablaaza.state import Move, State


def sentence(before: State, move: Move) -> str:
    """Return a sentence without its subject and full stop."""
    raised = risen(before, move)
    if not raised:
        return f"builds on {move.square}"
    what = "a pavilion" if len(raised) == 1 else "pavilions"
    return f"builds on {move.square} and raises {what} on {listed(raised)}"
