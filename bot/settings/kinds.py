"""Kinds of settings: how each is told in a summary, offered in a control and read from it.

A setting is declared once, in `bot.settings.declarations`: its field carries its kind. Knows no
Discord library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict

from bot.interactions.numbers import ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.phrase import Phrase

CLEARED: Final = "none"
"""What the button that clears a setting says."""
_NONE: Final = "-"
"""What a menu says for ``None``."""

Changes: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """What can be chosen at present."""

    languages: Mapping[str, str]
    """The languages spoken, each in its own words, by its locale."""
    channels: frozenset[int] | None = None
    """The channels of the server; ``None`` where they are not known."""

    def gone(self, channel_id: int) -> bool:
        """Return whether a channel is known to be deleted."""
        return self.channels is not None and channel_id not in self.channels


@dataclass(frozen=True, slots=True)
class Toggle:
    """One of two values, chosen by a button."""

    values: Mapping[Any, tuple[Phrase, Phrase]]
    """For each its line in the summary and the label of the button that chooses it."""
    shows_state: bool = False
    """Whether the button is green while the setting is on."""

    def tell(self, value: Any, _: Context) -> str:
        """Return the line of the summary."""
        return self.values[value][0]


def switch(label: Phrase, on: Phrase, off: Phrase) -> Toggle:
    """Return a toggle that is on or off, which its button shows."""
    return Toggle({True: (on, label), False: (off, label)}, shows_state=True)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several values, in a menu."""

    tell: Callable[[Any, Context], str]
    options: Callable[[Any, Context], Iterable[tuple[Any, str]]]
    """The values on offer with their labels, given the present one."""


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels of the server, in a menu of Discord's: a tuple, or one at most and ``None``."""

    placeholder: Phrase
    tell: Callable[[Any, Context], str]
    clear: Phrase
    """The label of the button that chooses none."""
    most: int = 25
    forums: bool = True
    """Whether forums may be chosen, too: nothing can be written there outside of posts."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Something typed into a form."""

    label: Phrase
    question: Phrase
    about: Phrase
    example: str
    most: int
    tell: Callable[[str, Context], str]
    shown: Callable[[Any], str]
    """The present value as a person would type it; empty for none. Gets all settings."""
    parse: Callable[[str], Changes]
    """Raises `Refusal` of what cannot be read."""
    cleared: tuple[Phrase, Changes] | None = None
    """A button that clears it, where there is something to clear."""


Kind: TypeAlias = Toggle | OneOf | Channels | Typed


class Declared(BaseModel):
    """Settings of an older or newer program may have other fields: those are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def kinds(cls) -> Iterator[tuple[str, Kind]]:
        """Return the name and kind of every setting that has a control, in order."""
        for name, field in cls.model_fields.items():
            for metadata in field.metadata:
                if isinstance(metadata, get_args(Kind)):
                    yield name, metadata

    @classmethod
    def kind(cls, name: str) -> Kind | None:
        """Return the kind of a setting; ``None`` if there is none of that name (any more)."""
        return dict(cls.kinds()).get(name)


def written(value: Any) -> str:
    """Return a value as a button or a menu says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _NONE if value is None else str(value)


def changes(kind: Kind | None, name: str, values: Sequence[str]) -> Changes:
    """Return what a button or a menu changes: nothing of a setting that is no more.

    Raises:
        ValueError: something that is not on offer.

    """
    match kind:
        case None:
            return {}
        case Typed():
            return kind.cleared[1] if kind.cleared else {}
        case Channels():
            ids = sorted(ID.read(one) for one in values if one != CLEARED)
            return {name: ids if kind.most > 1 else next(iter(ids), None)}
        case Toggle() | OneOf():
            return {name: None if values[0] == _NONE else values[0]}
