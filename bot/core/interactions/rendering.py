"""Renders messages in a language, within Discord's limits.

Messages are made of phrases, and translated only here, when they are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.components import BUTTON, LABEL, TEXT_INPUT, Component
from engine.phrase import Phrase, Tongue, glued, lines, say, shortened
from engine.rule import Rule

MAX_TEXT = 4000
"""The maximum characters in all texts of a message together."""
MAX_ALT = 1024
"""The maximum characters in the description of a picture."""

_LIMITS: Final = {
    BUTTON: {"label": 80},
    LABEL: {"label": 45, "description": 100},
    TEXT_INPUT: {"label": 45, "placeholder": 100},
}
_PLACEHOLDER: Final = {"placeholder": 150}
_PARTS: Final = {"options": {"label": 100, "description": 100}, "items": {"description": MAX_ALT}}


def say_in(locale: Tongue, words: str, limit: int) -> str:
    """Return words in a language, cut between two words if too long."""
    text = words.into(locale) if locale is not ENGLISH and isinstance(words, Phrase) else words
    return text if len(text) <= limit else shortened(text, limit).english


def say_components(components: Iterable[Component], locale: Tongue) -> list[Component]:
    """Return translated copies of a message's components, within Discord's limits."""
    texts: list[Component] = []
    rendered = [_translated(component, locale, texts) for component in components]
    over = sum(len(text["content"]) for text in texts) - MAX_TEXT
    if over > 0:
        longest = max(texts, key=lambda text: len(text["content"]))
        kept = max(len(longest["content"]) - over, 1)
        longest["content"] = shortened(longest["content"], kept).english
    return rendered


def _translated(component: Component, locale: Tongue, texts: list[Component]) -> Component:
    rendered = _cut(component, _LIMITS.get(component["type"], _PLACEHOLDER), locale)
    if "content" in rendered:
        rendered["content"] = say_in(locale, rendered["content"], MAX_TEXT)
        texts.append(rendered)
    for name, limits in _PARTS.items():
        if name in rendered:
            rendered[name] = [_cut(part, limits, locale) for part in rendered[name]]
    if "components" in rendered:
        rendered["components"] = [
            _translated(child, locale, texts) for child in rendered["components"]
        ]
    for name in ("component", "accessory"):
        if name in rendered:
            rendered[name] = _translated(rendered[name], locale, texts)
    return rendered


def _cut(part: Component, limits: Mapping[str, int], locale: Tongue) -> Component:
    cut = part.copy()
    for name, most in limits.items():
        if words := part.get(name):
            cut[name] = say_in(locale, words, most)
    return cut


def illegal(rule: Rule, sentence: str, squares: Sequence[str]) -> str:
    """Return why a move is illegal: the reason with all its squares, and the rule it breaks."""
    unnamed = [square for square in squares if square not in sentence]
    where = f" ({', '.join(unnamed)})" if unnamed else ""
    return lines((glued(sentence, where), glued("> ", quoted(rule))))


def quoted(rule: Rule) -> str:
    """Return a rule quoted by name."""
    return say("**Rule {name}.** {sentence}", name=rule.name, sentence=rule.sentence)
