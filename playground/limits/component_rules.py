"""The keys allowed in each type of component, and where components may appear."""

from __future__ import annotations

from typing import Final

from playground import components as kinds

_SELECT: Final = frozenset(
    {"custom_id", "placeholder", "min_values", "max_values", "required", "disabled"}
)
_ENTITY_SELECT: Final = _SELECT | {"channel_types", "default_values"}

KEYS: Final[dict[int, frozenset[str]]] = {
    **dict.fromkeys(kinds.SELECTS, _ENTITY_SELECT),
    kinds.ROW: frozenset({"components"}),
    kinds.BUTTON: frozenset({"style", "label", "emoji", "custom_id", "sku_id", "url", "disabled"}),
    kinds.STRING_SELECT: _SELECT | {"options"},
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
"""The keys by type, apart from ``type`` and ``id``."""

LEGACY_TOP: Final = frozenset({kinds.ROW})
IN_CONTAINER: Final = frozenset(
    {kinds.ROW, kinds.SECTION, kinds.TEXT, kinds.GALLERY, kinds.FILE, kinds.SEPARATOR}
)
V2_TOP: Final = IN_CONTAINER | {kinds.CONTAINER}
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
