"""Tablut, the king and his men against a ring of attackers, as described by Damian Walker."""

from __future__ import annotations

from engine.games.tablut.rules import Tablut, Tabluts

GAME = Tabluts(Tablut())
