"""How a picture is to look: as the server likes it in its channels, else as whoever sees it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Seat
from engine.turning import turned, without_coordinates

if TYPE_CHECKING:
    from bot.choices import Choices
    from bot.positions import MatchView
    from engine.scene import Scene


@dataclass(frozen=True, slots=True)
class Look:
    """What is chosen of a picture. Two pictures of the same scene and look are the same."""

    theme: str = "wood"
    quarters: int = 0
    """How far the board is turned, in quarters."""
    coordinates: bool = True

    def seen(self, scene: Scene) -> Scene:
        """Return a scene as it looks."""
        bare = scene if self.coordinates else without_coordinates(scene)
        return turned(bare, self.quarters)


async def in_channel(choices: Choices, view: MatchView) -> Look:
    """Return how a board in its channel looks: turned for the player who is called, if they like.

    Raises:
        StoreError: it could not be looked up.

    """
    theme = (await choices.server(view.match.guild_id)).theme
    mover = view.to_move
    if mover is None or mover.user_id < 0:
        return Look(theme)
    likes_it_turned = (await choices.player(mover.user_id)).turned
    return Look(theme, view.game.quarters(view.state, Seat(mover.seat)) if likes_it_turned else 0)


async def for_player(choices: Choices, view: MatchView, user_id: int) -> Look:
    """Return how a board looks that only one person sees, a player or not.

    Raises:
        StoreError: it could not be looked up.

    """
    likes = await choices.player(user_id)
    theme = likes.theme or (await choices.server(view.match.guild_id)).theme
    me = view.player_of(user_id)
    turn = view.game.quarters(view.state, Seat(me.seat)) if likes.turned and me is not None else 0
    return Look(theme, turn, likes.coordinates)
