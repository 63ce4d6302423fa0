"""Dash, a race for two or three with a die and two runners each, for tests only."""

from __future__ import annotations

from .rules import Dash

GAME = Dash()
