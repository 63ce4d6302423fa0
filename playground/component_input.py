"""Filling a modal: what a person may put into each input, and how the bot is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import components as kinds
from playground.command_picker import Resolved
from playground.errors import JSON, Impossible
from playground.model import Channel, Role, User
from playground.uploads import Upload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from playground.components import SelectMenu
    from playground.reply import Field, Modal
    from playground.world import World


def choose(menu: SelectMenu, wanted: Iterable[Any], user: User, resolved: Resolved) -> list[str]:
    """Turn what a person picks in a menu into the values that the bot is sent.

    Entries are picked by label or value; users, roles and channels by themselves.

    Raises:
        Impossible: for an entry that is not offered, one picked twice, or too few or many.
    """
    values = [_pick(menu, one, user, resolved) for one in wanted]
    if len(set(values)) < len(values):
        raise Impossible("An entry of a menu can be picked once only.")
    if not menu.min_values <= len(values) <= menu.max_values:
        raise Impossible(
            f"The menu takes between {menu.min_values} and {menu.max_values} entries, "
            f"not {len(values)}."
        )
    return values


def _pick(menu: SelectMenu, one: Any, user: User, resolved: Resolved) -> str:
    if menu.type == kinds.STRING_SELECT:
        for option in menu.options:
            if one in {option.label, option.value}:
                return option.value
        known = ", ".join(repr(o.label) for o in menu.options)
        raise Impossible(f"The menu does not offer {one!r}. It offers {known}.")
    thing = getattr(one, "user", one)
    if menu.type in {5, 7} and isinstance(thing, User):
        return resolved.user(thing)
    if menu.type in {6, 7} and isinstance(thing, Role):
        return resolved.role(thing)
    if menu.type == 8 and isinstance(thing, Channel):
        return resolved.place(thing, user)
    raise Impossible(f"The menu does not offer {one!r}.")


def fill_modal(
    modal: Modal, given: Mapping[str, Any], user: User, world: World
) -> tuple[list[JSON], JSON]:
    """Fill a form. Inputs are named by label or custom_id; the rest keep what was in them.

    Returns:
        The components as the bot is sent them, and what ids in them stand for.

    Raises:
        Impossible: for an input that does not exist, or a value that Discord would not take.
    """
    left = dict(given)
    resolved = Resolved(modal.interaction.channel)
    done: dict[str, JSON] = {}
    for field in modal.fields:
        key = next((k for k in (field.label, field.custom_id) if k in left), None)
        value = left.pop(key) if key is not None else None
        done[field.custom_id] = _answer(field, value, user, resolved, world)
    if left:
        known = ", ".join(repr(f.label) for f in modal.fields)
        raise Impossible(f"The form has no {next(iter(left))!r}. It has {known}.")
    sent: list[JSON] = []
    for component in modal.component_data:
        base = {"type": component["type"], "id": component["id"]}
        if component["type"] == kinds.LABEL:
            base["component"] = done[component["component"]["custom_id"]]
        elif component["type"] == kinds.ROW:
            base["components"] = [done[c["custom_id"]] for c in component["components"]]
        sent.append(base)
    return sent, resolved.tables


def _answer(field: Field, value: Any, user: User, resolved: Resolved, world: World) -> JSON:
    component = field.component
    answer: JSON = {
        "type": field.type,
        "id": component.get("id", 0),
        "custom_id": field.custom_id,
    }
    if field.type == kinds.TEXT_INPUT:
        return answer | {"value": _text(field, value)}
    if field.type == kinds.CHECKBOX:
        return answer | {"value": bool(component.get("default") if value is None else value)}
    if field.type == kinds.FILE_UPLOAD:
        files = [value] if isinstance(value, Upload) else list(value or ())
        _check_count(field, len(files))
        return answer | {"values": [resolved.file(f, world) for f in files]}
    if field.type in {kinds.RADIO_GROUP, kinds.CHECKBOX_GROUP}:
        return answer | _boxes(field, value)
    menu = kinds.menu(component)
    if value is None:
        wanted: list[Any] = [o.value for o in menu.options if o.default]
        if not wanted and not field.required:
            return answer | {"values": []}
    else:
        wanted = [value] if isinstance(value, str) or not hasattr(value, "__iter__") else [*value]
    return answer | {"values": choose(menu, wanted, user, resolved)}


def _text(field: Field, value: Any) -> str:
    text = field.component.get("value") or "" if value is None else value
    if not isinstance(text, str):
        raise Impossible(f"{field.label!r} takes text, not {text!r}.")
    if not text and not field.required:
        return ""
    least = field.component.get("min_length") or (1 if field.required else 0)
    most = field.component.get("max_length") or 4000
    if not least <= len(text) <= most:
        raise Impossible(
            f"{field.label!r} takes between {least} and {most} characters, not {len(text)}."
        )
    return text


def _boxes(field: Field, value: Any) -> JSON:
    options = field.component["options"]
    if value is None:
        picked = [o["value"] for o in options if o.get("default")]
    else:
        wanted = [value] if isinstance(value, str) else list(value)
        picked = [o["value"] for o in options if o["label"] in wanted or o["value"] in wanted]
        if len(picked) < len(wanted):
            raise Impossible(f"{field.label!r} does not offer all of {wanted!r}.")
    _check_count(field, len(picked))
    if field.type == kinds.RADIO_GROUP:
        return {"value": picked[0] if picked else None}
    return {"values": picked}


def _check_count(field: Field, count: int) -> None:
    component = field.component
    if field.type == kinds.RADIO_GROUP:
        least, most = int(field.required), 1
    else:
        least = component.get("min_values", 1) if field.required else 0
        most = component.get("max_values") or len(component.get("options", ())) or 1
    if not least <= count <= most:
        raise Impossible(f"{field.label!r} takes between {least} and {most} entries, not {count}.")
