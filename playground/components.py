"""Reads message components: buttons, menus and text in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from playground.errors import JSON

ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
SELECTS: Final = frozenset({3, 5, 6, 7, 8})
SECTION: Final = 9
TEXT: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17
LABEL: Final = 18
FILE_UPLOAD: Final = 19
RADIO_GROUP: Final = 21
CHECKBOX_GROUP: Final = 22
CHECKBOX: Final = 23

LINK_STYLES: Final = frozenset({5, 6})  # link and premium buttons send no interaction


@dataclass(frozen=True, slots=True)
class Button:
    """A button. ``custom_id`` is None if pressing it sends no interaction."""

    label: str
    custom_id: str | None
    style: int = 2
    disabled: bool = False
    url: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class SelectOption:
    """An option of a string select."""

    label: str
    value: str
    description: str | None = None
    default: bool = False


@dataclass(frozen=True, slots=True)
class SelectMenu:
    """A select menu. ``options`` is empty if it offers users, roles or channels."""

    custom_id: str
    placeholder: str | None
    options: tuple[SelectOption, ...]
    type: int = STRING_SELECT
    min_values: int = 1
    max_values: int = 1
    disabled: bool = False


def walk(tree: Sequence[JSON]) -> Iterator[JSON]:
    """Iterate over components and those nested in them, in reading order."""
    for component in tree:
        yield component
        inner = component.get("components")
        if inner:
            yield from walk(inner)
        for key in ("accessory", "component"):
            one = component.get(key)
            if one:
                yield from walk((one,))


def texts(tree: Sequence[JSON]) -> list[str]:
    """List the contents of all text displays."""
    return [str(c.get("content", "")) for c in walk(tree) if c.get("type") == TEXT]


def _button(data: JSON) -> Button:
    emoji = data.get("emoji")
    return Button(
        label=data.get("label") or "",
        custom_id=None if data.get("style") in LINK_STYLES else data.get("custom_id"),
        style=data.get("style", 2),
        disabled=bool(data.get("disabled")),
        url=data.get("url"),
        emoji=emoji.get("name") if emoji else None,
    )


def buttons(tree: Sequence[JSON]) -> list[Button]:
    """List the buttons."""
    return [_button(c) for c in walk(tree) if c.get("type") == BUTTON]


def menu(data: JSON) -> SelectMenu:
    """Read a select menu."""
    return SelectMenu(
        custom_id=str(data.get("custom_id")),
        placeholder=data.get("placeholder"),
        options=tuple(
            SelectOption(
                o["label"], o["value"], o.get("description"), default=bool(o.get("default"))
            )
            for o in data.get("options", ())
        ),
        type=data["type"],
        min_values=data.get("min_values", 1),
        max_values=data.get("max_values", 1),
        disabled=bool(data.get("disabled")),
    )


def menus(tree: Sequence[JSON]) -> list[SelectMenu]:
    """List the select menus."""
    return [menu(c) for c in walk(tree) if c.get("type") in SELECTS]


def descriptions(tree: Sequence[JSON]) -> list[str]:
    """List the alt texts of galleries and thumbnails."""
    found = []
    for component in walk(tree):
        if component.get("type") == GALLERY:
            found += [i["description"] for i in component["items"] if i.get("description")]
        elif component.get("type") == THUMBNAIL and component.get("description"):
            found.append(component["description"])
    return found
