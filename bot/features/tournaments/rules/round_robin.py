"""Round robins for two at a board, by FIDE's Berger tables (C.05, annex 1).

Numbers are drawn by lot. Groups are filled from the strongest to the weakest and back again, so
that they are equally strong; their winners meet in a final of the same kind.

A player who leaves keeps the place, and the opponents win the remaining rounds by forfeit; see
`standings` for what counts. Joining later is only possible by replacing an entrant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.features.tournaments.rules.roster import Roster, draw_key
from data.tournaments.values import FINAL, GROUP, Game, Pairing, Plan

_GROUPS: Final = -1
"""The lot for numbers within groups; rounds use their own number."""


def berger(count: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a Berger table as pairs of numbers from 0, first seat first.

    With an odd count, each round omits the number that is free.
    """
    even = count + count % 2
    last, half = even - 1, even // 2
    pairs = [(one, last - one) for one in range(half)]
    rounds = []
    for number in range(last):
        rounds.append([pair for pair in pairs if max(pair) < count])
        moved = [(_moved(one, last), _moved(other, last)) for one, other in pairs]
        other = min(moved[0])
        # The last number keeps its place and alternates sides.
        pairs = [(other, last) if number % 2 else (last, other), *moved[1:]]
    return rounds


def _moved(number: int, last: int) -> int:
    return number if number == last else (number + (last + 1) // 2) % last


def schedule(count: int, cycles: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of all cycles, with sides swapped in every second one.

    With several, the last two rounds of the first are exchanged, as FIDE advises, so that no player
    has the same side three times running.
    """
    first = berger(count)
    swapped = [[(other, one) for one, other in pairs] for pairs in first]
    if cycles > 1:
        first[-2:] = reversed(first[-2:])
    return [pairs for cycle in range(cycles) for pairs in (swapped if cycle % 2 else first)]


def group_count(plan: Plan, entrants: int) -> int:
    """Return the number of groups: as planned, as long as each has at least two players."""
    return max(1, min(plan.groups, entrants // 2))


def groups(plan: Plan, roster: Roster, seed: bytes) -> list[tuple[int, ...]]:
    """Return each group's places, in the order of the numbers drawn."""
    entrants = [place for place in roster.places if roster.began(place)]
    count = group_count(plan, len(entrants))
    made: list[list[int]] = [[] for _ in range(count)]
    for rank, place in enumerate(entrants):
        turn, number = divmod(rank, count)
        made[count - 1 - number if turn % 2 else number].append(place)
    return [
        tuple(sorted(group, key=lambda p: draw_key(seed, _GROUPS, roster.number[p])))
        for group in made
    ]


def stage_name(plan: Plan, entrants: int, group: int) -> str:
    """Return the stage of a group, numbered from 0; empty if there is only one."""
    return f"{GROUP}{group + 1}" if group_count(plan, entrants) > 1 else ""


def _rounds(count: int, plan: Plan) -> int:
    return (count - 1 + count % 2) * plan.cycles


def group_rounds(plan: Plan, entrants: int) -> int:
    """Return the number of rounds of the largest group."""
    return _rounds(-(-entrants // group_count(plan, entrants)), plan)


def total(plan: Plan, entrants: int) -> int:
    """Return the total number of rounds, final included."""
    count = group_count(plan, entrants)
    return group_rounds(plan, entrants) + (_rounds(count, plan) if count > 1 else 0)


def group_round(plan: Plan, roster: Roster, number: int, seed: bytes) -> list[Pairing]:
    """Return a round of all groups."""
    pairings: list[Pairing] = []
    parts = groups(plan, roster, seed)
    entrants = sum(map(len, parts))
    for group, members in enumerate(parts):
        stage = stage_name(plan, entrants, group)
        pairings += _round(plan, roster, members, (number, number), stage)
    return numbered(pairings)


def final_round(
    plan: Plan, roster: Roster, winners: Sequence[int], before: int, number: int
) -> list[Pairing]:
    """Return a round of the final: the winners in group order, after so many group rounds."""
    return numbered(_round(plan, roster, winners, (number - before, number), FINAL))


def numbered(pairings: Sequence[Pairing]) -> list[Pairing]:
    """Return pairings with tables numbered in order, byes last."""
    ordered = sorted(pairings, key=lambda pairing: pairing.bye)
    return [
        Pairing(pairing.round, table, pairing.players, pairing.games, pairing.stage)
        for table, pairing in enumerate(ordered, 1)
    ]


def _round(
    plan: Plan, roster: Roster, members: Sequence[int], at: tuple[int, int], stage: str
) -> list[Pairing]:
    """Return a round of some members; ``at`` is its number in the stage and in the tournament."""
    turn, number = at
    rounds = schedule(len(members), plan.cycles)
    if turn > len(rounds):
        return []
    made, free = [], set(members)
    for pair in rounds[turn - 1]:
        places = tuple(members[one] for one in pair)
        free.difference_update(places)
        here = [roster.holder(place, number) is not None for place in places]
        if any(here):
            made.append(Pairing(number, 0, places, games(plan, places, here), stage))
    made += [
        Pairing(number, 0, (place,), (), stage)
        for place in members
        if place in free and roster.holder(place, number) is not None
    ]
    return made


def games(plan: Plan, seats: tuple[int, ...], here: Sequence[bool] = ()) -> tuple[Game, ...]:
    """Return the games of two, in seat order; a forfeit if one of them is not ``here``."""
    if not all(here):
        return (Game(seats, tuple(map(float, here)), "forfeit"),)
    return (Game(seats), Game(seats[::-1])) if plan.both_sides else (Game(seats),)
