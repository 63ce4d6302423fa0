"""Buttons that other features put below boards: they register themselves, boards ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.interactions.components import Component
    from bot.matches.board_text import BoardPost

Place: TypeAlias = Literal["ended", "missed"]
"""Below the last board of a match, or where its player has missed more than the board tells."""

MakeButton: TypeAlias = "Callable[[BoardPost], Component | None]"

_BUTTONS: Final[dict[Place, list[tuple[int, MakeButton]]]] = {"ended": [], "missed": []}


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
