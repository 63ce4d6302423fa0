"""What features add to boards: buttons below them and behind *More*, and words about the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias

from bot.core.hooks import Hooks
from bot.core.interactions.components import Component
from bot.play.boards.board_text import BoardPost
from bot.play.matches.positions import MatchView
from data.store.store import Store
from engine.phrase import lines

Place: TypeAlias = Literal["running", "ended"]
"""Below the board of an ongoing match, or below its last board."""
Told: TypeAlias = Literal["board", "result", "asked"]
"""Where the end of a match is told: its last board, the post of its result, or a board that a user
asks for."""

MakeButton: TypeAlias = "Callable[[BoardPost], Component | None]"
MakeAction: TypeAlias = "Callable[[MatchView, int], Component | None]"
TellEnd: TypeAlias = "Callable[[Store, MatchView, Told], Awaitable[str]]"

_BUTTONS: Final[dict[Place, Hooks[MakeButton]]] = {"running": Hooks(), "ended": Hooks()}
behind_more: Final[Hooks[MakeAction]] = Hooks()
"""Make a button behind *More*; they return ``None`` where it is unavailable."""
about_end: Final[Hooks[TellEnd]] = Hooks()
"""Return lines about the end of a match, its ratings for example; empty if there are none there."""


def below_boards(place: Place, *, order: int) -> Callable[[MakeButton], MakeButton]:
    """Register a factory for a button below boards; it returns ``None`` for no button."""
    return _BUTTONS[place](order=order)


def buttons_below(place: Place, post: BoardPost) -> list[Component]:
    """Return the buttons that features add below a board."""
    made = [make(post) for make in _BUTTONS[place]]
    return [button for button in made if button is not None]


def actions_of(view: MatchView, user_id: int) -> list[Component]:
    """Return the buttons for everything a user can do in a match now."""
    made = [make(view, user_id) for make in behind_more]
    return [button for button in made if button is not None]


async def lines_about_end(store: Store, view: MatchView, told: Told) -> str:
    """Return what features say about the end of a match, there; empty while it is ongoing.

    Raises:
        StoreError: the lookup failed.

    """
    if not view.match.finished:
        return ""
    return lines(filter(None, [await tell(store, view, told) for tell in about_end]))
