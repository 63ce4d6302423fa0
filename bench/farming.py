"""How far a farm of accounts can lift one of them, and how honest ratings suffer.

An honest population of known strengths plays for half a year, at random, with strangers arriving
all the time. Meanwhile the farm throws to one account as many games as are rated. Everything is
rated by the program itself, once by its rule and once counting every opponent in full. The figures
do not depend on the machine.
"""

from __future__ import annotations

import random
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise
from math import exp, sqrt
from typing import Final, NamedTuple

from bench.row import Row
from bot.play.ratings.calculator import MAX_PER_WEEK, Calculator, share
from bot.play.ratings.skill import MU, SIGMA, Skill
from data.ratings.rating import EVERYWHERE, Placing, Result

PEOPLE: Final = 300
WEEKS: Final = 26
MATCHES: Final = 6000
SPREAD: Final = 5.0
"""The standard deviation of the honest strengths: 200 points."""
SEEDS: Final = (1, 2, 3)
CHANCE: Final = SIGMA / sqrt(2)
"""The rating difference of a player who wins 73 of 100 games, in the rating system."""
DRAWS: Final = 0.05
MAIN: Final = 10_001
"""The account a farm lifts; its helpers are numbered from it. Its owner is of average strength."""
START: Final = datetime(2026, 1, 5, tzinfo=UTC)


class Game(NamedTuple):
    """A match between two players."""

    week: float
    one: int
    other: int
    score: float
    """The first player's score: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class Farm:
    """How the owner of several accounts uses them."""

    helpers: int
    shape: str = "clique"
    """The pattern of games between the accounts.

    star: the helpers meet nobody else. clique: they have met one another. chain: each loses to the
    next, the last to the main account. ring: each also plays two others. fresh: every week there
    are new ones, which meet one another.
    """
    honest: int = 0
    """Honest matches of each account against as many strangers, at its real strength."""
    thrown: bool = False
    """Whether the helpers lose these on purpose."""

    def __str__(self) -> str:
        thrown = ", lost on purpose" if self.thrown else ""
        met = f", {self.honest} honest matches each{thrown}" if self.honest else ""
        return f"{self.helpers} helpers, {self.shape}{met}"


FEW: Final = 3
"""With this few helpers and honest matches each, a farm must stay within the honest range."""
FARMS: Final = (
    Farm(3),
    Farm(3, "chain"),
    Farm(3, "fresh"),
    Farm(3, honest=3),
    Farm(3, honest=3, thrown=True),
    Farm(3, honest=12),
    Farm(5),
    Farm(5, "ring"),
    Farm(10),
    Farm(10, "ring"),
    Farm(20, "star"),
    Farm(20),
)


@dataclass(slots=True)
class World:
    """An honest population and its games."""

    strengths: dict[int, float] = field(default_factory=dict)
    games: list[Game] = field(default_factory=list)


class Outcome(NamedTuple):
    """The resulting ratings, in points."""

    main: int
    """The farm's main account; 1500 without one."""
    peak: int
    """Its highest rating."""
    median: int
    """The median of honest ratings."""
    quartile: int
    """The third quartile of honest ratings."""
    tenth: int
    """The ninth decile of honest ratings."""
    error: float
    """The root mean squared error of the honest ratings."""
    order: float
    """How well the honest ratings rank players by strength: Spearman's correlation."""


def run() -> list[Row]:
    """Rate everything both ways and return the figures."""
    rows = []
    outcomes = [(rated(world), rated(world, rule=in_full)) for world in map(population, SEEDS)]
    notes = [f"{before.error:.0f}" for _, before in outcomes]
    error = statistics.fmean(now.error for now, _ in outcomes)
    note = f"of {PEOPLE} people in {WEEKS} weeks; {' / '.join(notes)} if all counted in full"
    rows.append(Row("farming: the error of honest ratings", error, "points", note))
    notes = [f"{before.order:.3f}" for _, before in outcomes]
    order = statistics.fmean(now.order for now, _ in outcomes)
    note = f"correlation with their strengths; {' / '.join(notes)} if all counted in full"
    rows.append(Row("farming: the order of honest ratings", order, "ρ", note))
    world = population(SEEDS[0])
    for farm in FARMS:
        now, before = rated(world, farm), rated(world, farm, in_full)
        note = f"{before.main} if all counted in full; three quarters of the honest have less than "
        most = now.quartile if farm.helpers <= FEW and farm.honest <= FEW else None
        rows.append(
            Row(f"farming: {farm}", now.main, "points", f"{note}{now.quartile}", at_most=most)
        )
    return rows


def in_full(_: int) -> float:
    """Count every opponent in full, as if there were no rule against farms."""
    return 1.0


