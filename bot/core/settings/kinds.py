"""Kinds of settings: how each is summarised, offered in a control and read from it.

A setting is declared once, in `ServerSettings` or `PlayerSettings`: its field carries its kind.
Independent of any Discord library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict

from bot.core import move_times
from bot.core.errors import ID
from bot.core.move_times import MAX_DAYS
from engine.phrase import Phrase, say

CLEARED: Final = "none"
"""The value of the button that clears a setting."""
_NONE: Final = "-"
"""The value of ``None`` in menus."""

Changes: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """The choices currently available."""

    languages: Mapping[str, str]
    """The names of the available languages, each in its own language, by locale."""
    channels: frozenset[int] | None = None
    """The server's channels; ``None`` if unknown."""

    def is_deleted(self, channel_id: int) -> bool:
        """Return whether a channel is known to be deleted."""
        return self.channels is not None and channel_id not in self.channels


@dataclass(frozen=True, slots=True)
class Toggle:
    """One of two values, chosen by a button."""

    values: Mapping[Any, tuple[Phrase, Phrase]]
    """For each value, its summary line and the label of the button that chooses it."""

    def summary(self, value: Any, _: Context) -> str:
        """Return the summary line."""
        return self.values[value][0]


def switch(*, on: tuple[Phrase, Phrase], off: tuple[Phrase, Phrase]) -> Toggle:
    """Return a toggle of true and false, each with its summary line and its button's label."""
    return Toggle({True: on, False: off})


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several values, in a menu."""

    summary: Callable[[Any, Context], str]
    options: Callable[[Any, Context], Iterable[tuple[Any, str]]]
    """The values on offer with their labels, given the current value."""
    shown: Callable[[Any], Any] | None = None
    """Given all settings, the current value, if it isn't just that of the field."""
    changes: Callable[[Any], Changes] | None = None
    """What a value changes, if it isn't just the field."""
    only_with: str = ""
    """The setting without which it says nothing: it is left out while that is unset."""


@dataclass(frozen=True, slots=True)
class Channels:
    """Server channels, in a Discord channel menu: a tuple, or with ``one`` a single one or ``None``."""

    placeholder: Phrase
    summary: Callable[[Any, Context], str]
    clear: Phrase
    """The label of the button that chooses no channel."""
    one: bool = False
    """Whether it is the one the bot posts in: no forum, as all posts there are threads."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A setting typed into a form."""

    label: Phrase
    question: Phrase
    about: Phrase
    example: str
    max_length: int
    summary: Callable[[str, Context], str]
    shown: Callable[[Any], str]
    """Given all settings, the current value as a person would type it; empty for none."""
    parse: Callable[[str], Changes]
    """Raises `Refusal` for unreadable input."""
    cleared: tuple[Phrase, Changes] | None = None
    """The label of a button that clears it while it is set, and what that changes."""


Kind: TypeAlias = Toggle | OneOf | Channels | Typed


class Declared(BaseModel):
    """Base of settings. Fields stored by older or newer versions are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def kinds(cls) -> Iterator[tuple[str, Kind]]:
        """Return the name and kind of every setting with a control, in order."""
        for name, field in cls.model_fields.items():
            for metadata in field.metadata:
                if isinstance(metadata, get_args(Kind)):
                    yield name, metadata

    def current(self, name: str, kind: Kind) -> Any:
        """Return the value of a setting, as its control has it."""
        if isinstance(kind, OneOf) and kind.shown is not None:
            return kind.shown(self)
        return getattr(self, name)

    def matters(self, kind: Kind) -> bool:
        """Return whether a setting is of use beside the others."""
        needed = kind.only_with if isinstance(kind, OneOf) else ""
        return not needed or getattr(self, needed) is not None

    @classmethod
    def kind(cls, name: str) -> Kind | None:
        """Return the kind of a setting; ``None`` if there is none of that name (any more)."""
        return dict(cls.kinds()).get(name)


def encoded(value: Any) -> str:
    """Return a value as encoded in a button or menu."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, timedelta):
        return move_times.written(value)
    return _NONE if value is None else str(value)


def changes(kind: Kind | None, name: str, values: Sequence[str]) -> Changes:
    """Return what a button or menu changes.

    One of an earlier version, whose setting has no control of its own now, still changes it;
    settings that no longer exist are ignored when stored.

    Raises ValueError for a value that is not on offer.
    """
    match kind:
        case None:
            return {name: values[0]} if values else {}
        case Typed():
            return kind.cleared[1] if kind.cleared else {}
        case Channels():
            ids = sorted(ID.read(one) for one in values if one != CLEARED)
            return {name: next(iter(ids), None) if kind.one else ids}
        case Toggle() | OneOf():
            if not values:
                raise ValueError("nothing was chosen")
            value = None if values[0] == _NONE else values[0]
            own = kind.changes if isinstance(kind, OneOf) else None
            return {name: value} if own is None else own(value)


Theme: TypeAlias = Literal["wood", "night", "contrast"]

BANKS: Final = (3, 5, 7, 10, MAX_DAYS)
"""Time banks offered in menus, in days at the start."""

THEMES: Final[Mapping[str, str]] = {
    "wood": say("wood"),
    "night": say("night"),
    "contrast": say("high contrast"),
}
"""The name of each theme."""

THEME_OPTIONS: Final = [(one, say("Boards in {theme}", theme=name)) for one, name in THEMES.items()]
"""The menu entries of all themes."""


def languages(unset: str) -> Callable[[str | None, Context], list[tuple[str | None, str]]]:
    """Return a menu of all languages, after one that leaves the setting unset."""
    return lambda _, context: [(None, unset), *context.languages.items()]
