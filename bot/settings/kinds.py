"""Kinds of settings: how each is told in a summary, offered in a control and read from it.

A setting is declared once, in `bot.settings.declarations`: its field carries its kind. Knows no
Discord library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.phrase import Phrase, listed, plural, say

NONE: Final = "-"
"""What a control says for ``None``."""


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


Changes: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Value:
    """One of the two values of a toggle."""

    value: Any
    told: Phrase
    choose: Phrase
    """The label of the button that chooses it."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """One of two values; its button says what pressing it does."""

    first: Value
    second: Value

    def told(self, value: Any, _: Context) -> str:
        """Return the line of a summary."""
        return self._of(value).told

    def other(self, value: Any) -> Value:
        """Return the value that the button chooses."""
        return self.second if self._of(value) is self.first else self.first

    def read(self, written: str) -> Any:
        """Return the value of an address.

        Raises:
            ValueError: it is none of the two.

        """
        for one in (self.first, self.second):
            if address(one.value) == written:
                return one.value
        raise ValueError(written)

    def _of(self, value: Any) -> Value:
        return self.first if value == self.first.value else self.second


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off; its button is green while it is on."""

    label: Phrase
    on: Phrase
    off: Phrase

    def told(self, value: Any, _: Context) -> str:
        """Return the line of a summary."""
        return self.on if value else self.off


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several values, in a menu."""

    tell: Callable[[Any, Context], str]
    options: Callable[[Any, Context], Iterable[tuple[Any, str]]]
    """The values on offer with their labels, given the present one."""
    kind: Callable[[str], Any] = str

    def told(self, value: Any, context: Context) -> str:
        """Return the line of a summary."""
        return self.tell(value, context)

    def read(self, written: str) -> Any:
        """Return the value of a menu entry."""
        return None if written == NONE else self.kind(written)


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels of the server, in a menu of Discord's."""

    placeholder: Phrase
    tell: Callable[[Sequence[int], Context], str]
    clear: Phrase
    """The label of the button that chooses none."""
    most: int = 25
    forums: bool = True
    """Whether forums may be chosen, too: nothing can be written there outside of posts."""

    def told(self, value: Any, context: Context) -> str:
        """Return the line of a summary."""
        return self.tell(chosen_channels(value), context)

    def kept(self, value: Any, context: Context) -> list[int]:
        """Return the chosen channels without deleted ones."""
        return [channel for channel in chosen_channels(value) if not context.gone(channel)]

    def read(self, ids: Sequence[str]) -> Any:
        """Return the value of what a menu or the clearing button brought."""
        chosen = tuple(sorted(int(one) for one in ids))
        if self.most > 1:
            return chosen
        return chosen[0] if chosen else None


@dataclass(frozen=True, slots=True)
class Typed:
    """Something typed into a form."""

    label: Phrase
    question: Phrase
    about: Phrase
    example: str
    most: int
    tell: Callable[[str], str]
    shown: Callable[[Any], str]
    """The present value as a person would type it; empty for none. Gets all settings."""
    parse: Callable[[str], Changes]
    """Raises `Refusal` of what cannot be read."""
    cleared: tuple[Phrase, Changes] | None = None
    """A button that clears it, where there is something to clear."""


Kind: TypeAlias = Toggle | Switch | OneOf | Channels | Typed


def address(value: Any) -> str:
    """Return a value as part of an address."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NONE if value is None else str(value)


def chosen_channels(value: Any) -> tuple[int, ...]:
    """Return the channels of a setting that holds several, one or none."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def where_games_are_played(channels: Sequence[int], context: Context) -> str:
    """Tell in which channels challenges may be made."""
    if not channels:
        return say("**Channels:** games may be played in all of them")
    gone = [one for one in channels if context.gone(one)]
    named = [f"<#{one}>" for one in channels if one not in gone]
    if gone:
        named.append(
            plural("{n} channel that was deleted", "{n} channels that were deleted", len(gone))
        )
    return say("**Channels:** games may be played in {channels}", channels=listed(named))


def where_moderators_are_followed(channels: Sequence[int], context: Context) -> str:
    """Tell where decisions of moderators are told as well."""
    if not channels:
        return say("**What moderators do:** only in the list of `/server audit`")
    if context.gone(channels[0]):
        return say("**What moderators do:** told in a channel that was deleted; choose another one")
    return say("**What moderators do:** told in {channel} as well", channel=f"<#{channels[0]}>")
