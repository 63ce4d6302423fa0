"""A bot's recorded answers to presses, for another program to play back."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of a board: each option is its label and its description."""

    placeholder: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A message with a picture and controls."""

    words: tuple[str, ...]
    alt: str
    picture: bytes
    menus: tuple[Menu, ...]
    buttons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one press."""

    passes: bool
    """Whether the board came as a new message rather than replacing the pressed one."""
    left_words: tuple[str, ...]
    """The pressed message's text afterwards, if it lost its controls."""
    board: Board


def save(path: Path, answers: Iterable[Answer]) -> None:
    """Write answers to a file."""
    data = [asdict(answer) for answer in answers]
    for answer in data:
        answer["board"]["picture"] = base64.b64encode(answer["board"]["picture"]).decode()
    path.write_text(json.dumps(data))


def load(path: Path) -> tuple[Answer, ...]:
    """Read answers from a file."""
    return tuple(
        Answer(
            passes=data["passes"],
            left_words=tuple(data["left_words"]),
            board=_board(data["board"]),
        )
        for data in json.loads(path.read_text())
    )


def _board(data: dict[str, Any]) -> Board:
    return Board(
        words=tuple(data["words"]),
        alt=data["alt"],
        picture=base64.b64decode(data["picture"]),
        menus=tuple(
            Menu(
                menu["placeholder"],
                tuple((label, description) for label, description in menu["options"]),
            )
            for menu in data["menus"]
        ),
        buttons=tuple(data["buttons"]),
    )
