"""Tablan, a running fight game from Mysore, by the leaflet of Walker or that of Bell."""

from __future__ import annotations

from engine.games.tablan.rules import Tablan

GAME = Tablan()
