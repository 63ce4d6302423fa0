"""Slash commands, declared as functions that get their reply.

    @command("match verify", say("Check the throws of a match"))
    async def verify(
        reply: Reply,
        number: Annotated[int, Option(say("The number of the match"), suggest=my_matches)],
    ) -> None: ...

`game_command` declares a command of every game; its function gets the game after the reply.
`bot.interactions.tree` makes commands of discord.py of all that was declared.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from bot.interactions.reply import Reply
from engine.registry import AnyGame

MAX_SUGGESTIONS: Final = 25

Suggestions: TypeAlias = Iterable[tuple[str, Any]]
"""Pairs of what a person reads and what the command is given."""

Public: TypeAlias = bool | Callable[[Mapping[str, Any]], bool]
"""Whether everyone in the channel sees the answer, or what tells that from the options."""

Suggest: TypeAlias = Callable[[Reply, str, AnyGame | None], Awaitable[Suggestions]]
"""Suggests values for what was typed so far; the game is that of a game's command."""

Callback = TypeVar("Callback", bound=Callable[..., Awaitable[None]])


@dataclass(frozen=True)
class Option:
    """One option of a command, as registered with Discord."""

    description: str
    _: KW_ONLY
    name: str | None = None
    """Where it differs from that of the parameter."""
    choices: Mapping[Any, str] | Callable[[], Mapping[Any, str]] = field(default_factory=dict)
    """What a person reads, by the value that the command is given; called for each tree."""
    minimum: int | None = None
    """The smallest number, or the fewest characters; ``maximum`` likewise."""
    maximum: int | None = None
    suggest: Suggest | None = None


@dataclass(frozen=True)
class Parameter:
    """An option that only some games have, and that may be left out."""

    name: str
    kind: Any
    option: Option


@dataclass(frozen=True)
class Declared:
    """A command as it was declared."""

    path: tuple[str, ...]
    description: str | Callable[[AnyGame], str]
    callback: Callable[..., Awaitable[None]]
    public: Public
    server_only: bool = False
    when: Callable[[AnyGame], bool] = lambda _: True
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: ()


@dataclass(frozen=True)
class Group:
    """A group of commands as it was declared."""

    description: str
    managers: bool


COMMANDS: Final[list[Declared]] = []
GAME_COMMANDS: Final[list[Declared]] = []
CONTEXT_MENUS: Final[list[Declared]] = []
GROUPS: Final[dict[str, Group]] = {}


def group(name: str, description: str, *, managers: bool = False) -> None:
    """Declare a group of commands; ``managers`` restricts it to server managers."""
    GROUPS[name] = Group(description, managers)


def command(
    path: str, description: str, *, public: Public = False, server_only: bool = False
) -> Callable[[Callback], Callback]:
    """Declare a command.

    Args:
        path: its name, after that of its group if it has one.
        description: one line.
        public: whether everyone in the channel sees the answer.
        server_only: whether it means nothing outside a server.

    """

    def declare(callback: Callback) -> Callback:
        names = tuple(path.split())
        COMMANDS.append(Declared(names, description, callback, public, server_only))
        return callback

    return declare


def game_command(
    name: str,
    description: str | Callable[[AnyGame], str],
    *,
    public: Public = False,
    when: Callable[[AnyGame], bool] = lambda _: True,
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: (),
) -> Callable[[Callback], Callback]:
    """Declare a command of every game, in the group of that game.

    Args:
        name: its name.
        description: one line, or what makes it of the game.
        public: whether everyone in the channel sees the answer.
        when: which games have it.
        parameters: further options, by the game; the function gets them as keywords.

    """

    def declare(callback: Callback) -> Callback:
        GAME_COMMANDS.append(
            Declared((name,), description, callback, public, when=when, parameters=parameters)
        )
        return callback

    return declare


def context_menu(name: str, *, public: bool = False) -> Callable[[Callback], Callback]:
    """Declare an entry of a person's context menu; the function gets the person."""

    def declare(callback: Callback) -> Callback:
        CONTEXT_MENUS.append(Declared((name,), "", callback, public))
        return callback

    return declare
