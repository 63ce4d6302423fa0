"""Tablan, a running-fight game from Mysore, from Walker's leaflet or Bell's."""

from __future__ import annotations

from engine.games.tablan.rules import Tablan

GAME = Tablan()
