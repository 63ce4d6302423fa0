"""Why a move is not legal."""
from __future__ import annotations
def reason(state, move): return None
