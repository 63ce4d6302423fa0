"""One fault or kill at a named moment, with what was in progress and what came right after."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self

from playground.faults import Fault
from tests import routes
from tests.chaos import acts
from tests.chaos.match import Match, begin, challenge
from tests.chaos.world import AT_ONCE, DEADLINE, World

ACCEPT: Final = "accept"
"""The act of beginning a match."""
ROUTES: Final = {
    "callback": routes.CALLBACK,
    "original": routes.EDIT_ANSWER,
    "follow-up": routes.FOLLOW_UP,
    "remove-original": routes.DELETE_ANSWER,
    "post": routes.POST,
    "edit": routes.EDIT,
    "delete": routes.DELETE,
    "thread": routes.THREAD,
    "history": routes.HISTORY,
    "fetch": routes.MESSAGE,
}
FAILURES: Final = (
    "lost",
    "refused",
    "hung-2",
    "hung-8",
    "hung-20",
    "hung-3-lost",
    "late-2",
    "late-6",
    "500",
    "502",
    "503",
    "500-after",
    "503-after",
    "429",
    "429-5",
    "429-page",
    "503-page",
)
"""How a request fails.

Its reply is lost; it is never carried out; it is carried out at once and answered some seconds
later, or never; it is carried out some seconds later; it is answered by an error, carried out or
not, or by a proxy's page.
"""
_OFTEN: Final = frozenset({"callback", "original", "post", "edit"})
"""The routes that a story may use twice."""
_IMPATIENT: Final = frozenset({"original", "follow-up", "remove-original"})
"""The routes used after the bot has asked for more time."""
SOONEST: Final = ("move", "move-soon", "typed-soon", "move-at-once", "typed", "two-moves", "again")
_RIGHT_AFTER: Final = ("move-soon", "typed-soon")
TURNS: Final = (0, 1, 3, 6)


@dataclass(frozen=True, slots=True)
class Story:
    """What fits in one line, which is enough to repeat it."""

    board: str
    threads: bool

    def __str__(self) -> str:
        """Write it in a line."""
        return " ".join(f"{name}={value}" for name, value in dataclasses.asdict(self).items())

    @classmethod
    def read(cls, line: str) -> Self:
        """Parse such a line."""
        given: dict[str, Any] = dict(part.split("=", 1) for part in line.split())
        for one in dataclasses.fields(cls):
            if one.name in given and one.type == "int":
                given[one.name] = int(given[one.name])
            elif one.name in given and one.type == "bool":
                given[one.name] = given[one.name] == "True"
        return cls(**given)

    @property
    def server(self) -> tuple[str, bool]:
        """The server's settings, which the world must be opened with."""
        return self.board, self.threads


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario(Story):
    """One fault or kill at a named moment."""

    kind: str
    """``fault`` or ``kill``."""
    game: str
    players: int
    turns: int
    """Number of choices made before the act."""
    act: str
    then: str
    route: str = "post"
    nth: int = 1
    """Which request to that route fails, counted from 1."""
    failure: str = "lost"
    moment: int = 1
    """The moment the bot is killed, counted from the act."""
    seed: int = 0

    def __str__(self) -> str:
        """Write it in a line."""
        payload = dataclasses.asdict(self)
        for name in ("moment",) if self.kind == "fault" else ("route", "nth", "failure"):
            del payload[name]
        return " ".join(f"{name}={value}" for name, value in payload.items())


@dataclass(slots=True)
class Outcome:
    """The result of a scenario."""

    scenario: Scenario
    struck: bool = False
    """Whether the fault or kill happened at all."""
    match: Match | None = None
    """Its match, if that can be played on."""
    killed: str = ""
    """The moment the bot was killed, if it was."""
    problems: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)


def faults(dice: random.Random) -> Iterator[Scenario]:
    """Draw scenarios of faults without end: each route, failure and act in turn."""
    while True:
        pairs = list(itertools.product(ROUTES, FAILURES))
        dice.shuffle(pairs)
        for route, failure in pairs:
            nth = dice.choice((1, 1, 2)) if route in _OFTEN else 1
            yield dataclasses.replace(_drawn(dice, "fault", route), failure=failure, nth=nth)


def kills(dice: random.Random) -> Iterator[Scenario]:
    """Draw scenarios of kills without end: for each story, one moment after the other."""
    while True:
        story = _drawn(dice, "kill", "callback")
        if dice.random() < 0.5:
            story = dataclasses.replace(story, act="move", then=dice.choice(_RIGHT_AFTER))
        for moment in range(1, 25):
            seed = dice.randrange(1_000_000)
            yield dataclasses.replace(story, moment=moment, seed=seed)


def _drawn(dice: random.Random, kind: str, route: str) -> Scenario:
    """Draw a story that uses a route; some routes are used only on rare occasions."""
    game, players = dice.choice((("tablan", 2), ("tablan", 2), ("thaayam", 2), ("thaayam", 3)))
    threads, then = dice.random() < 0.5, dice.choice((*acts.THEN, *SOONEST))
    board, act = dice.choice(("new", "edit")), dice.choice((ACCEPT, "move", "move", *acts.ACTS))
    turns = dice.choice(TURNS)
    if act == "step" and dice.random() < 0.7:
        then = "finish"
    match route:
        case "thread":
            act, threads = ACCEPT, True
        case "fetch":
            act = "own-board"
        case "delete":
            board, act, then, turns = "edit", "typed", "two-moves", dice.choice((3, 6))
        case "follow-up":
            act, then = dice.choice((("move", "again"), ("takeback", then)))
        case "remove-original":
            act, turns = "takeback", 0
        case "history" | "post" if act not in {ACCEPT, "resign"}:
            then = dice.choice(("two-moves", "typed", "move"))
    return Scenario(
        kind=kind,
        board=board,
        threads=threads,
        game=game,
        players=players,
        turns=turns,
        act=act,
        then=then,
        route=route,
        seed=dice.randrange(1_000_000),
    )