def population(seed: int) -> World:
    """Return an honest population; half of it is there from the start, the rest arrives later."""
    dice = random.Random(seed)
    world = World({user: dice.gauss(MU, SPREAD) for user in range(1, PEOPLE + 1)})
    eager = {user: dice.lognormvariate(0, 0.8) for user in world.strengths}
    joined = {user: max(0.0, dice.uniform(-0.8, 0.8) * WEEKS) for user in world.strengths}
    weeks = sorted(dice.uniform(0, WEEKS) for _ in range(MATCHES))
    for week in weeks:
        here = [user for user in world.strengths if joined[user] <= week]
        one = dice.choices(here, [eager[user] for user in here])[0]
        near = [user for user in here if user != one and abs(user - one) <= 12]
        others = near if near and dice.random() < 0.5 else [user for user in here if user != one]
        other = dice.choices(others, [eager[user] for user in others])[0]
        world.games.append(Game(week, one, other, fought(dice, world.strengths, one, other)))
    return world


def fought(dice: random.Random, strengths: dict[int, float], one: int, other: int) -> float:
    """Return a player's score in an honest game; strangers to the list are average."""
    ahead = strengths.get(one, MU) - strengths.get(other, MU)
    won = 1 / (1 + exp(-ahead / CHANCE))
    if dice.random() < DRAWS:
        return 0.5
    return float(dice.random() < won)


def farmed(farm: Farm, world: World, seed: int = 1) -> Iterator[Game]:
    """Return the games of a farm, in no particular order."""
    dice = random.Random(seed)
    for week in range(WEEKS):
        late = week * farm.helpers if farm.shape == "fresh" else 0
        helpers = [MAIN + 1 + late + number for number in range(farm.helpers)]
        if week == 0 or farm.shape == "fresh":
            yield from _acquainted(farm, helpers, week)
            for one in [*helpers, *[MAIN] * (week == 0)]:
                for other in dice.sample(sorted(world.strengths), farm.honest):
                    score = fought(dice, world.strengths, one, other)
                    thrown = farm.thrown and one != MAIN
                    yield Game(week + dice.uniform(0.1, 0.2), one, other, 0.0 if thrown else score)
        losers = list(pairwise([*helpers, MAIN])) if farm.shape == "chain" else []
        for loser, winner in losers or [(helper, MAIN) for helper in helpers]:
            for number in range(MAX_PER_WEEK):
                yield Game(week + 0.3 + number / 100, winner, loser, 1.0)


def _acquainted(farm: Farm, helpers: list[int], week: int) -> Iterator[Game]:
    met = {
        "clique": list(combinations(helpers, 2)),
        "fresh": list(combinations(helpers, 2)),
        "ring": list(pairwise([*helpers, helpers[0]])) if len(helpers) > 2 else [],
    }
    for one, other in met.get(farm.shape, []):
        yield Game(week + 0.05, one, other, 0.5)


def rated(world: World, farm: Farm | None = None, rule: Callable[[int], float] = share) -> Outcome:
    """Rate all games and return the resulting ratings."""
    calculator = Calculator(rule)
    games = [*world.games, *(farmed(farm, world) if farm is not None else ())]
    peak = Skill(MU, SIGMA).points
    for number, game in enumerate(sorted(games), start=1):
        ranks = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[game.score]
        placings = tuple(
            Placing(seat, user, rank)
            for seat, (user, rank) in enumerate(zip((game.one, game.other), ranks, strict=True))
        )
        at = START + timedelta(weeks=game.week)
        calculator.rate(Result(number, number, "nim", None, at, True, {}, placings))  # noqa: FBT003
        if MAIN in game:
            peak = max(peak, _points(calculator, MAIN))
    return _outcome(world, calculator, peak)


def _points(calculator: Calculator, user: int) -> int:
    rating = calculator.ratings.get((EVERYWHERE, user))
    return Skill(MU, SIGMA).points if rating is None else Skill(rating.mu, rating.sigma).points


def _outcome(world: World, calculator: Calculator, peak: int) -> Outcome:
    known = [user for user in world.strengths if (EVERYWHERE, user) in calculator.ratings]
    points = [_points(calculator, user) for user in known]
    truths = [Skill(world.strengths[user], SIGMA).points for user in known]
    errors = [(one - other) ** 2 for one, other in zip(points, truths, strict=True)]
    tenths = statistics.quantiles(points, n=20)
    return Outcome(
        _points(calculator, MAIN),
        peak,
        round(tenths[9]),
        round(tenths[14]),
        round(tenths[17]),
        sqrt(statistics.fmean(errors)),
        statistics.correlation(_places(points), _places(truths)),
    )


def _places(values: list[int]) -> list[float]:
    """Return each value's rank; equal values share one."""
    ordered = sorted(values)
    return [(bisect_left(ordered, one) + bisect_right(ordered, one)) / 2 for one in values]
