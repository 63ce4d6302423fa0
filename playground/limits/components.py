"""Limits of components: what may stand where, how long, how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from playground import components as kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.errors import JSON
    from playground.limits.problems import Path, Problems

TOTAL: Final = 40
TEXT_IN_ALL: Final = 4000

_KEYS: Final[dict[int, frozenset[str]]] = {
    kinds.ROW: frozenset({"components"}),
    kinds.BUTTON: frozenset({"style", "label", "emoji", "custom_id", "sku_id", "url", "disabled"}),
    kinds.STRING_SELECT: frozenset(
        {"custom_id", "options", "placeholder", "min_values", "max_values", "required", "disabled"}
    ),
    kinds.TEXT_INPUT: frozenset(
        {
            "custom_id",
            "style",
            "label",
            "min_length",
            "max_length",
            "required",
            "value",
            "placeholder",
        }
    ),
    kinds.SECTION: frozenset({"components", "accessory"}),
    kinds.TEXT: frozenset({"content"}),
    kinds.THUMBNAIL: frozenset({"media", "description", "spoiler"}),
    kinds.GALLERY: frozenset({"items"}),
    kinds.FILE: frozenset({"file", "spoiler", "name", "size"}),
    kinds.SEPARATOR: frozenset({"divider", "spacing"}),
    kinds.CONTAINER: frozenset({"components", "accent_color", "spoiler"}),
    kinds.LABEL: frozenset({"label", "description", "component"}),
    kinds.FILE_UPLOAD: frozenset({"custom_id", "min_values", "max_values", "required"}),
    kinds.RADIO_GROUP: frozenset({"custom_id", "options", "required"}),
    kinds.CHECKBOX_GROUP: frozenset(
        {"custom_id", "options", "min_values", "max_values", "required"}
    ),
    kinds.CHECKBOX: frozenset({"custom_id", "default"}),
}
_OTHER_SELECT: Final = frozenset(
    {
        "custom_id",
        "channel_types",
        "placeholder",
        "default_values",
        "min_values",
        "max_values",
        "required",
        "disabled",
    }
)

LEGACY_TOP: Final = frozenset({kinds.ROW})
V2_TOP: Final = frozenset(
    {
        kinds.ROW,
        kinds.SECTION,
        kinds.TEXT,
        kinds.GALLERY,
        kinds.FILE,
        kinds.SEPARATOR,
        kinds.CONTAINER,
    }
)
IN_CONTAINER: Final = V2_TOP - {kinds.CONTAINER}
IN_ROW: Final = frozenset({kinds.BUTTON}) | kinds.SELECTS
MODAL_TOP: Final = frozenset({kinds.ROW, kinds.TEXT, kinds.LABEL})
IN_LABEL: Final = (
    frozenset(
        {
            kinds.TEXT_INPUT,
            kinds.FILE_UPLOAD,
            kinds.RADIO_GROUP,
            kinds.CHECKBOX_GROUP,
            kinds.CHECKBOX,
        }
    )
    | kinds.SELECTS
)


class ComponentCheck:
    """Goes through the components of one message or modal once.

    Args:
        problems: where to note what is wrong.
        files: the names that ``attachment://`` may refer to.
        modal: whether it is a modal, where inputs may stand.
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
        # What is not listed here is a select menu.
        self._checks: dict[int, Callable[[Path, JSON], None]] = {
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
            if self._problems.count(path, tree, 5):
                self._each(path, tree, LEGACY_TOP)
            return
        if not self._problems.count(path, tree, TOTAL):
            return
        self._each(path, tree, V2_TOP)
        if self._total > TOTAL:
            self._problems.add(
                path,
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The total number of components cannot exceed {TOTAL}",
            )
        if self._text_size > TEXT_IN_ALL:
            self._problems.add(
                path,
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Total displayable text size exceeds maximum size of {TEXT_IN_ALL}",
            )

    def modal(self, path: Path, tree: Any) -> None:
        """Check the components of a modal."""
        if self._problems.count(path, tree, 5, least=1):
            self._each(path, tree, MODAL_TOP)

    def _each(self, path: Path, tree: list[Any], allowed: frozenset[int]) -> None:
        for index, component in enumerate(tree):
            self._one((*path, index), component, allowed)

    def _one(self, path: Path, component: Any, allowed: frozenset[int]) -> None:
        problems = self._problems
        if not isinstance(component, dict):
            problems.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
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
        known = _KEYS.get(kind, _OTHER_SELECT)
        for key in component:
            if key not in known and key not in {"type", "id"}:
                problems.note((*path, key), "UNKNOWN_KEY", "Discord knows no such key here.")
        number = component.get("id")
        if number:
            if number in self._ids:
                problems.add(
                    (*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
                )
            self._ids.add(number)
        self._checks.get(kind, self._select)(path, component)

    def _text(self, path: Path, component: JSON) -> None:
        content = component.get("content")
        if self._problems.text((*path, "content"), content, TEXT_IN_ALL, shortest=1, required=True):
            self._text_size += len(component["content"])

    def _thumbnail(self, path: Path, component: JSON) -> None:
        self._problems.text((*path, "description"), component.get("description"), 1024)
        self._media((*path, "media"), component.get("media"))

    def _file(self, path: Path, component: JSON) -> None:
        self._media((*path, "file"), component.get("file"), only_attachments=True)

    def _separator(self, path: Path, component: JSON) -> None:
        if component.get("spacing", 1) not in {1, 2}:
            self._problems.add(
                (*path, "spacing"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}."
            )

    def _container(self, path: Path, component: JSON) -> None:
        inner = component.get("components")
        if self._problems.count((*path, "components"), inner, TOTAL, least=1):
            assert isinstance(inner, list)
            self._each((*path, "components"), inner, IN_CONTAINER)

    def _boxes(self, path: Path, component: JSON) -> None:
        self._custom_id(path, component)
        self._options(path, component, 10, 2 if component["type"] == kinds.RADIO_GROUP else 1)

    def _custom_id(self, path: Path, component: JSON) -> None:
        value = component.get("custom_id")
        if not self._problems.text((*path, "custom_id"), value, 100, shortest=1, required=True):
            return
        assert isinstance(value, str)
        if value in self._custom_ids:
            self._problems.add(
                (*path, "custom_id"),
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self._custom_ids.add(value)

    def _row(self, path: Path, component: JSON) -> None:
        inner = component.get("components")
        if not self._problems.count((*path, "components"), inner, 5, least=1):
            return
        assert isinstance(inner, list)
        allowed = frozenset({kinds.TEXT_INPUT}) if self._modal else IN_ROW
        self._each((*path, "components"), inner, allowed)
        wide = any(c.get("type") != kinds.BUTTON for c in inner if isinstance(c, dict))
        if wide and len(inner) > 1:
            self._problems.add(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )

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
            problems.add(
                path,
                "BUTTON_COMPONENT_INVALID",
                "A button needs a label or an emoji",
            )

    def _section(self, path: Path, component: JSON) -> None:
        inner = component.get("components")
        if self._problems.count((*path, "components"), inner, 3, least=1):
            assert isinstance(inner, list)
            self._each((*path, "components"), inner, frozenset({kinds.TEXT}))
        accessory = component.get("accessory")
        if accessory is None:
            self._problems.add((*path, "accessory"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self._one((*path, "accessory"), accessory, frozenset({kinds.BUTTON, kinds.THUMBNAIL}))

    def _media(self, path: Path, value: Any, *, only_attachments: bool = False) -> None:
        problems = self._problems
        url = value.get("url") if isinstance(value, dict) else None
        if not problems.text((*path, "url"), url, 2048, shortest=1, required=True):
            return
        assert isinstance(url, str)
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

    def _gallery(self, path: Path, component: JSON) -> None:
        items = component.get("items")
        if not self._problems.count((*path, "items"), items, 10, least=1):
            return
        assert isinstance(items, list)
        for index, item in enumerate(items):
            here = (*path, "items", index)
            if not isinstance(item, dict):
                self._problems.add(
                    here, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType"
                )
                continue
            self._problems.keys(here, item, ("media", "description", "spoiler"))
            self._problems.text((*here, "description"), item.get("description"), 1024)
            self._media((*here, "media"), item.get("media"))

    def _options(self, path: Path, component: JSON, most: int, least: int = 1) -> None:
        options = component.get("options")
        if not self._problems.count((*path, "options"), options, most, least=least):
            return
        assert isinstance(options, list)
        seen: set[str] = set()
        for index, option in enumerate(options):
            here = (*path, "options", index)
            if not isinstance(option, dict):
                self._problems.add(
                    here, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType"
                )
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

    def _select(self, path: Path, component: JSON) -> None:
        problems = self._problems
        self._custom_id(path, component)
        problems.text((*path, "placeholder"), component.get("placeholder"), 150)
        least = component.get("min_values", 1)
        most = component.get("max_values", 1)
        string = component["type"] == kinds.STRING_SELECT
        if string:
            self._options(path, component, 25)
            offered = component.get("options")
            if isinstance(offered, list) and least > len(offered):
                problems.add(
                    (*path, "options"),
                    "BASE_TYPE_BAD_LENGTH",
                    f"Must be between {least} and 25 in length.",
                )
        if not 0 <= least <= 25:
            problems.add((*path, "min_values"), "NUMBER_TYPE_RANGE", "Must be between 0 and 25.")
        if not max(least, 1) <= most <= 25:
            problems.add(
                (*path, "max_values"),
                "NUMBER_TYPE_RANGE",
                f"Must be between {max(least, 1)} and 25.",
            )

    def _label(self, path: Path, component: JSON) -> None:
        self._problems.text((*path, "label"), component.get("label"), 45, shortest=1, required=True)
        self._problems.text((*path, "description"), component.get("description"), 100)
        inner = component.get("component")
        if inner is None:
            self._problems.add((*path, "component"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self._one((*path, "component"), inner, IN_LABEL)

    def _text_input(self, path: Path, component: JSON) -> None:
        problems = self._problems
        self._custom_id(path, component)
        problems.text((*path, "label"), component.get("label"), 45)
        problems.text((*path, "placeholder"), component.get("placeholder"), 100)
        problems.text((*path, "value"), component.get("value"), 4000)
        if component.get("style") not in {1, 2}:
            problems.add((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
