"""The public boards of each match, collected as they appear."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from playground.events import (
    ChannelDeleted,
    Event,
    InteractionCreated,
    MessageDeleted,
    MessageEdited,
    MessageSent,
)
from playground.interaction import Interaction
from playground.model import Message, Snapshot

_NUMBER: Final = re.compile(r"match #(\d+)\n")
_ADDRESS: Final = re.compile(r"tm?:(\d+):(\d+):([^~]*)")
_CALL: Final = re.compile(r"your turn: https://\S+/(\d+)")
_WRONG: Final = ("Something went wrong", "couldn't save that")
"""Texts that no player may ever be shown."""
_AGAIN: Final = re.compile(r"t:(\d+):\d+:")
"""The custom ID of the button that goes back to the first choice of a move."""


@dataclass(frozen=True, slots=True)
class Control:
    """A choice on a board."""

    match: int
    version: int
    steps: str
    """The steps it chooses, including all earlier ones."""
    whole: bool
    """Whether it completes a move."""
    value: str
    menu: int | None
    """The index of its menu; ``None`` for a button."""

    @property
    def notation(self) -> str:
        """The move, as a player types it."""
        return self.steps.replace("|", "")


def controls(board: Message | Snapshot) -> list[Control]:
    """List the buttons and menu entries of a board that choose a move or a step."""
    found: list[Control] = []
    for button in board.buttons:
        address = None if button.disabled else _ADDRESS.match(button.custom_id or "")
        if address is not None:
            steps = address[3]
            whole = bool(steps) and not button.label.endswith(" …")
            found.append(_control(address, steps, button.custom_id or "", None, whole=whole))
    for place, menu in enumerate(board.menus):
        address = None if menu.disabled else _ADDRESS.match(menu.custom_id)
        if address is not None:
            found += [_control(address, o.value, o.value, place, whole=True) for o in menu.options]
    return found


def _control(
    address: re.Match[str], steps: str, value: str, menu: int | None, *, whole: bool
) -> Control:
    return Control(int(address[1]), int(address[2]), steps, whole, value, menu)


@dataclass(slots=True)
class Boards:
    """The messages about each match, and texts that players should not have seen."""

    shown: defaultdict[int, dict[int, Message]] = field(default_factory=lambda: defaultdict(dict))
    """By match and ID, every public message with the match's picture or controls."""
    live: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """By match, the IDs of the messages with controls."""
    posted: defaultdict[int, dict[int, int | str]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """What each board first showed, by match and ID.

    Its turn, or its text where there was nothing to press because a computer was thinking or the
    match was over.
    """
    begun: dict[tuple[int, int], Message] = field(default_factory=dict)
    """By match and player, the newest message with their half-made move."""
    calls: dict[int, Message] = field(default_factory=dict)
    """The short messages that ping a player."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """Forbidden texts that players were shown, and what they had done."""

    interactions: dict[int, Interaction] = field(default_factory=dict)
    """What players have done, by ID."""

    def hear(self, event: Event) -> None:
        """Handle an event of the playground."""
        if isinstance(event, MessageSent | MessageEdited):
            self._look(event.message)
        elif isinstance(event, MessageDeleted):
            self._forget(event.message)
        elif isinstance(event, InteractionCreated):
            self.interactions[event.interaction.id] = event.interaction
        elif isinstance(event, ChannelDeleted):
            for message in list(event.channel.messages.values()):
                self._forget(message)

    def _look(self, message: Message) -> None:
        text = message.text
        if any(words in text for words in _WRONG):
            metadata = message.interaction_metadata
            interaction = None if metadata is None else self.interactions[int(metadata["id"])]
            data = {} if interaction is None else interaction.data
            who = "somebody" if interaction is None else interaction.user.display
            done = data.get("custom_id") or data.get("name") or "nothing"
            self.wrong.append((text.partition(".")[0], f"{who} had used {done}"))
        if message.ephemeral_for is not None:
            self._look_alone(message, message.ephemeral_for.id)
        if message.ephemeral or message.deleted:
            return
        if _CALL.search(text):
            self.calls[message.id] = message
        number = _NUMBER.search(text)
        offered = controls(message)
        if number is None or not (message.attachments or offered):
            return
        match = int(number[1])
        self.shown[match][message.id] = message
        self.posted[match].setdefault(message.id, offered[0].version if offered else text)
        if offered:
            self.live[match].add(message.id)
        else:
            self.live[match].discard(message.id)

    def _look_alone(self, message: Message, user_id: int) -> None:
        again = [_AGAIN.fullmatch(button.custom_id or "") for button in message.buttons]
        for address in filter(None, again):
            self.begun[int(address[1]), user_id] = message
            return
        for key in [key for key, known in self.begun.items() if known is message]:
            del self.begun[key]

    def _forget(self, message: Message) -> None:
        self.calls.pop(message.id, None)
        for match, shown in self.shown.items():
            if shown.pop(message.id, None) is not None:
                self.posted[match].pop(message.id, None)
                self.live[match].discard(message.id)

    def newest(self, match: int) -> Message | None:
        """Return the newest board of a match."""
        shown = self.shown[match]
        return shown[max(shown)] if shown else None

    def playable(self, match: int) -> Message | None:
        """Return the newest board of a match that has controls."""
        live = self.live[match]
        return self.shown[match][max(live)] if live else None
