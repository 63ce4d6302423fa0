"""Tournaments as tests play them: people with numbers, and results that are said or computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.tournaments.model import Entrant, Game, Pairing, Plan
from bot.tournaments.pairing import further_games, next_round

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SEED = b"a seed"


def people(count: int) -> list[Entrant]:
    """Return entrants 1, 2, 3 and so on, the strongest first."""
    return [Entrant(number, 2000.0 - number) for number in range(1, count + 1)]


def stronger_wins(game: Game) -> tuple[float, ...]:
    """Return the points of a game that the lower number wins."""
    order = sorted(game.seats)
    others = len(order) - 1
    return tuple(1 - order.index(one) / others for one in game.seats)


def drawn(game: Game) -> tuple[float, ...]:
    """Return the points of a game in which all are equal."""
    return (0.5,) * len(game.seats)


def ended(
    plan: Plan, pairing: Pairing, result: Callable[[Game], tuple[float, ...]] = stronger_wins
) -> Pairing:
    """Return a pairing after its games, and those an encounter needs besides."""
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
    """Return the next round with its results."""
    made = next_round(plan, entrants, so_far, SEED, unequal_sides=unequal)
    return [ended(plan, pairing, result) for pairing in made]


def whole(
    plan: Plan,
    entrants: Sequence[Entrant],
    result: Callable[[Game], tuple[float, ...]] = stronger_wins,
    *,
    unequal: bool = False,
) -> list[Pairing]:
    """Play a tournament in which nobody comes or goes to its end."""
    played: list[Pairing] = []
    while made := round_after(plan, entrants, played, result, unequal=unequal):
        played += made
    return played


def game(one: int, other: int, points: float) -> Game:
    """Return a game of two that has ended, with the points of the first."""
    return Game((one, other), (points, 1 - points))


def met(number: int, table: int, one: int, other: int, points: float) -> Pairing:
    """Return a pairing of one game that has ended, with the points of the first."""
    return Pairing(number, table, (one, other), (game(one, other, points),))
