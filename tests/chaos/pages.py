"""One plays in chat and one on the page, while the program is killed again and again.

After each move, what chat shows, what the page shows and what the store holds must be the same.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import aiohttp
from yarl import URL

from engine import registry
from engine.registry import AnyGame
from engine.replay import replay
from engine.scene import standing
from playground.components import descriptions
from playground.errors import Impossible, InteractionFailed, NothingHappened
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.chaos.match import PATIENCE, Match, Truth, challenge
from tests.chaos.processes import ProcessWorld
from tests.end_to_end.pages import PageWindow, window
from tests.ports import free_port

_TYPED: Final = 0.5
"""How many of the moves in chat are typed; the others are chosen on the board."""
_WITHIN: Final = 0.7
"""How many of the kills happen while a move is made."""
_MIGHT: Final = 0.2
"""Seconds of a move within which the program is killed."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page shows of a match."""

    ply: int
    alt: str
    men: dict[str, str]
    over: bool
    unsure: frozenset[str] = frozenset()
    """Squares of which it says more than what stands there."""


class Board(Protocol):
    """A page in somebody's browser. Everything raises OSError while nobody answers."""

    async def see(self, number: int) -> Seen:
        """Return what it shows of a match."""

    async def play(self, number: int, steps: Sequence[str]) -> int:
        """Play a move; return how long the match is then, 0 if it was refused."""


@dataclass(slots=True)
class HttpBoard:
    """A page as far as its requests go."""

    window: PageWindow

    async def ask(self, path: str, body: object = None) -> Any:
        """Ask as the page does; raise OSError unless it is answered."""
        try:
            return (await self.window.ask(path, body))[1]
        except aiohttp.ClientError as error:
            raise OSError(str(error)) from error

    async def see(self, number: int) -> Seen:
        """Return what the page is told of a match."""
        view = await self.ask(f"/api/matches/{number}")
        if "error" in view:
            raise OSError(view["error"])
        return Seen(view["ply"], view["alt"], view["scene"]["men"], view["over"])

    async def play(self, number: int, steps: Sequence[str]) -> int:
        """Send a move for the turn that the page is told of."""
        view = await self.ask(f"/api/matches/{number}")
        asked = {"version": view["version"], "steps": list(steps)}
        return int((await self.ask(f"/api/matches/{number}/moves", asked)).get("ply", 0))


class PageWorld(ProcessWorld):
    """A playground, and the bot with its page in another process."""

    serves = ""
    """Which of its processes has the page."""

    def __init__(self, folder: Path, **server: Any) -> None:
        """Choose the page's port: it stays when the program is started again."""
        super().__init__(folder, **server)
        self.page = URL(f"http://127.0.0.1:{free_port()}")

    @property
    def victims(self) -> list[tuple[str, ...]]:
        """The processes that are killed together: each of them, and all."""
        return list(dict.fromkeys([*((one,) for one in self.programs), self.programs]))

    def plays_on(self, *, page: bool) -> bool:
        """Return whether one can still play on the page, or in chat, after what was killed."""
        return (self.serves if page else self.joins) not in self.killed

    def settings(self) -> dict[str, str]:
        """Return the program's settings."""
        address = f"{self.page.host}:{self.page.port}"
        return super().settings() | {"WEB_URL": str(self.page), "WEB_ADDRESS": address}

    async def until_ready(self) -> None:
        """Wait until the program receives interactions and serves the page."""
        await super().until_ready()
        until = time.monotonic() + PATIENCE
        while not await self._serving() and time.monotonic() < until:
            await self.rest(0.05)

    async def _serving(self) -> bool:
        try:
            _, opened = await asyncio.open_connection(self.page.host, self.page.port)
        except OSError:
            return False
        opened.close()
        return True

    async def link(self, match: Match, person: Person) -> URL:
        """Return the link to the page that a person gets below the board of a match."""
        until = time.monotonic() + PATIENCE
        while (board := match.board) is None and time.monotonic() < until:
            await self.rest(0.05)
        assert board is not None, "the match has its board"
        menu = await _answer(partial(person.press, board, "More"))
        answer = await _answer(partial(person.press, menu, "Open the board"))
        (found,) = [one.url for one in answer.buttons if one.url]
        return URL(found)


