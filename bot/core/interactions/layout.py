"""A message as a layout of components, rendered in its readers' language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NewType, Self, TypeVar

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.components import (
    BUTTON,
    CONTAINER,
    LABEL,
    MEDIA_GALLERY,
    TEXT_INPUT,
    Component,
    attached_file,
    picture,
    rows,
    text_display,
)
from engine.phrase import Phrase, Tongue, concat, lines, say, shortened
from engine.rule import Rule

ACCENT_COLOUR: Final = 0x9A6B3F
FIRST_MARK: Final = 1_000_000_000
"""Added to a mark, to keep clear of the numbers that Discord gives components itself."""

Pinged = NewType("Pinged", tuple[int, ...])
"""The mentioned users that a message notifies; only `bot.core.posts.kinds` makes it."""
NOBODY_PINGED: Final = Pinged(())
MAX_PINGED: Final = 100
"""Maximum users Discord lets a message ping."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to send with a message."""

    filename: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attached:
    """A part of a message that shows files, with these files."""

    component: Component
    files: tuple[Upload, ...]


def pictured(filename: str, data: bytes, alt: str) -> Attached:
    """Return a picture in a message, and its file."""
    return Attached(picture(filename, alt), (Upload(filename, data),))


def saved(filename: str, data: bytes) -> Attached:
    """Return a file in a message, to download."""
    return Attached(attached_file(filename), (Upload(filename, data),))


@dataclass(frozen=True, init=False)
class Layout:
    """One container of texts, pictures and rows of controls."""

    parts: tuple[Component, ...]
    files: tuple[Upload, ...]
    """What its pictures show."""
    mark: int | None = None
    """An invisible number that identifies a posted message."""

    def __init__(
        self,
        *parts: Component | Attached,
        files: Iterable[Upload] = (),
        mark: int | None = None,
    ) -> None:
        """Stack parts below each other, with their files and others."""
        attached = [part for part in parts if isinstance(part, Attached)]
        found = (file for part in attached for file in part.files)
        object.__setattr__(
            self, "parts", tuple(p.component if isinstance(p, Attached) else p for p in parts)
        )
        object.__setattr__(self, "files", (*files, *found))
        object.__setattr__(self, "mark", mark)

    def marked(self, mark: int) -> Layout:
        """Return the same message with a mark."""
        return Layout(*self.parts, files=self.files, mark=mark)

    def with_files(self, *files: Upload) -> Layout:
        """Return the same message with the files that its pictures show."""
        return Layout(*self.parts, files=files, mark=self.mark)

    def below(self, words: str) -> Layout:
        """Return the same message below some words, if there are any."""
        above = [text_display(words)] if words else []
        return Layout(*above, *self.parts, files=self.files, mark=self.mark)

    def in_words(self) -> Layout:
        """Return the same message without its pictures, whose descriptions are written out."""
        parts: list[Component] = []
        for part in self.parts:
            if part["type"] == MEDIA_GALLERY:
                words = [item["description"] for item in part["items"] if item["description"]]
                parts += [text_display(sentence) for sentence in words]
            else:
                parts.append(part)
        return Layout(*parts, mark=self.mark)

    def rendered(self, locale: Tongue) -> list[Component]:
        """Return the components in a language, cut to Discord's limits."""
        box: Component = {
            "type": CONTAINER,
            "accent_color": ACCENT_COLOUR,
            "components": self.parts,
        }
        if self.mark is not None:
            box["id"] = FIRST_MARK + self.mark
        return say_components([box], locale)


def text_layout(words: str, *buttons: Component) -> Layout:
    """Return Markdown, with rows of buttons below."""
    return Layout(text_display(words), *rows(buttons))


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """The part of a list that is shown."""

    number: int
    """Counted from 0."""
    size: int
    """Entries per page."""
    more: bool
    """Whether another page follows."""

    @classmethod
    def of(cls, wanted: int, *, total: int, size: int) -> Self:
        """Return a page of a list of known length, or the last one if there are fewer."""
        last = max(0, (total - 1) // size)
        number = max(0, min(wanted, last))
        return cls(number, size, number < last)

    @property
    def start(self) -> int:
        """The index of its first entry."""
        return self.number * self.size

    def entries(self, whole: Sequence[T]) -> Sequence[T]:
        """Return the entries of a list that are on this page."""
        return whole[self.start : self.start + self.size]

    def numbered(self, whole: Sequence[T]) -> list[tuple[int, T]]:
        """Return the entries on this page with their numbers in the list, counted from 1."""
        return list(enumerate(self.entries(whole), start=self.start + 1))

    def buttons(self, make: Callable[[int], Any]) -> list[Component]:
        """Return buttons to the previous and next page; ``make`` returns the one to a page."""
        beside = (self.number - 1, self.number + 1) if self.more else (self.number - 1,)
        return [
            make(other).component(say("Page {number}", number=other + 1))
            for other in beside
            if other >= 0
        ]


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


def say_in(locale: Tongue, words: str, limit: int = MAX_TEXT) -> str:
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
        rendered["content"] = say_in(locale, rendered["content"])
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
    return lines((concat(sentence, where), concat("> ", quoted(rule))))


def quoted(rule: Rule) -> str:
    """Return a rule quoted by name."""
    return say("**Rule {name}.** {sentence}", name=rule.name, sentence=rule.sentence)
