"""Message components as the plain dicts that Discord takes, without a Discord library.

Their texts may be phrases, translated when the layout is rendered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

Component: TypeAlias = dict[str, Any]
"""One component, including its children."""

Style: TypeAlias = Literal["primary", "secondary", "success", "danger"]

ACTION_ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
USER_SELECT: Final = 5
ROLE_SELECT: Final = 6
CHANNEL_SELECT: Final = 8
SECTION: Final = 9
TEXT_DISPLAY: Final = 10
MEDIA_GALLERY: Final = 12
FILE: Final = 13
CONTAINER: Final = 17
LABEL: Final = 18

_STYLES: Final = {"primary": 1, "secondary": 2, "success": 3, "danger": 4}
_MAX_BUTTONS_PER_ROW: Final = 5
MAX_OPTION_VALUE: Final = 100
"""Characters in a menu option's value, at most."""
TEXT_CHANNELS: Final = (0, 5)
"""Types of channels that people write in."""
FORUM: Final = 15


def text_display(words: str) -> Component:
    """Return a paragraph of Markdown."""
    return {"type": TEXT_DISPLAY, "content": words}


def section(words: str, accessory: Component) -> Component:
    """Return a paragraph of Markdown with a button beside it."""
    return {"type": SECTION, "components": [text_display(words)], "accessory": accessory}


def picture(filename: str, alt: str) -> Component:
    """Return an attached picture with its description."""
    return gallery({filename: alt})


def gallery(pictures: Mapping[str, str]) -> Component:
    """Return up to ten attached pictures side by side, as descriptions by filename."""
    items = [
        {"media": {"url": f"attachment://{filename}"}, "description": alt or None}
        for filename, alt in pictures.items()
    ]
    return {"type": MEDIA_GALLERY, "items": items}


def attached_file(filename: str) -> Component:
    """Return an attached file to download."""
    return {"type": FILE, "file": {"url": f"attachment://{filename}"}}


def button(
    custom_id: str, label: str, *, style: Style = "secondary", disabled: bool = False
) -> Component:
    """Return a button; `bot.core.interactions.controls.Button` makes its custom id."""
    return {
        "type": BUTTON,
        "style": _STYLES[style],
        "label": label,
        "custom_id": custom_id,
        "disabled": disabled,
    }


def link_button(url: str, label: str) -> Component:
    """Return a button that opens an address in the browser."""
    return {"type": BUTTON, "style": 5, "label": label, "url": url}


def option(
    label: str, value: str, description: str | None = None, *, default: bool = False
) -> Component:
    """Return an entry of a string select."""
    entry: Component = {"label": label, "value": value, "default": default}
    return {**entry, "description": description} if description else entry


def select(kind: int, custom_id: str, placeholder: str | None, **rest: Any) -> Component:
    """Return a select menu of a kind, with whatever else is specific to it."""
    made: Component = {"type": kind, "custom_id": custom_id, **rest}
    return made if placeholder is None else {**made, "placeholder": placeholder}


def string_select(
    custom_id: str,
    options: Sequence[Component],
    *,
    placeholder: str | None = None,
    disabled: bool = False,
) -> Component:
    """Return a menu of 1 to 25 options made by `option`; in a form, it is never ``disabled``."""
    rest: dict[str, Any] = {"disabled": True} if disabled else {}
    return select(STRING_SELECT, custom_id, placeholder, options=list(options), **rest)


def action_row(*controls: Component) -> Component:
    """Return a row of up to five buttons, or one menu."""
    return {"type": ACTION_ROW, "components": list(controls)}


def rows(buttons: Sequence[Component]) -> list[Component]:
    """Return buttons in as few rows as possible."""
    return [
        action_row(*buttons[start : start + _MAX_BUTTONS_PER_ROW])
        for start in range(0, len(buttons), _MAX_BUTTONS_PER_ROW)
    ]


def text_input(
    custom_id: str,
    label: str,
    *,
    description: str = "",
    placeholder: str = "",
    value: str = "",
    max_length: int,
    multiline: bool = False,
    required: bool = True,
) -> Component:
    """Return a labelled form field."""
    field: Component = {
        "type": TEXT_INPUT,
        "custom_id": custom_id,
        "style": 2 if multiline else 1,
        "max_length": max_length,
        "required": required,
    }
    if placeholder:
        field["placeholder"] = placeholder
    if value:
        field["value"] = value
    return labelled(label, field, description)


def labelled(label: str, field: Component, description: str = "") -> Component:
    """Return a form's field with its label: a text input or a menu."""
    made: Component = {"type": LABEL, "label": label, "component": field}
    return {**made, "description": description} if description else made
