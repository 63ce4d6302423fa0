"""Thaayam, a race game for two to four from the south of India, from Walker's document."""

from __future__ import annotations

from engine.games.thaayam.rules import Thaayam

GAME = Thaayam()