@dataclass(slots=True)
class Run:
    """What happened so far."""

    wanted: int
    processes: int = 1
    """How many there are to kill."""
    moves: int = 0
    on_page: int = 0
    turns: int = 0
    """Moves tried."""
    killed: Counter[str] = field(default_factory=Counter)
    """How often each process was killed, or several at once."""
    in_moves: int = 0
    """Kills while a move was being made."""
    without: int = 0
    """Moves made while a killed process was away."""
    matches: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """How often something was killed."""
        return self.killed.total()

    @property
    def enough(self) -> bool:
        """Whether all moves wanted are made, some on the page, and each process was killed."""
        made = self.moves >= self.wanted and self.on_page > 0
        return made and self.kills >= self.processes


@asynccontextmanager
async def http_board(world: PageWorld, match: Match, person: Person) -> AsyncIterator[HttpBoard]:
    """Open the page as a person, as far as requests go."""
    async with window(world.page) as opened:
        await opened.open(str(await world.link(match, person)))
        yield HttpBoard(opened)


Opened: TypeAlias = Callable[[PageWorld, Match, Person], AbstractAsyncContextManager[Board]]


async def played(
    slug: str,
    moves: int,
    seed: int,
    *,
    kill_every: int = 20,
    opened: Opened = http_board,
    places: Callable[..., PageWorld] = PageWorld,
) -> Run:
    """Play so many moves of a game, and kill a process about so often; return what happened."""
    run = Run(moves)
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        world = places(Path(folder), seed=seed)
        run.processes = len(world.programs)
        await world.open()
        await world.until_ready()
        names = [person.name for person in world.playground.people]
        try:
            while not (run.enough or run.problems):
                first, second, *_ = names[run.matches % 4 :] + names
                match = await begun(world, slug, (first, second))
                run.matches += 1
                person = match.players[run.matches % 2]
                async with opened(world, match, person) as board:
                    await _match(world, match, board, person, run, kill_every=kill_every)
        finally:
            await world.close()
    return run


def agreed(run: Run, moves: int) -> None:
    """Check that everybody saw the same in so many moves, and that something was killed."""
    assert run.problems == []
    assert run.moves >= moves
    assert run.on_page > 0
    assert run.kills > 0


async def _answer(press: Callable[[], Reply]) -> Message:
    """Press until there is an answer: on a busy machine it may come too late."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await (await press()).filled()
        except InteractionFailed:
            if time.monotonic() > until:
                raise


async def begun(world: PageWorld, slug: str, names: tuple[str, str]) -> Match:
    """Begin a match, however long that takes on a busy machine."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            offered = await challenge(world, slug, names)
            break
        except InteractionFailed:  # it came too late; the next one withdraws it
            if time.monotonic() > until:
                raise
    await offered.shown()
    with suppress(InteractionFailed):  # it may begin all the same
        await offered.accept(offered.players[1])
    while (match := offered.match) is None and time.monotonic() < until:
        await world.rest(0.05)
    assert match is not None, "the challenge has become a match"
    return match


async def _match(
    world: PageWorld, match: Match, board: Board, person: Person, run: Run, *, kill_every: int
) -> None:
    """Play a match to its end, or until enough moves are made."""
    dice = world.dice
    while not (match.truth.finished or run.enough):
        run.problems += await differences(world, match, board)
        if run.problems:
            return
        before, mover = match.truth, who_moves(match)
        run.turns += 1
        killing = run.turns % kill_every == kill_every // 2
        victim = world.victims[run.kills % len(world.victims)]
        within = killing and dice.random() < _WITHIN
        if within:
            asyncio.get_running_loop().call_later(dice.uniform(0, _MIGHT), _kill, world, victim)
        length = await _move(match, board if mover is person else None, dice)
        if killing:
            if not world.dead:
                await world.rest(_MIGHT)
                _kill(world, victim)
            run.killed[" and ".join(victim)] += 1
            run.in_moves += within
            played = len(match.truth.log)
            length = max(length, await _without(world, match, board, person, run))
            run.without += len(match.truth.log) > played
            await world.revive()
        after = match.truth
        if after.plies < length:
            run.problems.append(f"match {match.number}: a move was lost that was confirmed")
        made = [seat for _, seat, _ in after.log[before.plies :] if seat is not None]
        run.moves += len(made)
        run.on_page += made.count(_seat(match, person))
    run.problems += await differences(world, match, board)


