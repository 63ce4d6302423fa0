"""Says a message in a language, and keeps what it then is within Discord's limits.

Only here is anything translated that is sent: whoever builds a message leaves phrases in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import ComponentType

from bot.i18n.catalogues import ENGLISH
from engine.phrase import Phrase, shortened

if TYPE_CHECKING:
    from engine.phrase import Tongue

MOST_TEXT = 4000
"""How many characters all texts of a message may have together."""
MOST_ALT = 1024
"""How many characters the description of a picture may have."""

_LABELS = {
    ComponentType.button.value: {"label": 80},
    ComponentType.thumbnail.value: {"description": MOST_ALT},
    ComponentType.label.value: {"label": 45, "description": 100},
    ComponentType.text_input.value: {"label": 45, "placeholder": 100},
}
_ENTRY = {"label": 100, "description": 100}
_PICTURE = {"description": MOST_ALT}
_PLACEHOLDER = {"placeholder": 150}


def say_in(tongue: Tongue, words: str, most: int) -> str:
    """Return words in a language, cut between two words where they are too long for it."""
    said = words
    if isinstance(words, Phrase):
        said = words.english if tongue is ENGLISH else words.into(tongue)
    return said if len(said) <= most else shortened(said, most).english


def say_components(components: list[dict[str, Any]], tongue: Tongue) -> list[dict[str, Any]]:
    """Return the components of a message, as Discord takes them, in a language."""
    texts: list[dict[str, Any]] = []
    for component in components:
        _say(component, tongue, texts)
    over = sum(len(text["content"]) for text in texts) - MOST_TEXT
    if over > 0:
        longest = max(texts, key=lambda text: len(text["content"]))
        kept = max(len(longest["content"]) - over, 1)
        longest["content"] = shortened(longest["content"], kept).english
    return components


def _say(component: dict[str, Any], tongue: Tongue, texts: list[dict[str, Any]]) -> None:
    if component.get("content") is not None:
        component["content"] = say_in(tongue, component["content"], MOST_TEXT)
        texts.append(component)
    _cut(component, _LABELS.get(component["type"], {}), tongue)
    _cut(component, _PLACEHOLDER, tongue)
    for option in component.get("options", ()):
        _cut(option, _ENTRY, tongue)
    for picture in component.get("items", ()):
        _cut(picture, _PICTURE, tongue)
    for child in component.get("components", ()):
        _say(child, tongue, texts)
    for name in ("accessory", "component"):
        if name in component:
            _say(component[name], tongue, texts)


def _cut(part: dict[str, Any], limits: dict[str, int], tongue: Tongue) -> None:
    for name, most in limits.items():
        if part.get(name):
            part[name] = say_in(tongue, part[name], most)
