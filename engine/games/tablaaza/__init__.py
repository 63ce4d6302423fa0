"""Tablaaza, a game of two tribes founding a city round two lakes, by Andrew Perkis."""

from __future__ import annotations

from engine.games.tablaaza.rules import Tablaaza

GAME = Tablaaza()
