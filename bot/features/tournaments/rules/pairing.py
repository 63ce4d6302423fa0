"""Pairs the next round of a tournament.

Computed from the plan, the entrants, the earlier rounds and a seed alone. So anyone with a
tournament's record and seed can recompute every round: `Record.wrong_round`. For that, entrants are
taken as they are at the end; later changes to them alter no earlier round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import ceil, log, log2
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

from bot.core.errors import BadImport
from bot.features.tournaments.rules import knockout, round_robin
from bot.features.tournaments.rules.knockout import Knockout
from bot.features.tournaments.rules.roster import History, Roster, draw_key
from bot.features.tournaments.rules.standings import group_winners
from bot.features.tournaments.rules.swiss import Swiss, fits
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from engine.luck import commitment
from engine.phrase import Phrase, say, word

MAX_ENTRANTS: Final = 500
MAX_ROUNDS: Final = 100
"""Maximum rounds of a tournament, which bound what its standings cost."""


class PairingImpossible(Exception):
    """A tournament can't begin. Once begun, each of its rounds can be paired."""


def next_round(
    plan: Plan,
    entrants: Sequence[Entrant],
    so_far: Sequence[Pairing],
    seed: bytes,
    *,
    unequal_sides: bool,
) -> tuple[Pairing, ...]:
    """Return the next round; empty when the tournament is over.

    A pairing whose games already have points isn't played, as the opponent has left. If that holds
    for a whole round, call again with that round included.

    Args:
        plan: the tournament's settings.
        entrants: all who are or were in it, in the order of joining.
        so_far: all earlier rounds, with their results.
        seed: decides the draw.
        unequal_sides: whether one seat of the game has better chances than the other.

    Raises:
        PairingImpossible: there are too few entrants to begin.
        ValueError: a game of the last round is still open.
    """
    if any(pairing.open for pairing in so_far):
        raise ValueError("the last round is still in progress")
    roster = Roster(entrants, seed)
    rounds = roster.as_places(so_far)
    least = max(2, plan.smallest)
    if not so_far and sum(map(roster.began, roster.places)) < least:
        raise PairingImpossible(f"at least {least} players are needed")
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        return roster.as_persons(_round_robin(plan, roster, rounds, seed))
    history = History(rounds)
    if plan.format is Format.KNOCKOUT:
        pairings: Sequence[Pairing] = Knockout(plan, roster, rounds, history, seed).pairings()
    else:
        present = roster.present(history.rounds + 1)
        if history.rounds >= _rounds(plan, roster, history.rounds + 1) or len(present) < least:
            return ()
        if plan.seats == 2:
            pairings = Swiss(
                present, history, seed, unequal_sides=unequal_sides, both_sides=plan.both_sides
            ).pairings()
        else:
            by_points = plan.format is Format.SWISS
            pairings = tables_round(plan, present, history, seed, by_points=by_points)
    return roster.as_persons(pairings)


def total_rounds(plan: Plan, number_of_entrants: int) -> int:
    """Return the number of rounds for a number of entrants; with two lives, the maximum."""
    if number_of_entrants < 2:
        return 0
    if plan.format is Format.KNOCKOUT:
        return knockout.total(plan, number_of_entrants)
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        return round_robin.total(plan, number_of_entrants)
    if plan.seats == 2:
        enough = max(3, ceil(log2(number_of_entrants)))
        return fits(plan.rounds or enough, number_of_entrants)
    everyone = ceil((number_of_entrants - 1) / (plan.seats - 1)) * plan.cycles
    enough = max(3, ceil(log(number_of_entrants, plan.seats)) + 1)
    swiss = plan.format is Format.SWISS
    return plan.rounds or (min(everyone, enough) if swiss else everyone)


_STAGES: Final = (
    # Translators: the last round of a knockout; very short.
    (say("Final"), word("in a sentence", "the final")),
    # Translators: the round of a knockout with four players left; very short.
    (say("Semi-final"), word("in a sentence", "the semi-final")),
    # Translators: the round of a knockout with eight players left; very short.
    (say("Quarter-final"), word("in a sentence", "the quarter-final")),
)


def round_name(plan: Plan, number: int, rounds: int) -> Phrase:
    """Return the heading of a round, as everything about it has it."""
    if is_stage(plan, number, rounds):
        return _STAGES[rounds - number][0]
    return say("Round {round}", round=number)


def round_in_line(plan: Plan, number: int, rounds: int) -> Phrase:
    """Return the name of a round within a line or a sentence."""
    if is_stage(plan, number, rounds):
        return _STAGES[rounds - number][1]
    return say("round {round}", round=number)


def is_stage(plan: Plan, number: int, rounds: int) -> bool:
    """Return whether a round has a name, such as the final of a knockout, rather than a number."""
    return plan.single_elimination and rounds - number in range(len(_STAGES))


