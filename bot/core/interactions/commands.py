"""Slash commands, declared as functions that take a reply.

    @command("match verify", say("Check the throws of a match"))
    async def verify(
        reply: Reply,
        number: Annotated[int, Option(say("The number of the match"), suggest=my_matches)],
    ) -> None: ...

`game_command` declares a command of every game; its function gets the game after the reply.
`bot.core.interactions.tree` turns all declarations into commands of discord.py.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

import aiohttp
import discord

from bot.core.interactions.reply import Reply
from engine import registry
from engine.luck import MAX_WORD
from engine.phrase import say, shortened, translated
from engine.registry import AnyGame

_FETCHING: Final = 20.0
"""Seconds to fetch a file in all, however slowly it arrives."""
MAX_SUGGESTIONS: Final = 25
MAX_TYPED: Final = 100
"""Characters read of a text being completed, and taken for a text option that sets no maximum."""

Suggestions: TypeAlias = Iterable[tuple[str, Any]]
"""Pairs of the label shown and the value that the command gets."""

Public: TypeAlias = bool | Callable[[Mapping[str, Any]], bool]
"""Whether everyone in the channel sees the answer, or a function of the options that decides."""

Suggest: TypeAlias = Callable[[Reply, str, AnyGame | None], Awaitable[Suggestions]]
"""Suggests values for what is typed so far; the game is set in a game's command."""

Callback = TypeVar("Callback", bound=Callable[..., Awaitable[None]])


@dataclass(frozen=True)
class Option:
    """One option of a command, as registered with Discord."""

    description: str
    _: KW_ONLY
    name: str | None = None
    """Set if it differs from the parameter's."""
    choices: Mapping[Any, str] | Callable[[], Mapping[Any, str]] = field(default_factory=dict)
    """Labels by value; a function is called for each tree."""
    minimum: int | None = None
    """The smallest number, or the fewest characters; ``maximum`` is the opposite.

    A text without choices has at most `MAX_TYPED` characters unless ``maximum`` says otherwise.
    """
    maximum: int | None = None
    suggest: Suggest | None = None


@dataclass(frozen=True)
class Parameter:
    """An optional option that only some games have."""

    name: str
    kind: Any
    option: Option


@dataclass(frozen=True)
class Declared:
    """A declared command."""

    path: tuple[str, ...]
    description: str | Callable[[AnyGame], str]
    callback: Callable[..., Awaitable[None]]
    public: Public
    server_only: bool = False
    """Whether it makes no sense outside a server."""
    for_blocked: bool = False
    """Whether those whom the bot's owner has blocked may still use it."""
    when: Callable[[AnyGame], bool] = lambda _: True
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: ()


@dataclass(frozen=True)
class Group:
    """A declared group of commands."""

    description: str
    managers: bool


COMMANDS: Final[list[Declared]] = []
GAME_COMMANDS: Final[list[Declared]] = []
CONTEXT_MENUS: Final[list[Declared]] = []
GROUPS: Final[dict[str, Group]] = {}


def group(name: str, description: str, *, managers: bool = False) -> None:
    """Declare a group of commands; ``managers`` restricts it to server managers."""
    GROUPS[name] = Group(description, managers)


def _declaring(
    where: list[Declared], *names: str, description: str | Callable[[AnyGame], str], **rest: Any
) -> Callable[[Callback], Callback]:
    def declare(callback: Callback) -> Callback:
        where.append(Declared(names, description, callback, **rest))
        return callback

    return declare


def command(
    path: str,
    description: str,
    *,
    public: Public = False,
    server_only: bool = False,
    for_blocked: bool = False,
) -> Callable[[Callback], Callback]:
    """Declare a command. Its path is its name, after its group's if it has one."""
    rest = {"public": public, "server_only": server_only, "for_blocked": for_blocked}
    return _declaring(COMMANDS, *path.split(), description=description, **rest)


