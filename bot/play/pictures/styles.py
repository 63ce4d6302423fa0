"""Styles of pictures: the server's in its channels, the viewer's own in private replies."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.computers import is_person
from bot.core.i18n.catalogues import ENGLISH
from bot.core.settings.service import SettingsStore
from bot.play.matches.positions import MatchView
from data.matches.matches import Player
from engine.game import Seat
from engine.phrase import Tongue
from engine.scene import Scene, translated
from engine.turning import turned, without_coordinates
from render import writable


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """The style of a picture. Equal scenes in equal styles give the same picture."""

    theme: str = "wood"
    quarter_turns: int = 0
    """How far the board is turned, in quarter turns."""
    coordinates: bool = True
    locale: Tongue = ENGLISH
    """The language of its labels, if the fonts have its letters."""

    def seen(self, scene: Scene) -> Scene:
        """Return a scene in this style."""
        localised = scene if self.locale is ENGLISH else translated(scene, self.locale, writable)
        bare = localised if self.coordinates else without_coordinates(localised)
        return turned(bare, self.quarter_turns)


async def in_channel(
    settings: SettingsStore, view: MatchView, locale: Tongue = ENGLISH
) -> BoardStyle:
    """Return the style of a board in its channel: turned for the called player, if set.

    Raises:
        StoreError: the lookup failed.

    """
    theme = (await settings.server(view.match.guild_id)).theme
    called = view.called
    if called is None and view.to_move is not None:
        called = next((one for one in view.match.players if is_person(one.user_id)), None)
    turned = called is not None and (await settings.player(called.user_id)).turned
    return BoardStyle(theme, _quarters(view, called) if turned else 0, locale=locale)


async def for_player(
    settings: SettingsStore, view: MatchView, user_id: int, locale: Tongue = ENGLISH
) -> BoardStyle:
    """Return the style of a board that only one person sees, a player or not.

    Raises:
        StoreError: the lookup failed.

    """
    likes = await settings.player(user_id)
    theme = likes.theme or (await settings.server(view.match.guild_id)).theme
    turn = _quarters(view, view.player_of(user_id)) if likes.turned else 0
    return BoardStyle(theme, turn, likes.coordinates, locale)


def _quarters(view: MatchView, player: Player | None) -> int:
    return 0 if player is None else view.game.quarter_turns(view.state, Seat(player.seat))
