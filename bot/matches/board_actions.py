"""Buttons that other features put below boards, and behind *More*: they register themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.interactions.components import Component
    from bot.matches.board_text import BoardPost
    from bot.matches.positions import MatchView

Place: TypeAlias = Literal["running", "ended"]
"""Below the board of a match under way, or below its last one."""

MakeButton: TypeAlias = "Callable[[BoardPost], Component | None]"
MakeAction: TypeAlias = "Callable[[MatchView, int], Component | None]"

_BUTTONS: Final[dict[Place, list[tuple[int, MakeButton]]]] = {"running": [], "ended": []}
_ACTIONS: Final[list[tuple[int, MakeAction]]] = []


def below_boards(place: Place, *, order: int) -> Callable[[MakeButton], MakeButton]:
    """Register what makes a button of a board, ``None`` for a board without it.

    Args:
        place: below which boards.
        order: buttons with lower numbers come first.

    """

    def register(make: MakeButton) -> MakeButton:
        _BUTTONS[place].append((order, make))
        _BUTTONS[place].sort(key=lambda pair: pair[0])
        return make

    return register


def buttons_below(place: Place, post: BoardPost) -> list[Component]:
    """Return the buttons that features put below a board."""
    made = [make(post) for _, make in _BUTTONS[place]]
    return [button for button in made if button is not None]


def behind_more(*, order: int) -> Callable[[MakeAction], MakeAction]:
    """Register what makes a button behind *More*, ``None`` where a user cannot do that now."""

    def register(make: MakeAction) -> MakeAction:
        _ACTIONS.append((order, make))
        _ACTIONS.sort(key=lambda pair: pair[0])
        return make

    return register


def actions_of(view: MatchView, user_id: int) -> list[Component]:
    """Return the buttons of all that a user can do in a match now."""
    made = [make(view, user_id) for _, make in _ACTIONS]
    return [button for button in made if button is not None]
