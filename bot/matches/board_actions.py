"""Registries of the buttons that features add below boards and behind *More*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.interactions.components import Component
    from bot.matches.board_text import BoardPost
    from bot.matches.positions import MatchView

Place: TypeAlias = Literal["running", "ended"]
"""Below the board of an ongoing match, or below its last board."""

MakeButton: TypeAlias = "Callable[[BoardPost], Component | None]"
MakeAction: TypeAlias = "Callable[[MatchView, int], Component | None]"

_BUTTONS: Final[dict[Place, list[tuple[int, MakeButton]]]] = {"running": [], "ended": []}
_ACTIONS: Final[list[tuple[int, MakeAction]]] = []


def below_boards(place: Place, *, order: int) -> Callable[[MakeButton], MakeButton]:
    """Register a factory for a button below boards; it returns ``None`` for no button.

    Args:
        place: the boards it goes below.
        order: buttons with lower numbers come first.

    """

    def register(make: MakeButton) -> MakeButton:
        _BUTTONS[place].append((order, make))
        _BUTTONS[place].sort(key=lambda pair: pair[0])
        return make

    return register


def buttons_below(place: Place, post: BoardPost) -> list[Component]:
    """Return the buttons that features add below a board."""
    made = [make(post) for _, make in _BUTTONS[place]]
    return [button for button in made if button is not None]


def behind_more(*, order: int) -> Callable[[MakeAction], MakeAction]:
    """Register a factory for a button behind *More*; it returns ``None`` where unavailable."""

    def register(make: MakeAction) -> MakeAction:
        _ACTIONS.append((order, make))
        _ACTIONS.sort(key=lambda pair: pair[0])
        return make

    return register


def actions_of(view: MatchView, user_id: int) -> list[Component]:
    """Return the buttons for everything a user can do in a match now."""
    made = [make(view, user_id) for _, make in _ACTIONS]
    return [button for button in made if button is not None]
