"""Discord's limits on components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from playground import components as kinds
from playground.errors import JSON
from playground.limits import component_rules as rules
from playground.limits.problems import Path, Problems

MAX_COMPONENTS: Final = 40
MAX_TEXT: Final = 4000
MAX_OPTIONS: Final = 25
MAX_BOXES: Final = 10


class ComponentCheck:
    """Checks the components of one message or modal.

    Args:
        problems: collects the problems.
        files: the names that ``attachment://`` may refer to.
        modal: whether to check a modal, which may contain inputs.

    Attributes:
        shown: the names of the files that the components show.
    """

    def __init__(self, problems: Problems, files: frozenset[str], *, modal: bool = False) -> None:
        self._problems = problems
        self._files = files
        self._modal = modal
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()
        self._total = 0
        self._text_size = 0
        self.shown: set[str] = set()
        self._checks: dict[int, Callable[[Path, JSON], None]] = {
            **dict.fromkeys(kinds.SELECTS, self._select),
            kinds.ROW: self._row,
            kinds.BUTTON: self._button,
            kinds.SECTION: self._section,
            kinds.TEXT: self._text,
            kinds.THUMBNAIL: self._thumbnail,
            kinds.GALLERY: self._gallery,
            kinds.FILE: self._file,
            kinds.SEPARATOR: self._separator,
            kinds.CONTAINER: self._container,
            kinds.LABEL: self._label,
            kinds.TEXT_INPUT: self._text_input,
            kinds.RADIO_GROUP: self._boxes,
            kinds.CHECKBOX_GROUP: self._boxes,
            kinds.CHECKBOX: self._custom_id,
            kinds.FILE_UPLOAD: self._custom_id,
        }

    def message(self, path: Path, tree: Any, *, v2: bool) -> None:
        """Check the components of a message."""
        if tree is None:
            return
        if not v2:
            self._list(path, tree, 5, rules.LEGACY_TOP, minimum=0)
            return
        self._list(path, tree, MAX_COMPONENTS, rules.V2_TOP, minimum=0)
        if self._total > MAX_COMPONENTS:
            self._problems.add(
                path,
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The total number of components cannot exceed {MAX_COMPONENTS}",
            )
        if self._text_size > MAX_TEXT:
            self._problems.add(
                path,
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Total displayable text size exceeds maximum size of {MAX_TEXT}",
            )

    def modal(self, path: Path, tree: Any) -> None:
        """Check the components of a modal."""
        self._list(path, tree, 5, rules.MODAL_TOP)

    def _list(
        self, path: Path, value: Any, most: int, allowed: frozenset[int], *, minimum: int = 1
    ) -> bool:
        """Check a list of components; return whether its length is allowed."""
        if not self._problems.count(path, value, most, least=minimum):
            return False
        for index, component in enumerate(value):
            self._one((*path, index), component, allowed)
        return True

    def _one(self, path: Path, component: Any, allowed: frozenset[int]) -> None:
        problems = self._problems
        if not problems.is_object(path, component):
            return
        kind = component.get("type")
        if kind not in allowed:
            problems.add(
                (*path, "type"),
                "UNION_TYPE_CHOICES",
                f'Value of field "type" must be one of {tuple(sorted(allowed))}.',
            )
            return
        self._total += 1
        problems.keys(path, component, rules.KEYS[kind] | {"type", "id"})
        number = component.get("id")
        if number:
            if number in self._ids:
                problems.add(
                    (*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
                )
            self._ids.add(number)
        self._checks[kind](path, component)

    # Layout

    def _row(self, path: Path, component: JSON) -> None:
        inner: Any = component.get("components")
        allowed = frozenset({kinds.TEXT_INPUT}) if self._modal else rules.IN_ROW
        if not self._list((*path, "components"), inner, 5, allowed):
            return
        wide = any(c.get("type") != kinds.BUTTON for c in inner if isinstance(c, dict))
        if wide and len(inner) > 1:
            self._problems.add(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )

    def _section(self, path: Path, component: JSON) -> None:
        self._list((*path, "components"), component.get("components"), 3, frozenset({kinds.TEXT}))
        accessory = component.get("accessory")
        if accessory is None:
            self._problems.required((*path, "accessory"))
        else:
            self._one((*path, "accessory"), accessory, frozenset({kinds.BUTTON, kinds.THUMBNAIL}))

    def _container(self, path: Path, component: JSON) -> None:
        inner = component.get("components")
        self._list((*path, "components"), inner, MAX_COMPONENTS, rules.IN_CONTAINER)

    def _separator(self, path: Path, component: JSON) -> None:
        if component.get("spacing", 1) not in {1, 2}:
            self._problems.add(
                (*path, "spacing"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}."
            )

    def _label(self, path: Path, component: JSON) -> None:
        self._problems.text((*path, "label"), component.get("label"), 45, shortest=1, required=True)
        self._problems.text((*path, "description"), component.get("description"), 100)
        inner = component.get("component")
        if inner is None:
            self._problems.required((*path, "component"))
        else:
            self._one((*path, "component"), inner, rules.IN_LABEL)

    # Text and media

    def _text(self, path: Path, component: JSON) -> None:
        content: Any = component.get("content")
        if self._problems.text((*path, "content"), content, MAX_TEXT, shortest=1, required=True):
            self._text_size += len(content)

    def _thumbnail(self, path: Path, component: JSON) -> None:
        self._problems.text((*path, "description"), component.get("description"), 1024)
        self._media((*path, "media"), component.get("media"))

    def _gallery(self, path: Path, component: JSON) -> None:
        items: Any = component.get("items")
        if not self._problems.count((*path, "items"), items, 10, least=1):
            return
        for index, item in enumerate(items):
            here = (*path, "items", index)
            if self._problems.is_object(here, item):
                self._problems.keys(here, item, ("media", "description", "spoiler"))
                self._thumbnail(here, item)

    def _file(self, path: Path, component: JSON) -> None:
        self._media((*path, "file"), component.get("file"), only_attachments=True)

    def _media(self, path: Path, value: Any, *, only_attachments: bool = False) -> None:
        problems = self._problems
        url: Any = value.get("url") if isinstance(value, dict) else None
        if not problems.text((*path, "url"), url, 2048, shortest=1, required=True):
            return
        if url.startswith("attachment://"):
            name = url.removeprefix("attachment://")
            if name in self._files:
                self.shown.add(name)
            else:
                problems.add(
                    (*path, "url"),
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment {name} was not found",
                )
        elif only_attachments or not url.startswith(("http://", "https://")):
            problems.add(
                (*path, "url"),
                "URL_TYPE_INVALID_SCHEME",
                f'Scheme "{url.partition(":")[0]}" is not supported here.',
            )
        else:
            self.shown.add(url.partition("?")[0].rpartition("/")[2])

    # Interactive components

    def _custom_id(self, path: Path, component: JSON) -> None:
        value: Any = component.get("custom_id")
        if not self._problems.text((*path, "custom_id"), value, 100, shortest=1, required=True):
            return
        if value in self._custom_ids:
            self._problems.add(
                (*path, "custom_id"),
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self._custom_ids.add(value)

    def _button(self, path: Path, component: JSON) -> None:
        problems = self._problems
        style = component.get("style")
        if style not in {1, 2, 3, 4, 5, 6}:
            problems.add(
                (*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}."
            )
            return
        problems.text((*path, "label"), component.get("label"), 80)
        if style not in kinds.LINK_STYLES:
            self._custom_id(path, component)
            if component.get("url") is not None:
                problems.add(
                    (*path, "url"),
                    "BUTTON_COMPONENT_INVALID_URL",
                    "A url is only for buttons that are links",
                )
        elif style == 5:
            problems.text((*path, "url"), component.get("url"), 512, shortest=1, required=True)
        if style != 6 and not component.get("label") and not component.get("emoji"):
            problems.add(path, "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji")

    def _select(self, path: Path, component: JSON) -> None:
        problems = self._problems
        self._custom_id(path, component)
        problems.text((*path, "placeholder"), component.get("placeholder"), 150)
        least = component.get("min_values", 1)
        most = component.get("max_values", 1)
        if component["type"] == kinds.STRING_SELECT:
            self._options(path, component, MAX_OPTIONS)
            offered = component.get("options")
            if isinstance(offered, list) and least > len(offered):
                problems.count((*path, "options"), offered, MAX_OPTIONS, least=least)
        self._range((*path, "min_values"), least, 0)
        self._range((*path, "max_values"), most, max(least, 1))

    def _range(self, path: Path, value: int, minimum: int) -> None:
        if not minimum <= value <= MAX_OPTIONS:
            self._problems.add(
                path, "NUMBER_TYPE_RANGE", f"Must be between {minimum} and {MAX_OPTIONS}."
            )

    def _boxes(self, path: Path, component: JSON) -> None:
        self._custom_id(path, component)
        least = 2 if component["type"] == kinds.RADIO_GROUP else 1
        self._options(path, component, MAX_BOXES, least)

    def _options(self, path: Path, component: JSON, most: int, minimum: int = 1) -> None:
        options: Any = component.get("options")
        if not self._problems.count((*path, "options"), options, most, least=minimum):
            return
        seen: set[str] = set()
        for index, option in enumerate(options):
            here = (*path, "options", index)
            if not self._problems.is_object(here, option):
                continue
            self._problems.keys(here, option, ("label", "value", "description", "emoji", "default"))
            for key in ("label", "value"):
                self._problems.text((*here, key), option.get(key), 100, shortest=1, required=True)
            self._problems.text((*here, "description"), option.get("description"), 100)
            value = str(option.get("value"))
            if value in seen:
                self._problems.add(
                    (*here, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(value)

    def _text_input(self, path: Path, component: JSON) -> None:
        problems = self._problems
        self._custom_id(path, component)
        problems.text((*path, "label"), component.get("label"), 45)
        problems.text((*path, "placeholder"), component.get("placeholder"), 100)
        problems.text((*path, "value"), component.get("value"), 4000)
        if component.get("style") not in {1, 2}:
            problems.add((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