def game_command(
    name: str,
    description: str | Callable[[AnyGame], str],
    *,
    public: Public = False,
    when: Callable[[AnyGame], bool] = lambda _: True,
    parameters: Callable[[AnyGame], Sequence[Parameter]] = lambda _: (),
) -> Callable[[Callback], Callback]:
    """Declare a command of every game that ``when`` admits, in the group of that game.

    The function gets the options in ``parameters`` as keywords.
    """
    rest = {"public": public, "when": when, "parameters": parameters}
    return _declaring(GAME_COMMANDS, name, description=description, **rest)


def context_menu(name: str, *, public: bool = False) -> Callable[[Callback], Callback]:
    """Declare an entry in the context menu of users; the function gets the user."""
    return _declaring(CONTEXT_MENUS, name, description="", public=public)


_MAX_DESCRIPTION: Final = 100


async def fitting(reply: Reply, typed: str, entries: Iterable[tuple[str, Any]]) -> Suggestions:
    """Return the suggestions whose label, in the user's language, contains what is typed."""
    locale = await reply.locale(public=False)
    wanted = typed.strip().lstrip("#").lower()
    labels = [(translated(label, locale), value) for label, value in entries]
    return [one for one in labels if wanted in one[0].lower()]


def game_option(description: str) -> Option:
    """Return an option that takes a game."""
    # Built for each tree, not at import: games may be dropped in.
    return Option(
        description,
        choices=lambda: {game.slug: game.title for game in registry.games().values()},
    )


def game_parameters(game: AnyGame, players: str) -> list[Parameter]:
    """Return the options of a command that starts a match, including a word for its luck.

    ``players`` describes the number of players, in games that leave a choice.
    """
    found = []
    if len(game.players) > 1:
        number = Option(players, minimum=game.players[0], maximum=game.players[-1])
        found.append(Parameter("players", int, number))
    for option in game.options:
        summary = shortened(option.summary, _MAX_DESCRIPTION)
        found.append(Parameter(option.name, str, _one_of(summary, option.values)))
    seat = say("Your side (random if empty)")
    found.append(Parameter("seat", str, _one_of(seat, game.seat_names)))
    if game.has_luck:
        word = Option(say("Your own word for the throws"), maximum=MAX_WORD)
        found.append(Parameter("word", str, word))
    return found


def options_in(game: AnyGame, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the game's options that were given."""
    names = [option.name for option in game.options]
    return {name: given[name] for name in names if given[name] is not None}


def seat_in(game: AnyGame, given: Mapping[str, Any]) -> int | None:
    """Return the requested seat, if any."""
    seat = given["seat"]
    return None if seat is None else game.seat_names.index(seat)


def word_in(given: Mapping[str, Any]) -> str:
    """Return the word given for the throws; empty for none."""
    return given.get("word") or ""


def _one_of(description: str, values: Iterable[str]) -> Option:
    return Option(description, choices={value: value for value in values})


async def fetched(
    file: discord.Attachment, *, maximum: int, seconds: float = _FETCHING
) -> bytes | None:
    """Return the content of an attachment; ``None`` if it can't be fetched.

    Nothing outside is trusted about its size, neither Discord nor the answer's headers: of a file of
    more than ``maximum`` bytes, the first ``maximum + 1`` are returned.
    """
    # Not discord.py's own session, which unpacks compressed answers and reads to their end.
    timeout = aiohttp.ClientTimeout(total=seconds)
    try:
        async with (
            aiohttp.ClientSession(auto_decompress=False, timeout=timeout) as session,
            session.get(
                file.url, allow_redirects=False, headers={"Accept-Encoding": "identity"}
            ) as response,
        ):
            if response.status != 200:
                return None
            content = bytearray()
            async for chunk in response.content.iter_chunked(64 * 1024):
                content += chunk[: maximum + 1 - len(content)]
                if len(content) > maximum:
                    break
            return bytes(content)
    except (TimeoutError, aiohttp.ClientError, OSError):
        return None