def _kill(world: PageWorld, victim: Sequence[str]) -> None:
    if not world.dead:
        world.kill(*victim)


async def _without(world: PageWorld, match: Match, board: Board, person: Person, run: Run) -> int:
    """Make one more move without the process that was killed, where that is possible."""
    mover = None if match.truth.finished else who_moves(match)
    if mover is None or not world.plays_on(page=mover is person):
        return 0
    if mover is not person:
        run.problems += await differences(world, match, None)
    return await _move(match, board if mover is person else None, world.dice)


def _seat(match: Match, person: Person) -> int:
    """Return which seat of a match a person has."""
    ((seat,),) = match.world.rows(
        "SELECT seat FROM players WHERE match_id = ? AND user_id = ?", match.number, person.id
    )
    return int(seat)


def who_moves(match: Match) -> Person:
    """Return whose turn it is in the store."""
    game, state = _stored(match, match.truth)
    seat = game.actor(state)
    return next(one for one in match.players if _seat(match, one) == seat)


async def _move(match: Match, board: Board | None, dice: random.Random) -> int:
    """Make some move in chat or on the page; return how long the match then is, as far as answered.

    If nobody answers, the next look shows whether it counts.
    """
    game, state = _stored(match, match.truth)
    steps = game.steps(dice.choice(list(game.legal_moves(state))))
    version = match.truth.version
    try:
        if board is not None:
            return await board.play(match.number, steps)
        mover, live = match.mover, match.board
        assert mover is not None
        assert live is not None
        if dice.random() < _TYPED:
            await match.types(mover, "".join(steps))
        else:
            await match.pick(live, mover, dice.choice([one for one in match.offered if one.whole]))
    except (OSError, IndexError, Impossible, InteractionFailed, NothingHappened):
        return 0
    return version + 1 if match.sent[-1].accepted else 0


def _stored(match: Match, truth: Truth) -> tuple[AnyGame, Any]:
    """Return the game and its position as the store has it."""
    game = registry.game(match.slug)
    state: Any = game.initial({}, match.seats)
    for entry in replay(game, [text for _, _, text in truth.log], players=match.seats):
        state = entry.after
    return game, state


async def differences(world: PageWorld, match: Match, board: Board | None) -> list[str]:
    """Return what chat, page and store show differently; nothing as soon as they agree.

    Without a page, only what chat shows is compared.
    """
    until = time.monotonic() + PATIENCE
    while (found := await _compared(match, board)) and time.monotonic() < until:
        await world.rest(0.05)
    return [f"match {match.number}: {one}" for one in (*found, *world.complaints())]


async def _compared(match: Match, board: Board | None) -> list[str]:
    truth = match.truth
    if board is None:
        return match.board_problems()
    try:
        seen = await board.see(match.number)
    except OSError as error:
        return [f"the page doesn't answer: {error}"]
    game, state = _stored(match, truth)
    men = {name: ", ".join(there) for name, there in standing(game.scene(state)).items()}
    found = match.board_problems()
    if seen.ply != truth.plies:
        found.append(f"the page shows ply {seen.ply}, the store has {truth.plies}")
    told = men.keys() | seen.men.keys()
    if any(seen.men.get(one) != men.get(one) for one in told - seen.unsure):
        found.append("the page shows other men than the store")
    if seen.over != truth.finished:
        found.append("page and store differ on whether it is over")
    newest = match.world.boards.newest(match.number)
    # A film of what its reader has missed may stand above the board.
    shown = [] if newest is None else descriptions(newest.component_data)
    if not any(one.startswith(seen.alt[:_TOLD]) for one in shown):
        found.append(f"the page says {seen.alt!r}, chat {shown!r}")
    return found


_TOLD: Final = 800
"""Characters of descriptions that are compared: chat's also name the players, and may be cut there."""
