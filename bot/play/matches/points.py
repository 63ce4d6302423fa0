"""The points of a game in a tournament or on a ladder. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

How: TypeAlias = Literal["played", "adjudicated", "forfeit", "void"]
"""How a game came to its points.

* ``played``: on the board, including a resignation or timeout along the way.
* ``adjudicated``: stopped and judged by its position. Counts like a played game.
* ``forfeit``: a player never came. Points count, but the players have not met, as FIDE has it.
* ``void``: counts for nothing, as if never paired.
"""


class Decided(NamedTuple):
    """The result of a game."""

    points: tuple[float, ...]
    """One per seat."""
    how: How


def without(seats: Sequence[int], absent: Collection[int]) -> Decided:
    """Return the result of a game in which some or all players were absent."""
    if len(absent) == len(seats):
        return Decided((0.0,) * len(seats), "forfeit")
    return Decided(points_of_places(tuple(1 + (user in absent) for user in seats)), "forfeit")


def points_of_places(places: tuple[int, ...]) -> tuple[float, ...]:
    """Return the points at a table: for each seat, the share of opponents beaten.

    A tie counts half. That gives 1, ½ and 0 at a table of two as well as of three.

    Args:
        places: by seat, 1 for the winner; tied seats are equal.

    """
    others = len(places) - 1
    return tuple(
        (sum(other > mine for other in places) + (places.count(mine) - 1) / 2) / others
        for mine in places
    )
