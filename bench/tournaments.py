"""A thousand tournaments of 4 to 500 people: the time to pair a round, and correctness.

All formats, with people who leave, join late, are replaced, draw and never come. After each
tournament every promise of the pairings is checked (`broken`), where possible by other means than
they were made with. TOURNAMENTS in the environment makes it smaller.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import exp, log
from typing import TYPE_CHECKING, Final

import rustworkx

from bench.row import Row
from bot.tournaments.history import History
from bot.tournaments.model import Entrant, Format, Game, Pairing, Plan, points_of_places
from bot.tournaments.pairing import further_games, next_round, recomputed
from bot.tournaments.roster import Roster
from bot.tournaments.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOURNAMENTS = int(os.environ.get("TOURNAMENTS", "1_000"))
LEAST, MOST = 4, 500
SEED: Final = 17
SIZES: Final = (8, 16, 32, 64, 128, 256, 500)
"""Entrants for which a round's time is reported."""
RECOMPUTED: Final = 60
"""Tournaments of up to this many people are recomputed from their records."""
ROUND_ROBIN: Final = 40
"""With more people, not everyone plays everyone."""


@dataclass(slots=True)
class Life:
    """Events in a tournament other than games, as chances per person and round."""

    leaves: float = 0.02
    joins: float = 0.02
    replaced: float = 0.5
    """That someone who left is replaced, if nobody can join late."""
    draws: float = 0.15
    forfeits: float = 0.02
    voids: float = 0.005
    sides: float = 0.1
    """The first side's advantage, as a chance to win."""


@dataclass(slots=True)
class Played:
    """A finished tournament."""

    plan: Plan
    entrants: list[Entrant]
    seed: bytes
    unequal: bool
    pairings: list[Pairing] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """Processor time of each round's pairing."""


def run() -> list[Row]:
    """Play all tournaments and return the figures."""
    dice = random.Random(SEED)
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    rounds = 0
    for number in range(TOURNAMENTS):
        people = round(exp(dice.uniform(log(LEAST), log(MOST))))
        plan = any_plan(dice, people)
        played = play(plan, people, dice, unequal=dice.random() < 0.3)
        kinds[plan.format.value if plan.seats == 2 else "tables"] += 1
        rounds += len(played.seconds)
        wrong += [f"{number}: {what}" for what in broken(played)]
    note = f"of {TOURNAMENTS} tournaments with {rounds} rounds: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(kinds.items())
    )
    note += f"; {wrong[0]}" if wrong else ""
    rows = [Row("tournaments: violated rules", len(wrong), "", note, at_most=0)]
    for people in SIZES:
        for name, plan in (("Swiss", Plan(Format.SWISS)), ("tables", Plan(Format.SWISS, seats=4))):
            if people <= MOST:
                found = play(plan, people, random.Random(people), Life(leaves=0, joins=0))
                rows.append(
                    Row(
                        f"tournaments: {name} of {people}, a round",
                        1000 * statistics.fmean(found.seconds),
                        "ms",
                        f"the slowest of {len(found.seconds)}: {1000 * max(found.seconds):.0f} ms",
                    )
                )
    return rows


def any_plan(dice: random.Random, people: int) -> Plan:
    """Return a random plan for this many people."""
    both = dice.random() < 0.2
    kind = dice.choice(("swiss", "swiss", "robin", "knockout", "tables"))
    if kind == "swiss" or (kind == "robin" and people > ROUND_ROBIN):
        return Plan(Format.SWISS, rounds=dice.choice((None, 3, 5, 7, 11)), both_sides=both)
    if kind == "robin":
        groups = dice.choice((1, 1, 2, 4))
        cycles = dice.choice((1, 2))
        return Plan(Format.ROUND_ROBIN, groups=groups, cycles=cycles, both_sides=both)
    if kind == "knockout":
        best_of, lives = dice.choice((1, 1, 3, 5)), dice.choice((1, 1, 2))
        return Plan(Format.KNOCKOUT, best_of=best_of, lives=lives, both_sides=both)
    form = Format.SWISS if people > ROUND_ROBIN else dice.choice((Format.SWISS, Format.ROUND_ROBIN))
    return Plan(form, seats=dice.choice((3, 4)))


