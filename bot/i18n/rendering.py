"""Says a message in a language, and keeps what it then is within Discord's limits.

Messages are built of phrases, and translated only here, when they are sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.i18n.catalogues import ENGLISH
from bot.interactions.components import BUTTON, LABEL, TEXT_INPUT, THUMBNAIL
from engine.phrase import Phrase, shortened

if TYPE_CHECKING:
    from engine.phrase import Tongue

MAX_TEXT = 4000
"""How many characters all texts of a message may have together."""
MAX_ALT = 1024
"""How many characters the description of a picture may have."""

_LABELS = {
    BUTTON: {"label": 80},
    THUMBNAIL: {"description": MAX_ALT},
    LABEL: {"label": 45, "description": 100},
    TEXT_INPUT: {"label": 45, "placeholder": 100},
}
_ENTRY = {"label": 100, "description": 100}
_PICTURE = {"description": MAX_ALT}
_PLACEHOLDER = {"placeholder": 150}


def say_in(locale: Tongue, words: str, most: int) -> str:
    """Return words in a language, cut between two words where they are too long for it."""
    said = words
    if isinstance(words, Phrase):
        said = words.english if locale is ENGLISH else words.into(locale)
    return said if len(said) <= most else shortened(said, most).english


def say_components(components: list[dict[str, Any]], locale: Tongue) -> list[dict[str, Any]]:
    """Return the components of a message, as Discord takes them, in a language."""
    texts: list[dict[str, Any]] = []
    for component in components:
        _say(component, locale, texts)
    over = sum(len(text["content"]) for text in texts) - MAX_TEXT
    if over > 0:
        longest = max(texts, key=lambda text: len(text["content"]))
        kept = max(len(longest["content"]) - over, 1)
        longest["content"] = shortened(longest["content"], kept).english
    return components


def _say(component: dict[str, Any], locale: Tongue, texts: list[dict[str, Any]]) -> None:
    if component.get("content") is not None:
        component["content"] = say_in(locale, component["content"], MAX_TEXT)
        texts.append(component)
    _cut(component, _LABELS.get(component["type"], {}), locale)
    _cut(component, _PLACEHOLDER, locale)
    for option in component.get("options", ()):
        _cut(option, _ENTRY, locale)
    for picture in component.get("items", ()):
        _cut(picture, _PICTURE, locale)
    for child in component.get("components", ()):
        _say(child, locale, texts)
    for name in ("accessory", "component"):
        if name in component:
            _say(component[name], locale, texts)


def _cut(part: dict[str, Any], limits: dict[str, int], locale: Tongue) -> None:
    for name, most in limits.items():
        if part.get(name):
            part[name] = say_in(locale, part[name], most)
