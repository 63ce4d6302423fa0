"""What happened, in a plain sentence."""
from __future__ import annotations
def sentence(before, move, after): return "x"
