"""Buttons, menus and forms, declared as classes whose fields are their address.

    class ResignButton(Button, prefix="resign"):
        match_id: int
        reply: Literal["yes", "no"]

        async def press(self, reply: Reply) -> None: ...

    ResignButton(12, "yes").component(say("Resign"), style="danger")

The custom id (``resign:12:yes``) is an address, never a state, so a press works after a restart.
A class registers itself under its prefix; `bot.core.interactions.dispatch` rebuilds controls from presses.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from bot.core import move_times
from bot.core.errors import COUNT, GONE, Bounds, Refusal
from bot.core.interactions import components
from bot.core.interactions.components import Component, Style
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from engine.phrase import say

MAX_CUSTOM_ID: Final = 100
_SEPARATOR: Final = ":"

_CONTROLS: Final[dict[str, type[Control]]] = {}


@dataclass_transform(frozen_default=True)
class Control:
    """Something to press, choose from or fill in. Subclasses are frozen dataclasses.

    Fields are of type ``int`` (a count) or `Id`, ``str``, ``bool``, ``timedelta`` (a time per move),
    an ``Enum`` or ``Literal`` of strings, or one of these or ``None``. Only the last field may contain
    a colon. A number out of bounds, see `bot.core.errors`, yields no control.
    """

    prefix: ClassVar[str]
    may_be_empty: ClassVar[bool] = False
    """Whether choosing nothing is a choice; otherwise it never reaches `choose`."""
    for_blocked: ClassVar[bool] = False
    """Whether those whom the bot's owner has blocked may still use it."""

    def __init_subclass__(cls, *, prefix: str | None = None, **rest: Any) -> None:
        """Turn the declaration into a dataclass and register it."""
        super().__init_subclass__(**rest)
        dataclass(frozen=True)(cls)
        if prefix is not None:
            assert _SEPARATOR not in prefix, prefix
            known = _CONTROLS.setdefault(prefix, cls)
            assert known.__qualname__ == cls.__qualname__, f"two controls with prefix {prefix!r}"
            cls.prefix = prefix

    async def press(self, _reply: Reply) -> None:
        """Answer a press of a button."""
        raise Refusal(GONE)

    async def choose(self, _reply: Reply, _values: Sequence[str]) -> None:
        """Answer a choice from a menu; users and channels come as their ids."""
        raise Refusal(GONE)

    async def submit(self, _reply: Reply, _typed: Mapping[str, str]) -> None:
        """Answer what was typed into a form, by the custom ids of its fields."""
        raise Refusal(GONE)

    @property
    def custom_id(self) -> str:
        """The address of this control."""
        values = [_encoded(getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        made = _SEPARATOR.join([self.prefix, *values])
        assert len(made) <= MAX_CUSTOM_ID, made
        return made

    @classmethod
    def read(cls, values: str) -> Self | None:
        """Return the control at an address without its prefix; ``None`` if it does not fit."""
        readers = _readers(cls)  # type: ignore[arg-type]
        if not readers:
            return None if values else cls()
        parts = values.split(_SEPARATOR, maxsplit=len(readers) - 1)
        if len(parts) != len(readers):
            return None
        try:
            return cls(*(read(part) for read, part in zip(readers, parts, strict=True)))
        except ValueError:
            return None


def find(custom_id: str) -> Control | None:
    """Return the control at an address; ``None`` if there is none (any more)."""
    prefix, _, values = custom_id.partition(_SEPARATOR)
    kind = _CONTROLS.get(prefix)
    return None if kind is None else kind.read(values)


def registered() -> Mapping[str, type[Control]]:
    """Return every kind of control by prefix."""
    return types.MappingProxyType(_CONTROLS)


class Button(Control):
    """A button. Subclasses say what a press does."""

    def component(
        self, label: str, *, style: Style = "secondary", disabled: bool = False
    ) -> Component:
        """Return the button as part of a message."""
        return components.button(self.custom_id, label, style=style, disabled=disabled)


class Confirmation(Button):
    """Confirms or cancels what a question asks about. Subclasses say what confirming does."""

    confirmed: bool

    async def press(self, reply: Reply) -> None:
        """Proceed, or dismiss the question."""
        if self.confirmed:
            await self.proceed(reply)
        else:
            await reply.replace(text_layout(say("Nothing changed.")))

    async def proceed(self, reply: Reply) -> None:
        """Do what was asked about."""
        raise NotImplementedError

    def question(self, words: str, label: str, *, style: Style = "danger") -> Layout:
        """Return a question, with this button below it and one to cancel."""
        cancel = replace(self, confirmed=False).component(say("Cancel"))
        return text_layout(words, self.component(label, style=style), cancel)


class Menu(Control):
    """A select menu. Subclasses say what a choice does."""

    def component(
        self,
        options: Sequence[Component],
        *,
        placeholder: str | None = None,
        disabled: bool = False,
    ) -> Component:
        """Return a menu of 1 to 25 options made by `components.option`."""
        return components.string_select(
            self.custom_id, options, placeholder=placeholder, disabled=disabled
        )

    def of_channels(
        self,
        *,
        placeholder: str | None = None,
        max_values: int = 1,
        chosen: Iterable[int] = (),
        forums: bool = False,
    ) -> Component:
        """Return a menu of text and news channels, with the current choice."""
        kinds = [*components.TEXT_CHANNELS, *([components.FORUM] if forums else [])]
        return components.select(
            *(components.CHANNEL_SELECT, self.custom_id, placeholder),
            min_values=0,
            max_values=max_values,
            channel_types=kinds,
            default_values=[{"id": str(channel), "type": "channel"} for channel in chosen],
        )

    def of_users(
        self,
        *,
        placeholder: str | None = None,
        min_values: int = 1,
        max_values: int = 1,
        chosen: Iterable[int] = (),
    ) -> Component:
        """Return a menu of users, with the current choice."""
        return components.select(
            *(components.USER_SELECT, self.custom_id, placeholder),
            min_values=min_values,
            max_values=max_values,
            default_values=[{"id": str(user), "type": "user"} for user in chosen],
        )

    def of_roles(self, *, placeholder: str, chosen: Iterable[int] = ()) -> Component:
        """Return a menu of one role or none, with the current choice."""
        return components.select(
            *(components.ROLE_SELECT, self.custom_id, placeholder),
            min_values=0,
            max_values=1,
            default_values=[{"id": str(role), "type": "role"} for role in chosen],
        )


class Form(Control):
    """A form (modal). Its address says what it is for, so it works after a restart too."""

    def modal(self, title: str, *inputs: Component) -> Component:
        """Return the form in Discord's format; `components.text_input` makes its inputs."""
        return {"custom_id": self.custom_id, "title": title, "components": list(inputs)}


def _encoded(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, timedelta):
        return move_times.written(value)
    return str(value.value) if isinstance(value, Enum) else str(value)


@cache
def _readers(cls: type[Control]) -> tuple[Callable[[str], Any], ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_reader(hints[field.name]) for field in fields(cls))  # type: ignore[arg-type]


def _reader(hint: Any) -> Callable[[str], Any]:
    """Return the reader for a field of this type; raise TypeError if an address cannot hold one."""
    if get_origin(hint) in {Union, types.UnionType}:
        inner = _reader(next(arg for arg in get_args(hint) if arg is not type(None)))
        return lambda text: inner(text) if text else None
    if get_origin(hint) is Literal:
        return lambda text: _one_of(text, get_args(hint))
    if get_origin(hint) is Annotated:
        bounds = hint.__metadata__[0]
        assert isinstance(bounds, Bounds), hint
        return bounds.read
    if hint is bool:
        return lambda text: _one_of(text, ("0", "1")) == "1"
    if hint in _NUMBERS:
        return _NUMBERS[hint]
    if hint is str or (isinstance(hint, type) and issubclass(hint, Enum)):
        return hint
    raise TypeError(f"no field of an address: {hint}")


_NUMBERS: Final[dict[Any, Callable[[str], Any]]] = {int: COUNT.read, timedelta: move_times.read}


def _one_of(text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise ValueError(text)
    return text