def most_entrants(plan: Plan) -> int:
    """Return how many players a tournament of a plan can take within `MAX_ROUNDS`."""
    sizes = range(MAX_ENTRANTS, 1, -1)
    return next((n for n in sizes if total_rounds(plan, n) <= MAX_ROUNDS), 2)


def _shape(pairing: Pairing) -> tuple[int, int, tuple[int, ...], tuple[int, ...], str]:
    seats = pairing.games[0].seats if pairing.games else ()
    return pairing.round, pairing.table, pairing.players, seats, pairing.stage


def _rounds(plan: Plan, roster: Roster, number: int) -> int:
    """Return the rounds of a Swiss: as planned, limited by the number who have joined by now."""
    if plan.rounds is None:
        return total_rounds(plan, sum(map(roster.began, roster.places)))
    return total_rounds(plan, sum(roster.joined(place) <= number for place in roster.places))


def _round_robin(
    plan: Plan, roster: Roster, rounds: Sequence[Pairing], seed: bytes
) -> Sequence[Pairing]:
    number = max((pairing.round for pairing in rounds), default=0) + 1
    entrants = sum(map(roster.began, roster.places))
    in_groups = round_robin.group_rounds(plan, entrants)
    for turn in range(number, round_robin.total(plan, entrants) + 1):
        if turn <= in_groups:
            pairings = round_robin.group_round(plan, roster, turn, seed)
        else:
            winners = group_winners(plan, roster, rounds)
            pairings = round_robin.final_round(plan, roster, winners, in_groups, turn)
        if any(len(pairing.players) > 1 for pairing in pairings):
            return pairings
    return []


_STARTS: Final = 40
"""Starts in a small round's search. Larger rounds leave more room, and need fewer."""
_SMALL: Final = 400
"""Maximum starts times players."""
_OFTEN: Final = 12
"""More meetings than this count the same."""


