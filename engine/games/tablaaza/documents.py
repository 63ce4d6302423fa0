"""The document's rules, by name, in our own words."""

from __future__ import annotations

from typing import Final

from engine.rule import Document, Rule

DOCUMENTS: Final = (Document("", "Andrew Perkis, Tablaaza (2005)"),)

EQUIPMENT: Final = Rule(
    "",
    "Equipment",
    "The city has fifty plots, red and green by turns, round two lakes where nobody builds; "
    "both sides use the same stones, and pavilions have pieces of their own.",
)
PLAY: Final = Rule(
    "",
    "Play",
    "The board starts empty and Red begins; in turn each side puts one stone on a vacant plot "
    "of its own colour, and nobody may pass.",
)
PAVILION: Final = Rule(
    "",
    "Pavilion",
    "If after your stone all plots of your colour in the row and column of a vacant plot of "
    "the other colour are occupied, as far as lakes and edges reach, a pavilion rises there, "
    "and nobody plays on it again; one stone may raise several.",
)
OBJECTIVE: Final = Rule(
    "",
    "Objective",
    "The side that has no vacant plot left to play on has lost: the last to play a stone wins.",
)
NEIGHBOURLY: Final = Rule(
    "",
    "Neighbourly",
    "Green's first stone must stand beside Red's, or where a chess knight on Red's plot could "
    "go without leaping over a lake.",
)

RULES: Final = (EQUIPMENT, PLAY, PAVILION, OBJECTIVE, NEIGHBOURLY)
