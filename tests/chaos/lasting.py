"""One route of Discord fails for an hour or for good, while people play on."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.core.settings.service import SettingsStore
from bot.play.matches.service import Matches
from engine import registry
from playground.errors import Impossible, InteractionFailed, NothingHappened
from playground.faults import Fault, Faults
from playground.people import Person
from playground.reply import Reply
from playground.request_log import Request
from tests import routes
from tests.chaos import scenarios
from tests.chaos.boards import controls
from tests.chaos.inside import InsideWorld
from tests.chaos.match import Match, begin, challenge
from tests.chaos.scenarios import Story
from tests.chaos.world import DEADLINE

ROUTES: Final = {
    **scenarios.ROUTES,
    "rename": routes.EDIT_CHANNEL,
    "open": routes.OPEN,
    "application": "GET /oauth2/applications/@me",
}
FAILURES: Final = ("500", "403", "400", "502", "429", "hang")
HOURS: Final = (1, 0)
"""How long a fault lasts; 0 for good."""
MATRIX: Final = len(ROUTES) * len(FAILURES) * len(HOURS)
"""The number of lasting faults."""
_SERVERS: Final = (("new", False), ("edit", False), ("new", True), ("edit", True))
FOR_GOOD: Final = 3
"""Hours after which a fault counts as lasting for good."""
MAX_A_MINUTE: Final = 40
"""Requests to a dead route in its busiest minute, with four matches and five acts of their players."""
MAX_LATER: Final = 9.0
"""Requests a minute to a dead route in the end."""
MAX_RECOVERY: Final = 70.0
"""Seconds from the end of a fault until all is in order, looked at every ten."""
_LATER: Final = {"429": 600.0}
"""The same, where Discord says how long to wait."""
_MAX_PAUSE: Final = 3600.0
"""Seconds within which everything is tried again."""
_NEEDS: Final = {
    "post": ("jobs are still", "live board", "the last board", "called twice", "0 x a"),
    "edit": ("jobs are still", "live boards", "the last board"),
    "delete": ("called twice",),
    "rename": ("jobs are still",),
    "open": ("0 x a letter",),
}
"""What cannot be right before a route works again."""
_TEN_MINUTES: Final = 600.0
_MINUTE: Final = 60.0
_OVER: Final = re.compile(r"\bwon\b|No result")
_FOREVER: Final = 1e7
GAME: Final = "tablan"
_REMINDED_AFTER: Final = 6
"""Hours after which Ann wants to be reminded."""
_NUMBERS: Final = re.compile(r"<[^>]*>|#?\d+")
_REMINDER: Final = re.compile(r"your turn in match \[?#(\d+)[^ ]*\. Move by")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting(Story):
    """A lasting fault of one route."""

    route: str
    failure: str
    hours: int
    seed: int


@dataclass(slots=True)
class Report:
    """What a lasting fault did."""

    fault: Lasting
    hits: list[float] = field(default_factory=list)
    """When the dead route was asked, in seconds since the fault began."""
    told: Counter[str] = field(default_factory=Counter)
    """What players saw in answer to what they did."""
    waits: dict[str, float] = field(default_factory=dict)
    """What came later than after ten seconds: the most seconds, as far as was looked."""
    recovered: float = 0.0
    """Seconds from the end of the fault until all was in order."""
    works: Counter[str] = field(default_factory=Counter)
    """What came within ten seconds."""
    problems: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)

    @property
    def busiest(self) -> int:
        """The most requests to the dead route in a minute."""
        return max(Counter(int(at // 60) for at in self.hits).values(), default=0)

    @property
    def later(self) -> float:
        """Requests a minute to the dead route in the last half hour of the fault."""
        end = 3600.0 * (self.fault.hours or FOR_GOOD)
        return sum(end - 1800 < at <= end for at in self.hits) / 30

    @property
    def wrong(self) -> list[str]:
        """What must not happen under this fault."""
        fault = self.fault
        found = [one for one in self.problems if fault.hours or not _needs(fault.route, one)]
        if (fault.route, fault.failure) == ("callback", "400"):  # the log says why it was refused
            found = [one for one in found if "a callback failed" not in one]
        if fault.route != "post":
            found += [f"{what} came after {late:.0f} s" for what, late in self.waits.items()]
        if self.busiest > MAX_A_MINUTE:
            found.append(f"the dead route was asked {self.busiest} times in a minute")
        if self.recovered > _LATER.get(fault.failure, 0.0) + MAX_RECOVERY:
            found.append(f"in order only {self.recovered:.0f} s after the end of the fault")
        if self.later > MAX_LATER:
            found.append(f"the dead route was asked {self.later:.1f} times a minute in the end")
        return found

    def __str__(self) -> str:
        """Say what people saw, what worked, and what it cost."""
        told = "; ".join(f"{number} x {text}" for text, number in self.told.most_common())
        works = ", ".join(f"{number} x {what}" for what, number in self.works.items())
        late = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in self.waits.items())
        after = f"in order {self.recovered:.0f} s later" if self.fault.hours else "lasts"
        return (
            f"{self.fault}\n    asked {len(self.hits)} times, at most {self.busiest} a minute,"
            f" in the end {self.later:.1f}; {after}\n    within 10 s: {works or 'nothing'}"
            f"\n    later: {late or 'nothing'}\n    told: {told}"
        )


def _needs(route: str, problem: str) -> bool:
    """Return whether something cannot be right while a route fails."""
    return any(words in problem for words in _NEEDS.get(route, ()))


def stories(dice: random.Random) -> Iterator[Lasting]:
    """Draw lasting faults without end: each route, failure and duration in turn."""
    while True:
        drawn = list(itertools.product(ROUTES, FAILURES, HOURS))
        dice.shuffle(drawn)
        for route, failure, hours in drawn:
            board, threads = dice.choice(_SERVERS)
            threads = threads or route in {"thread", "rename"}
            yield Lasting(
                route=route,
                failure=failure,
                hours=hours,
                board=board,
                threads=threads,
                seed=dice.randrange(1_000_000),
            )


def strike(
    network: Faults,
    fault: Lasting,
    asked: Callable[[float], object],
    *,
    retry_after: float = _TEN_MINUTES,
) -> Fault:
    """Let a route fail from now on, and tell when it is asked; return the fault."""

    def when(request: Request) -> bool:
        asked(request.at)
        return True

    route = ROUTES[fault.route]
    match fault.failure:
        case "403":
            return network.respond(route, code=50013, times=None, when=when)
        case "400":
            return network.respond(route, code=50035, times=None, when=when)
        case "429":
            return network.respond(
                route, status=429, retry_after=retry_after, times=None, when=when
            )
        case "hang":
            return network.hold(route, _FOREVER, drop=True, times=None, when=when)
        case status:
            page = status == "502"
            return network.respond(route, status=int(status), page=page, times=None, when=when)


class Evening:
    """People who play, while a route fails."""

    def __init__(self, world: InsideWorld, fault: Lasting) -> None:
        """Play in a world that is set up as the fault says."""
        self.world = world
        self.report = Report(fault)
        self.fault = fault
        self.began = 0.0

    async def run(self) -> Report:
        """Play before, during and after the fault."""
        world = self.world
        world.dice.seed(self.fault.seed)
        self.ann, self.carol = world.person("Ann"), world.person("Carol")
        every = {"remind_every": _REMINDED_AFTER}
        await world.app.get(SettingsStore).change_player(self.ann.id, every)
        self.first = await begin(world, GAME, ["Ann", "Ben"])
        self.second = await begin(world, GAME, ["Carol", "Dan"])
        self.third = await begin(world, GAME, ["Ann", "Carol"])
        self.matches = [self.first, self.second, self.third]
        for _ in range(10):
            await self._type(self.second)
        self.ann.slash("/watch", channel="general", options={"match": self.second.number})
        await world.rest(1.0)
        while await self._mover(self.third) is not self.ann:
            await self._type(self.third)
        await world.rest(_REMINDED_AFTER * 3600 - 120)
        before = [problem for match in self.matches for problem in match.problems()]
        assert not before, before
        world.complaints()  # of an earlier world that was closed in the midst of its fault
        self.report.told.clear()
        self.began = world.clock.time()
        strike(world.network, self.fault, lambda at: self.report.hits.append(at - self.began))
        await self._during()
        if self.fault.hours:
            world.network.clear()
        await self._afterwards()
        return self.report

    @property
    def _now(self) -> float:
        return self.world.clock.time() - self.began

    async def _during(self) -> None:
        until = 3600 * (self.fault.hours or FOR_GOOD)
        todo: list[tuple[float, str, Callable[[], Awaitable[None]]]] = [
            (0, "press", lambda: self._press(self.first)),
            (15, "type", lambda: self._type(self.first)),
            (60, "press", lambda: self._press(self.first)),
            (90, "resign", self._resign),
            (150, "challenge", self._challenge),
        ]
        for number, later in enumerate(range(500, until - 60, 300)):
            at = float(later)
            if number % 7 == 4:
                todo.append((at, "look", lambda: self._look_up(self.first)))
            elif number % 2:
                todo.append((at, "press", lambda: self._press(self.first)))
            else:
                todo.append((at, "type", lambda: self._type(self.first)))
        for at, what, act in todo:
            await self.world.rest(max(0.0, at - self._now))
            shown = {match.number: match.truth for match in self.matches}
            began = self.world.clock.time()
            await act()
            for match in self.matches:
                if shown.get(match.number) != match.truth:
                    await self._look(match, what, began)
        await self.world.rest(until - self._now)

    async def _look(self, match: Match, what: str, began: float) -> None:
        """Measure how long people wait for a board, for a minute at most."""
        report, passed = self.report, 0.0
        while not self._shows(match) and passed < _MINUTE:
            await self.world.rest(0.5)
            passed = self.world.clock.time() - began
        about = "the end" if match.truth.finished else f"the board after a {what}"
        if self._shows(match) and passed <= DEADLINE:
            report.works[about] += 1
        else:
            report.waits[about] = max(passed, report.waits.get(about, 0.0))

    def _shows(self, match: Match) -> bool:
        """Return whether people see the current turn of a match, or its end."""
        truth, boards = match.truth, self.world.boards
        newest = boards.newest(match.number)
        if truth.finished:
            return newest is not None and bool(_OVER.search(newest.text))
        live = [boards.shown[match.number][one] for one in boards.live[match.number]]
        return any(c.version == truth.version for board in live for c in controls(board))

    async def _mover(self, match: Match) -> Person | None:
        position = await self.world.app.get(Matches).position(match.number)
        return None if position.to_move is None else self.world.who(position.to_move.user_id)

    async def _press(self, match: Match) -> None:
        board, mover = match.board, match.mover
        found = [c for c in match.offered if c.whole]
        if board is None or mover is None or not found:
            self.report.told["(no board to press)"] += 1
            return
        try:
            reply = match.pick(board, mover, self.world.dice.choice(found))
        except Impossible as error:
            self.report.told[f"({error})"] += 1
            return
        await self._hear(reply)

    async def _type(self, match: Match) -> None:
        position = await self.world.app.get(Matches).position(match.number)
        if position.to_move is None:
            return
        game = registry.game(GAME)
        move = game.write(self.world.dice.choice(list(game.legal_moves(position.state))))
        await self._hear(match.types(self.world.who(position.to_move.user_id), move))

    async def _look_up(self, match: Match) -> None:
        await self._hear(match.command(match.players[0], "board", match=match.number))

    async def _resign(self) -> None:
        try:
            reply = await self.second.asks(self.carol, "resign", self.carol, "Resign")
        except (Impossible, InteractionFailed, NothingHappened):
            reply = None
        if reply is not None:
            await self._hear(reply)

    async def _challenge(self) -> None:
        try:
            offered = await challenge(self.world, GAME, ["Ben", "Dan"])
        except (Impossible, InteractionFailed, NothingHappened, AssertionError) as error:
            self.report.told[f"(no challenge: {error})"] += 1
            return
        began = self.world.clock.time()
        await self._hear(offered.accept(offered.players[1]))
        if offered.match is not None:
            self.matches.append(offered.match)
            await self._look(offered.match, "challenge", began)

    async def _hear(self, reply: Reply) -> None:
        await self.world.rest(5.0)
        interaction = reply.interaction
        message = interaction.original
        words = "" if message is None else message.text.removeprefix("### ").partition("\n")[0]
        said = _NUMBERS.sub("…", words.partition(". ")[0].partition(":")[0])
        more = [f"; then {m.text[:80]!r}" for m in interaction.followups]
        shown = message is not None and message.picture is not None
        answer = "shown" if shown and not more else interaction.state.name.lower()
        self.report.told[f"{answer}: {said}{''.join(more)}"] += 1

    async def _afterwards(self) -> None:
        world, report = self.world, self.report
        while self.fault.hours and self._wrong() and report.recovered < _MAX_PAUSE:
            await world.rest(10.0)
            report.recovered += 10.0
        await world.rest(DEADLINE)
        report.problems += self._wrong() + world.complaints()
        report.trace += sorted(line for match in self.matches for line in match.trace)

    def _wrong(self) -> list[str]:
        found = [
            f"match {m.number}: {problem}"
            for m in self.matches
            for problem in m.problems()
            if not (self.fault.route == "thread" and problem == "a match without its thread")
        ]
        counts = self._counts()
        return found + [f"{number} x {what}" for what, number in counts.items() if number != 1]

    def _counts(self) -> dict[str, int]:
        """Count the messages that must come once."""
        world = self.world.playground.world
        letters = [
            m
            for m in world.dm_channel(self.ann.user, world.bot).messages.values()
            if f"{GAME.title()} on" in m.text
        ]
        found = {}
        reminders = [
            m
            for channel in world.channels.values()
            for m in channel.messages.values()
            if (told := _REMINDER.search(m.text)) and int(told[1]) == self.third.number
        ]
        found["a reminder"] = len(reminders)
        if self.second.truth.finished:
            found["a letter to a follower"] = len(letters)
            games = self.world.playground.channel("games")
            ranked = self.world.rows(
                "SELECT 1 FROM players WHERE match_id = ? AND rank IS NOT NULL", self.second.number
            )
            if ranked and self.second.truth.channel != games.id:
                found["a result"] = sum(
                    m.ephemeral_for is None and "resigned" in m.text and "challenges" not in m.text
                    for m in games.messages.values()
                )
        return found
