"""Dash, a race for two or three with a die and two runners each. Only the tests know it."""

from __future__ import annotations

from .rules import Dash

GAME = Dash()
