"""Thaayam, a race game of two, three or four from the south of India, by Walker's document."""

from __future__ import annotations

from engine.games.thaayam.rules import Thaayam

GAME = Thaayam()
