"""Themes: a colour for every role a scene may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.scene import Ink

Rgb: TypeAlias = tuple[int, int, int]
Rgba: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """A set of matching colours."""

    name: str
    colours: Mapping[Ink, Rgba]
    """One for every :class:`Ink`; the fourth number is opacity, 255 for most."""
    grain: float
    """How far a texture departs from its colour, from 0 to 1; 0 leaves surfaces flat."""

    def rgb(self, ink: Ink) -> Rgb:
        """Return the colour of a role without its opacity."""
        return self.colours[ink][:3]


def luminance(colour: Rgb) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it, from 0 to 1."""
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _theme(name: str, grain: float, colours: Mapping[Ink, str]) -> Theme:
    return Theme(name, MappingProxyType({ink: _rgba(code) for ink, code in colours.items()}), grain)


def _rgba(code: str) -> Rgba:
    red, green, blue, *opacity = bytes.fromhex(code)
    return red, green, blue, opacity[0] if opacity else 255


_WOOD = _theme(
    "wood",
    grain=0.035,
    colours={
        Ink.PAGE: "26302c",
        Ink.PAGE_TEXT: "f1e9d8",
        Ink.PAGE_QUIET: "a9b0a2",
        Ink.PANEL: "33403a",
        Ink.FRAME: "5a3a24",
        Ink.FRAME_TEXT: "f0dcb8",
        Ink.SQUARE: "c2965f",
        Ink.SQUARE_OTHER: "b48650",
        Ink.SQUARE_HOME: "d3ad76",
        Ink.SQUARE_AWAY: "9c6640",
        Ink.SQUARE_RED: "b5573f",
        Ink.SQUARE_RED_INLAY: "8f3f2c",
        Ink.SQUARE_GREEN: "a3b270",
        Ink.SQUARE_GREEN_INLAY: "75874a",
        Ink.LINE: "6d4526",
        Ink.WATER: "4f8298",
        Ink.WATER_CREST: "a9cbd6",
        Ink.SPECIAL: "8e3f2c",
        Ink.SEAT_1: "f6efdf",
        Ink.SEAT_1_EDGE: "5a3c20",
        Ink.SEAT_2: "2b2320",
        Ink.SEAT_2_EDGE: "dfc28c",
        Ink.SEAT_3: "781f1a",
        Ink.SEAT_3_EDGE: "f3d2b4",
        Ink.SEAT_4: "163f52",
        Ink.SEAT_4_EDGE: "c9e2ea",
        Ink.LAST: "f2c14e",
        Ink.CHOICE: "8fe0b0",
        Ink.ALERT: "d8412f",
        Ink.ALERT_TEXT: "fff6ea",
        Ink.STICK_PLAIN: "e9cf9d",
        Ink.STICK_MARKED: "7c3526",
        Ink.SHADOW: "1a0e0670",
        Ink.LIGHT: "fff6e03c",
        Ink.GRID: "46554e",
        Ink.CURVE: "8fe0b0",
        Ink.BAND: "43604f",
        Ink.GOLD: "f2c14e",
        Ink.SILVER: "d3d9d6",
        Ink.BRONZE: "d2915c",
        Ink.ENGRAVED: "2a1c10",
    },
)

_NIGHT = _theme(
    "night",
    grain=0.045,
    colours={
        Ink.PAGE: "15181f",
        Ink.PAGE_TEXT: "dfe5ef",
        Ink.PAGE_QUIET: "8f9bb0",
        Ink.PANEL: "20252f",
        Ink.FRAME: "303b4d",
        Ink.FRAME_TEXT: "c3cede",
        Ink.SQUARE: "56657c",
        Ink.SQUARE_OTHER: "4c5a70",
        Ink.SQUARE_HOME: "64769a",
        Ink.SQUARE_AWAY: "5a4f78",
        Ink.SQUARE_RED: "914b55",
        Ink.SQUARE_RED_INLAY: "6e3742",
        Ink.SQUARE_GREEN: "61876d",
        Ink.SQUARE_GREEN_INLAY: "446a52",
        Ink.LINE: "242c39",
        Ink.WATER: "3783a8",
        Ink.WATER_CREST: "8fbdd2",
        Ink.SPECIAL: "7a5a2e",
        Ink.SEAT_1: "eef2f8",
        Ink.SEAT_1_EDGE: "4a586e",
        Ink.SEAT_2: "0e1118",
        Ink.SEAT_2_EDGE: "a9b8d2",
        Ink.SEAT_3: "8e2f4a",
        Ink.SEAT_3_EDGE: "f8dae2",
        Ink.SEAT_4: "1d5f5a",
        Ink.SEAT_4_EDGE: "bfe6df",
        Ink.LAST: "f0b84a",
        Ink.CHOICE: "6fe3c4",
        Ink.ALERT: "f2635a",
        Ink.ALERT_TEXT: "1a0d10",
        Ink.STICK_PLAIN: "cfd6e2",
        Ink.STICK_MARKED: "4a5f9e",
        Ink.SHADOW: "00000078",
        Ink.LIGHT: "d8e6ff2c",
        Ink.GRID: "323a49",
        Ink.CURVE: "6fe3c4",
        Ink.BAND: "234a4c",
        Ink.GOLD: "f0b84a",
        Ink.SILVER: "ccd5e3",
        Ink.BRONZE: "cc8f6a",
        Ink.ENGRAVED: "14161c",
    },
)

