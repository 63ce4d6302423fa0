"""Tournaments without a store: numbered entrants, and games whose results a function gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from bot.features.tournaments.rules.knockout import further_games
from bot.features.tournaments.rules.pairing import Record, next_round
from data.tournaments.values import Entrant, Game, Pairing, Plan

SEED = b"a seed"


def people(count: int) -> list[Entrant]:
    """Return entrants numbered from 1, strongest first."""
    return [Entrant(number, 2000.0 - number) for number in range(1, count + 1)]


def stronger_wins(game: Game) -> tuple[float, ...]:
    """Return the points of a game won by the player with the lower number."""
    order = sorted(game.seats)
    others = len(order) - 1
    return tuple(1 - order.index(one) / others for one in game.seats)


def drawn(game: Game) -> tuple[float, ...]:
    """Return the points of a drawn game."""
    return (0.5,) * len(game.seats)


def ended(
    plan: Plan, pairing: Pairing, result: Callable[[Game], tuple[float, ...]] = stronger_wins
) -> Pairing:
    """Return a pairing with its games ended, including those a tied encounter adds."""
    games = pairing.games
    while True:
        done = tuple(
            game if game.points is not None else replace(game, points=result(game))
            for game in games
        )
        pairing = replace(pairing, games=done)
        more = further_games(plan, pairing)
        if not more:
            return pairing
        games = done + more


def round_after(
    plan: Plan,
    entrants: Sequence[Entrant],
    so_far: Sequence[Pairing],
    result: Callable[[Game], tuple[float, ...]] = stronger_wins,
    *,
    unequal: bool = False,
) -> list[Pairing]:
    """Return the next round, with results."""
    made = next_round(plan, entrants, so_far, SEED, unequal_sides=unequal)
    return [ended(plan, pairing, result) for pairing in made]


def whole(
    plan: Plan,
    entrants: Sequence[Entrant],
    result: Callable[[Game], tuple[float, ...]] = stronger_wins,
    *,
    unequal: bool = False,
) -> list[Pairing]:
    """Play a tournament to its end, with nobody joining or leaving."""
    played: list[Pairing] = []
    while made := round_after(plan, entrants, played, result, unequal=unequal):
        played += made
    return played


def game(one: int, other: int, points: float) -> Game:
    """Return a finished game for two, given the first player's points."""
    return Game((one, other), (points, 1 - points))


def met(number: int, table: int, one: int, other: int, points: float) -> Pairing:
    """Return a pairing of one finished game, given the first player's points."""
    return Pairing(number, table, (one, other), (game(one, other, points),))


def all_ways(numbers: list[int]) -> list[list[tuple[int, int]]]:
    """Return every way to pair the numbers."""
    if not numbers:
        return [[]]
    first, *rest = numbers
    return [
        [(first, other), *way]
        for other in rest
        for way in all_ways([one for one in rest if one != other])
    ]


def record(
    plan: Plan, entrants: Iterable[Entrant], pairings: Iterable[Pairing], **more: Any
) -> Record:
    """Return a tournament as everything that its pairings follow from."""
    return Record(plan, tuple(entrants), tuple(pairings), **more)