def sizes(plan: Plan, count: int) -> list[int]:
    """Return the size of each table, larger ones first."""
    for seated in range(count, 0, -1):
        tables = -(-seated // plan.seats)
        least, more = divmod(seated, tables)
        if least >= plan.smallest:
            return [least + 1] * more + [least] * (tables - more)
    return []


def tables_round(
    plan: Plan, present: Sequence[int], history: History, seed: bytes, *, by_points: bool
) -> tuple[Pairing, ...]:
    """Pair the next round at tables of three or four, of the places present, given in seed order.

    There is no reasonably fast exact method for tables of more than two, and no FIDE system. So this
    searches: from several starts, players at different tables are swapped as long as that improves
    the round. The criteria, in order:

    1. as few as possible sit out, none twice before all have once, and those with few points first,
    2. players who have met least meet: each further meeting of two costs four times the one before,
    3. in a Swiss, players with similar points meet,
    4. seats: each player has had every seat about equally often.

    Tables are as full as possible with nobody left over: nine are three tables of three even if the
    game seats four, and seven are four and three.
    """
    number = history.rounds + 1
    drawn = draw_key(seed, number)
    made = sizes(plan, len(present))
    rank = {place: rank for rank, place in enumerate(present)}
    waiting = sorted(
        present, key=lambda p: (history.byes[p], round(12 * history.shares[p]), -rank[p])
    )[: len(present) - sum(made)]
    seated = [place for place in present if place not in waiting]
    seated.sort(key=lambda p: (-round(12 * history.shares[p]), rank[p]))
    search = _Search(made, seated, history, drawn, by_points=by_points)
    tables = sorted(search.best(), key=lambda table: min(seated.index(place) for place in table))
    pairings = [
        Pairing(number, i, table, (Game(table),))
        for i, table in enumerate((_seats(table, history, rank, drawn) for table in tables), 1)
    ]
    pairings += [Pairing(number, len(pairings) + i, (place,)) for i, place in enumerate(waiting, 1)]
    return tuple(pairings)


class _Search:
    def __init__(
        self,
        made: Sequence[int],
        seated: Sequence[int],
        history: History,
        drawn: bytes,
        *,
        by_points: bool,
    ) -> None:
        self._made = made
        self._seated = seated
        self._drawn = drawn
        points = [round(12 * history.shares[place]) if by_points else 0 for place in seated]
        spread = max(points) - min(points)
        # One more meeting outweighs all the differences in points a round can have.
        meeting = spread**2 * 2 * len(seated) + 1
        self._costs = [
            [
                meeting * 4 ** min(history.times_met(one, other), _OFTEN)
                + (points[i] - points[j]) ** 2
                for j, other in enumerate(seated)
            ]
            for i, one in enumerate(seated)
        ]

    def best(self) -> list[tuple[int, ...]]:
        """Return the tables, as places."""
        starts = max(1, min(_STARTS, _SMALL // len(self._seated)))
        found = min(
            (self._improved(self._start(number)) for number in range(starts)), key=self._total
        )
        return [tuple(self._seated[one] for one in table) for table in found]

    def _start(self, number: int) -> list[list[int]]:
        order = list(range(len(self._seated)))
        if number:  # the first start is in the order of points
            order.sort(key=lambda one: draw_key(self._drawn, number, one))
        tables, at = [], 0
        for size in self._made:
            tables.append(order[at : at + size])
            at += size
        return tables

    def _total(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self._costs[one][other] for t in tables for one, other in combinations(t, 2))

    def _improved(self, tables: list[list[int]]) -> list[list[int]]:
        """Swap players of different tables as long as that lowers the cost."""
        changed = set(range(len(tables)))
        while changed:
            fresh: set[int] = set()
            for a, b in combinations(range(len(tables)), 2):
                if (a in changed or b in changed) and self._swap(tables[a], tables[b]):
                    fresh |= {a, b}
            changed = fresh
        return tables

    def _swap(self, one: list[int], other: list[int]) -> bool:
        """Make the best swap between two tables; return whether one improves them."""
        costs = self._costs
        best, swap = 0, None
        for i, mine in enumerate(one):
            here = sum(costs[mine][x] for x in one) - costs[mine][mine]
            there = sum(costs[mine][x] for x in other)
            for j, theirs in enumerate(other):
                between = 2 * costs[mine][theirs]
                now = here + sum(costs[theirs][x] for x in other) - costs[theirs][theirs]
                then = there + sum(costs[theirs][x] for x in one) - between
                if then - now < best:
                    best, swap = then - now, (i, j)
        if swap is None:
            return False
        i, j = swap
        one[i], other[j] = other[j], one[i]
        return True


def _seats(
    table: tuple[int, ...], history: History, rank: Mapping[int, int], drawn: bytes
) -> tuple[int, ...]:
    """Return a table in seat order, giving each player the seats they have had least."""
    return min(
        permutations(table),
        key=lambda order: (
            sum(history.seats[place].count(seat) for seat, place in enumerate(order)),
            draw_key(drawn, *(rank[place] for place in order)),
        ),
    )


@dataclass(frozen=True, slots=True)
class Record:
    """A tournament with its rounds so far."""

    plan: Plan
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    unequal_sides: bool = False
    seed: str = ""
    """In hexadecimal; empty until revealed."""
    commitment: str = ""
    """SHA-256 of the seed, fixed from the first day; the seed must match it."""
    title: str = ""
    kind: Literal["old-board-games tournament"] = "old-board-games tournament"
    version: Literal[1] = 1

    def next_round(self) -> tuple[Pairing, ...]:
        """Return the next round, see `pairing.next_round`."""
        seed, unequal = bytes.fromhex(self.seed), self.unequal_sides
        return next_round(self.plan, self.entrants, self.pairings, seed, unequal_sides=unequal)

    def wrong_round(self) -> int | None:
        """Return the first round not paired as it should have been; ``None`` if all were.

        Results, and games added to an encounter, aren't compared.
        """
        # Rounds in which no player has an opponent are skipped.
        for number in sorted({pairing.round for pairing in self.pairings}):
            before = tuple(pairing for pairing in self.pairings if pairing.round < number)
            paired = replace(self, pairings=before).next_round()
            now = (pairing for pairing in self.pairings if pairing.round == number)
            if sorted(map(_shape, paired)) != sorted(map(_shape, now)):
                return number
        return None


RECORDS: Final = TypeAdapter(Record)
ROUNDS: Final = TypeAdapter(tuple[Pairing, ...])
_UNWRITTEN: Final = {
    "pairings": {"__all__": {"games": {"__all__": {"number", "match_id", "ended"}}}}
}
"""What a game has only in the store."""


def to_json(record: Record) -> str:
    """Write a record as JSON."""
    return RECORDS.dump_json(record, indent=1, exclude=_UNWRITTEN).decode()


def from_json(text: str) -> Record:
    """Parse a record that `to_json` made.

    Raises:
        BadImport: it is something else, or its players don't go together.
    """
    try:
        record = RECORDS.validate_json(text)
        seed = bytes.fromhex(record.seed)
        roster = Roster(record.entrants)
        roster.as_places(record.pairings)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadImport(_damaged(f"{where}: {first['msg']}" if where else first["msg"])) from error
    except KeyError as error:
        raise BadImport(_damaged(f"{error} is paired, but no entrant")) from error
    except ValueError as error:
        raise BadImport(_damaged(str(error))) from error
    if seed and record.commitment and commitment(seed) != record.commitment:
        raise BadImport(
            say("The seed in the record doesn't match its commitment, so one of them was changed.")
        )
    return record


def _damaged(what: str) -> Phrase:
    # Translators: what is a technical detail in English.
    return say("The record is damaged: {what}. Export it again from where you got it.", what=what)


def pair(played: Any) -> Any:
    """Pair the next round of a record, in a process of its own."""
    return ROUNDS.dump_python(RECORDS.validate_python(played).next_round(), mode="json")


TASKS: Final = {"pair": pair}