# The hues are those of Okabe and Ito, distinguishable with any colour vision.
_CONTRAST = _theme(
    "contrast",
    grain=0.0,
    colours={
        Ink.PAGE: "ffffff",
        Ink.PAGE_TEXT: "000000",
        Ink.PAGE_QUIET: "454545",
        Ink.PANEL: "e9e9e9",
        Ink.FRAME: "1c1c1c",
        Ink.FRAME_TEXT: "ffffff",
        Ink.SQUARE: "b4b4b4",
        Ink.SQUARE_OTHER: "a4a4a4",
        Ink.SQUARE_HOME: "c9d6e2",
        Ink.SQUARE_AWAY: "8d98a3",
        Ink.SQUARE_RED: "c4522a",
        Ink.SQUARE_RED_INLAY: "8a2f10",
        Ink.SQUARE_GREEN: "a8d8a0",
        Ink.SQUARE_GREEN_INLAY: "4f8f4a",
        Ink.LINE: "1c1c1c",
        Ink.WATER: "56b4e9",
        Ink.WATER_CREST: "ffffff",
        Ink.SPECIAL: "cc79a7",
        Ink.SEAT_1: "ffffff",
        Ink.SEAT_1_EDGE: "000000",
        Ink.SEAT_2: "000000",
        Ink.SEAT_2_EDGE: "ffffff",
        Ink.SEAT_3: "742900",
        Ink.SEAT_3_EDGE: "fff2e0",
        Ink.SEAT_4: "00466e",
        Ink.SEAT_4_EDGE: "e0f4ff",
        Ink.LAST: "f0e442",
        Ink.CHOICE: "0072b2",
        Ink.ALERT: "d55e00",
        Ink.ALERT_TEXT: "ffffff",
        Ink.STICK_PLAIN: "ffffff",
        Ink.STICK_MARKED: "1c1c1c",
        Ink.SHADOW: "00000000",
        Ink.LIGHT: "ffffff00",
        Ink.GRID: "c6c6c6",
        Ink.CURVE: "0072b2",
        Ink.BAND: "bcdcee",
        Ink.GOLD: "f0e442",
        Ink.SILVER: "d0d0d0",
        Ink.BRONZE: "e69f00",
        Ink.ENGRAVED: "000000",
    },
)

THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {theme.name: theme for theme in (_WOOD, _NIGHT, _CONTRAST)}
)
"""Every theme that can be chosen, by its name."""


def draft(name: str) -> str:
    """Return the name of a theme's variant for what has not been played."""
    return f"{name}, draft"


def _draft(theme: Theme, **tints: str) -> Theme:
    """Return a theme with other colours round the squares."""
    other = {Ink[ink]: _rgba(code) for ink, code in tints.items()}
    colours = MappingProxyType({**theme.colours, **other})
    return Theme(draft(theme.name), colours, theme.grain)


_DRAFTS: Final = (
    _draft(_WOOD, PAGE="2b2145", PANEL="3d3060", FRAME="54417f", FRAME_TEXT="f1e9ff"),
    _draft(_NIGHT, PAGE="231a38", PANEL="33264f", FRAME="503c78", FRAME_TEXT="eae0ff"),
    _draft(_CONTRAST, PAGE="f7f1ff", PANEL="e2d1fb", FRAME="4a1d7a", FRAME_TEXT="ffffff"),
)
ALL: Final[Mapping[str, Theme]] = MappingProxyType(
    {**THEMES, **{theme.name: theme for theme in _DRAFTS}}
)
"""The themes and their drafts."""

DEFAULT: Final = _WOOD.name