async def run(world: World, scenario: Scenario, match: Match | None = None) -> Outcome:
    """Run a scenario in a world whose server is set up as it says.

    Args:
        world: where.
        scenario: what.
        match: one to continue; a new one is begun without it.
    """
    outcome = Outcome(scenario)
    world.dice.seed(scenario.seed)
    world.network.clear()
    world.network.slow = scenario.kind == "kill" or scenario.seed % 2 == 0
    world.impatient(now=False)
    names = [person.name for person in world.playground.people][: scenario.players]
    if scenario.act == ACCEPT:
        match = await _accepted(world, scenario, names, outcome)
        if match is None:
            return outcome
    else:
        if match is None:
            match = await begin(world, scenario.game, names)
            for _ in range(scenario.turns):
                await acts.do(match, acts.move)
                await world.rest()
        world.complaints()
        if match.problems():  # an earlier scenario's problem
            return outcome
        strike = _strike(world, scenario, outcome)
        await acts.do(match, acts.ACTS[scenario.act])
        await _aftermath(world, scenario, match, strike, outcome)
    outcome.trace = match.trace
    if outcome.struck and not outcome.problems:
        await _goes_on(world, match, outcome)
    if not outcome.problems and not match.truth.finished:
        outcome.match = match
    return outcome


async def _accepted(
    world: World, scenario: Scenario, names: list[str], outcome: Outcome
) -> Match | None:
    """Begin a match while the scenario strikes."""
    offered = await challenge(world, scenario.game, names)
    for player in offered.players[1:-1]:
        await offered.accept(player)
    await world.rest()
    world.complaints()
    last = offered.players[-1]
    strike = _strike(world, scenario, outcome)
    offered.accept(last)
    await world.rest()
    if offered.match is None:
        await _revive(world, strike, outcome)
        offered.accept(last)
        await world.rest()
    match = offered.match
    if match is not None:
        await _aftermath(world, scenario, match, strike, outcome)
    return match


def _strike(world: World, scenario: Scenario, outcome: Outcome) -> Fault | list[str]:
    """Arm the fault or the kill."""
    if scenario.kind == "kill":
        return world.watch(scenario.moment)
    number, route = scenario.nth, ROUTES[scenario.route]
    seen = itertools.count(1)

    def when(_: object) -> bool:
        return next(seen) == number

    network, failure = world.network, scenario.failure
    if scenario.route in _IMPATIENT:
        world.impatient(now=True)
    if scenario.route == "history":  # it is read when a reply was lost
        network.drop(routes.POST)
    how, _, detail = failure.partition("-")
    match how:
        case "lost":
            return network.drop(route, when=when)
        case "refused":
            return network.drop(route, after=False, when=when)
        case "hung":
            seconds, _, lost = detail.partition("-")
            return network.hold(route, float(seconds), drop=bool(lost), when=when)
        case "late":
            return network.delay(route, float(detail), when=when)
        case _:
            return network.respond(
                route,
                status=int(how),
                after=detail == "after",
                page=detail == "page",
                retry_after=float(detail) if detail.isdecimal() else 0.5,
                when=when,
            )


async def _revive(world: World, strike: Fault | list[str], outcome: Outcome) -> None:
    """Restart the bot if it has been killed."""
    if isinstance(strike, list) and world.dead:
        outcome.struck = True
        outcome.killed = strike[-1]
        outcome.trace.append(f"killed {strike[-1]}")
        await world.revive()
        await world.rest()


async def _aftermath(
    world: World, scenario: Scenario, match: Match, strike: Fault | list[str], outcome: Outcome
) -> None:
    """Do what comes right after, let ten seconds pass, and check."""
    seconds, then = acts.THEN[scenario.then]
    await world.rest(seconds)
    if not world.dead:
        await acts.do(match, then)
    await world.rest(AT_ONCE)
    if isinstance(strike, list):
        await world.rest(2.0)
        if world.dead:
            match.note(f"killed {strike[-1]}")
        await _revive(world, strike, outcome)
    elif strike.delay:
        await world.rest(strike.delay)  # it falls due when the request is carried out
    await world.rest(DEADLINE)
    world.watch()
    if not isinstance(strike, list):
        outcome.struck = strike.hits > 0
    if outcome.struck:
        answered = isinstance(strike, list) or strike.hold <= DEADLINE
        outcome.problems += match.problems(answered=answered) + world.complaints()
        match.trace += world.details


async def _goes_on(world: World, match: Match, outcome: Outcome) -> None:
    """Check that the match can be played on, and that it ends without a live board."""
    world.network.clear()
    world.impatient(now=False)
    await world.rest(DEADLINE)
    before = match.truth
    if not before.finished:
        possible = await acts.do(match, acts.move)
        await world.rest(DEADLINE)
        if not possible:
            outcome.problems.append("nobody can play on")
        if outcome.scenario.seed % 4 == 0 and len(match.players) == 2:
            await acts.do(match, acts.resign)
            await world.rest(DEADLINE)
            if not match.truth.finished:
                outcome.problems.append("nobody can resign")
    outcome.problems += [f"later: {p}" for p in match.problems() + world.complaints()]
