"""Tournaments with random results, and people who leave, join late, are replaced or never come."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace
from typing import Final

from bot.features.tournaments.rules.knockout import further_games
from bot.features.tournaments.rules.pairing import next_round
from bot.play.matches.scoring import points_of_places
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan

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