def play(
    plan: Plan,
    people: int,
    dice: random.Random,
    life: Life | None = None,
    *,
    unequal: bool = False,
) -> Played:
    """Play a tournament to its end."""
    life = life or Life()
    entrants = [
        Entrant(number, float(dice.randrange(1000, 2000))) for number in range(1, people + 1)
    ]
    played = Played(plan, entrants, dice.randbytes(16), unequal)
    while True:
        start = time.process_time()
        made = next_round(
            plan, entrants, played.pairings, played.seed, unequal_sides=played.unequal
        )
        played.seconds.append(time.process_time() - start)
        if not made:
            del played.seconds[-1]
            return played
        played.pairings += [_ended(plan, pairing, dice, life) for pairing in made]
        _come_and_go(played, made[0].round, dice, life)


def _ended(plan: Plan, pairing: Pairing, dice: random.Random, life: Life) -> Pairing:
    """Return a pairing with the results of its games, plus extra games that an encounter needs."""
    absent = {place for place in pairing.players if dice.random() < life.forfeits}
    games = pairing.games
    while True:
        pairing = replace(pairing, games=tuple(_result(g, absent, dice, life) for g in games))
        more = further_games(plan, pairing)
        if not more:
            return pairing
        games = pairing.games + more


def _result(game: Game, absent: set[int], dice: random.Random, life: Life) -> Game:
    if game.points is not None:
        return game
    if dice.random() < life.voids:
        return replace(game, points=(0.0,) * len(game.seats), how="void")
    if absent & set(game.seats) and len(game.seats) == 2:
        return replace(
            game, points=tuple(float(s not in absent) for s in game.seats), how="forfeit"
        )
    if len(game.seats) == 2 and dice.random() < life.draws:
        return replace(game, points=(0.5, 0.5))
    places = list(range(1, len(game.seats) + 1))
    dice.shuffle(places)
    if len(places) == 2 and dice.random() < life.sides:
        places = [1, 2]
    return replace(game, points=points_of_places(tuple(places)))


def _come_and_go(played: Played, number: int, dice: random.Random, life: Life) -> None:
    joining = played.plan.format is Format.SWISS or played.plan.seats > 2
    user = len(played.entrants)
    for at, entrant in enumerate(list(played.entrants)):
        if entrant.left_after is None and dice.random() < life.leaves:
            played.entrants[at] = replace(entrant, left_after=number)
            if not joining and dice.random() < life.replaced:
                user += 1
                played.entrants.append(
                    Entrant(user, 1500.0, joined_round=number + 1, replaces=entrant.user_id)
                )
        elif joining and dice.random() < life.joins:
            user += 1
            strength = float(dice.randrange(1000, 2000))
            played.entrants.append(Entrant(user, strength, joined_round=number + 1))


def broken(played: Played) -> Iterator[str]:
    """Yield the promises that a tournament broke."""
    plan = played.plan
    roster = Roster(played.entrants, played.seed)
    rounds = roster.as_places(played.pairings)
    last = max((pairing.round for pairing in rounds), default=0)
    for number in range(1, last + 1):
        now = [pairing for pairing in rounds if pairing.round == number]
        before = [pairing for pairing in rounds if pairing.round < number]
        counts = Counter(place for pairing in now for place in pairing.players)
        if any(count > 1 for count in counts.values()):
            yield f"round {number}: somebody is paired twice"
        present = set(roster.present(number))
        if plan.format is Format.SWISS or plan.seats > 2:
            if set(counts) != present:
                yield f"round {number}: not everyone present is paired"
            yield from _byes(number, now, before, present, plan)
        if plan.format is Format.SWISS and plan.seats == 2:
            yield from _swiss(played, number, now, before)
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        yield from _all_met(plan, rounds)
    yield from _order(played, roster)
    if len(played.entrants) <= RECOMPUTED:
        wrong = recomputed(
            plan, played.entrants, played.pairings, played.seed, unequal_sides=played.unequal
        )
        if wrong is not None:
            yield f"round {wrong} is another one when it is computed again"


