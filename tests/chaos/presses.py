"""Players and strangers who press everything they see, or no longer see, all at once."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from playground.errors import Impossible
from playground.events import Event, InteractionCreated
from tests.chaos import acts
from tests.chaos.boards import controls
from tests.chaos.match import Match, begin
from tests.chaos.world import DEADLINE, World
from tests.routes import CALLBACK, POST

MATCHES: Final = 4
"""Number of simultaneous matches."""
LONGEST_BURST: Final = 5
_HANGS: Final = 0.05
"""Probability that an answer hangs during a burst."""


async def _move(match: Match) -> None:
    match.plays(whole=True)


async def _any(match: Match) -> None:
    match.plays()


async def _twice(match: Match) -> None:
    """Press the same control twice at once."""
    match.plays()
    await acts.THEN["again"][1](match)


async def _two(match: Match) -> None:
    """Press two controls of one board at once."""
    board, mover = match.board, match.mover
    if board is None or mover is None or len(match.offered) < 2:
        raise Impossible("There are no two things to press.")
    for control in match.world.dice.sample(match.offered, 2):
        match.pick(board, mover, control)


async def _step_and_move(match: Match) -> None:
    """Press a step and a whole move at the same time."""
    board, mover = match.board, match.mover
    if board is None or mover is None:
        raise Impossible("Nobody is called.")
    offered = match.offered
    for whole in match.world.dice.sample((False, True), 2):
        fitting = [c for c in offered if c.whole is whole]
        if fitting:
            match.pick(board, mover, match.world.dice.choice(fitting))


async def _somebody(match: Match) -> None:
    """Press as anyone, player or stranger."""
    board, dice = match.board, match.world.dice
    if board is None or not match.offered:
        raise Impossible("There is nothing to press.")
    match.pick(board, dice.choice(match.world.playground.people), dice.choice(match.offered))


async def _late(match: Match) -> None:
    """Press on a stale board."""
    dice = match.world.dice
    snapshots = [
        snapshot for snapshot in match.old if controls(snapshot) and not snapshot.message.deleted
    ]
    if not snapshots:
        raise Impossible("Nothing is remembered.")
    snapshot = dice.choice(snapshots)
    match.pick(snapshot, dice.choice(match.players), dice.choice(controls(snapshot)), stale=True)


async def _nonsense(match: Match) -> None:
    person = match.world.dice.choice(match.players)
    match.types(person, match.world.dice.choice(("a1-a1", "in", "k1-l2", "hello", "*4", "e9+1")))


async def _offer(match: Match) -> None:
    """Ask to take a move back, and have anyone answer anything."""
    dice = match.world.dice
    asker, answerer = dice.choice(match.players), dice.choice(match.players)
    label = dice.choice(("Agree to take it back", "Agree to take it back", "Play on"))
    await match.asks(asker, "takeback", answerer, label)


async def _give_up(match: Match) -> None:
    dice = match.world.dice
    person = dice.choice(match.players)
    await match.asks(person, "resign", person, dice.choice(("Resign", "Keep playing")))


_WHAT: Final[dict[Callable[[Match], Awaitable[None]], int]] = {
    _move: 30,
    _any: 20,
    _twice: 8,
    _two: 8,
    _step_and_move: 8,
    _somebody: 8,
    _late: 8,
    acts.finish: 12,
    acts.typed: 8,
    acts.own_board: 3,
    _nonsense: 2,
    _offer: 3,
    _give_up: 1,
}
_PAUSES: Final = (0.0, 0.0, 0.01, 0.03, 0.1, 0.3, 1.2)


@dataclass(slots=True)
class Burst:
    """Presses on one match in quick succession."""

    problems: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)


class Crowd:
    """People who play several matches at once in one world."""

    def __init__(self, world: World, seed: int) -> None:
        """Draw their actions from a seed."""
        self.world = world
        self.presses = 0
        world.dice.seed(seed)
        self._dice = random.Random(seed)
        self._pairs = list(combinations([p.name for p in world.playground.people], 2))
        self._matches: list[Match] = []
        self._made: int = 0
        world.playground.world.subscribe(self._hear)

    async def round(self) -> list[Burst]:
        """Act in every match, then let ten seconds pass; return what went wrong."""
        await self._begin()
        marks = [len(match.trace) for match in self._matches]
        if self._dice.random() < _HANGS * len(self._matches):
            self._hang()
        for _ in range(LONGEST_BURST):
            for match in self._matches:
                if self._dice.random() < 0.6:
                    (act,) = self._dice.choices(list(_WHAT), list(_WHAT.values()))
                    await acts.do(match, act)
            await self.world.rest(self._dice.choice(_PAUSES))
        await self.world.rest(DEADLINE)
        self.world.network.clear()
        return self._look(marks)

    def _hang(self) -> None:
        route = self._dice.choice((CALLBACK, CALLBACK, POST))
        self.world.network.hold(
            route, self._dice.choice((0.5, 2.0, 4.0)), drop=self._dice.random() < 0.5
        )

    async def _begin(self) -> None:
        """Begin matches to replace those that have ended."""
        self._matches = [match for match in self._matches if not match.truth.finished]
        while len(self._matches) < MATCHES:
            names = self._pairs[self._made % len(self._pairs)]
            self._made += 1
            game = self._dice.choice(("tablan", "tablan", "thaayam"))
            self._matches.append(await begin(self.world, game, names))

    def _look(self, marks: list[int]) -> list[Burst]:
        traces = [m.trace[mark:] for m, mark in zip(self._matches, marks, strict=True)]
        found = []
        shared = self.world.complaints()
        if shared:
            everything = sorted(line for trace in traces for line in trace)
            found.append(Burst(shared, [*everything, *self.world.details]))
        for match, trace in zip(list(self._matches), traces, strict=True):
            problems = match.problems()
            if problems:
                found.append(Burst(problems, trace))
                self._matches.remove(match)  # or its problems would be reported every round
        return found

    def _hear(self, event: Event) -> None:
        self.presses += isinstance(event, InteractionCreated)