def _byes(
    number: int,
    now: Sequence[Pairing],
    before: Sequence[Pairing],
    present: set[int],
    plan: Plan,
) -> Iterator[str]:
    history = History(before)
    byes = [pairing.players[0] for pairing in now if pairing.bye]
    if plan.seats == 2 and len(byes) != len(present) % 2:
        yield f"round {number}: {len(byes)} byes"
    least = min((history.byes[place] for place in present.difference(byes)), default=0)
    if byes and max(history.byes[place] for place in byes) > least:
        yield f"round {number}: another bye for somebody, while others have had fewer"


def _swiss(
    played: Played, number: int, now: Sequence[Pairing], before: Sequence[Pairing]
) -> Iterator[str]:
    history = History(before)
    met = [pairing for pairing in now if not pairing.bye]
    again = [pairing for pairing in met if history.times_met(*pairing.players)]
    if again and not _unavoidable([p for pairing in now for p in pairing.players], history):
        yield f"round {number}: people meet again who need not"
    after = History([*before, *now])
    worst = max((abs(after.balance(p)) for pairing in met for p in pairing.players), default=0)
    if not played.plan.both_sides and worst > 3:
        yield f"round {number}: somebody had a side {worst} times more than the other"
    for one, other in combinations(met, 2):
        if _better(one, other, history):
            yield f"round {number}: {one.players} and {other.players} could have had like points"


def _unavoidable(present: Sequence[int], history: History) -> bool:
    """Return whether every pairing of those present has people who meet again."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    places = list(present) + [0] * (len(present) % 2)
    graph.add_nodes_from(range(len(places)))
    least = min((history.byes[place] for place in present), default=0)
    graph.add_edges_from(
        [
            (i, j, 1)
            for (i, one), (j, other) in combinations(enumerate(places), 2)
            if (history.byes[one] == least if other == 0 else not history.times_met(one, other))
        ]
    )
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) < len(places)


def _better(one: Pairing, other: Pairing, history: History) -> bool:
    """Return whether two pairs could swap for closer points at no other cost."""

    def grave(a: int, b: int) -> bool:
        return history.times_met(a, b) > 0 or bool(
            history.seats[a] and history.seats[b] and history.balance(a) * history.balance(b) > 0
        )

    def apart(a: int, b: int) -> int:
        return (history.points[a] - history.points[b]) ** 2

    (a, b), (c, d) = one.players, other.players
    now = apart(a, b) + apart(c, d)
    if now == 0:
        return False
    return any(
        apart(*p) + apart(*q) < now and not grave(*p) and not grave(*q)
        and not _same_twice(history, (*p, *q))
        for p, q in (((a, c), (b, d)), ((a, d), (b, c)))
    )  # fmt: skip


def _same_twice(history: History, places: Sequence[int]) -> bool:
    """Return whether anyone had one side twice running: then sides bind."""
    return any(
        len(seats := history.seats[place][-2:]) == 2 and len(set(seats)) == 1 for place in places
    )


def _all_met(plan: Plan, rounds: Sequence[Pairing]) -> Iterator[str]:
    stages: defaultdict[str, list[Pairing]] = defaultdict(list)
    for pairing in rounds:
        stages[pairing.stage].append(pairing)
    for stage, pairings in stages.items():
        met = Counter(frozenset(pairing.players) for pairing in pairings if not pairing.bye)
        if any(count > plan.cycles for count in met.values()):
            yield f"{stage}: somebody was paired too often"


def _order(played: Played, roster: Roster) -> Iterator[str]:
    found = standings(played.plan, played.entrants, played.pairings, seed=played.seed)
    if len({one.user_id for one in found}) < len(found):
        yield "somebody stands twice"
    if any(one.place > other.place for one, other in pairwise(found)):
        yield "places are out of order"
    if any(one.reason is None for one in found[:-1]):
        counted = [one for one in found if one.points or not one.left]
        if any(one.reason is None for one in counted[:-1]):
            yield "a place has no reason"
    if played.plan.format is Format.KNOCKOUT:
        last = max((pairing.round for pairing in played.pairings), default=0)
        first = [one for one in found if one.place == 1]
        if len(first) != 1 and roster.present(last + 1):
            yield f"{len(first)} winners"
