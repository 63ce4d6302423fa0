"""Who may see profiles and rivalries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import NotForYou
from bot.i18n.mentions import named
from engine.phrase import say

if TYPE_CHECKING:
    from bot.settings.service import SettingsStore


class Visibility:
    """Applies the players' choice to keep their profile private."""

    def __init__(self, settings: SettingsStore) -> None:
        """Read what players have chosen."""
        self._settings = settings

    async def private(self, *players: int) -> bool:
        """Return whether any of these players keeps their profile private."""
        return not all([(await self._settings.player(player)).profile for player in players])

    async def check_profile(self, player: int, reader: int) -> None:
        """Refuse to show a private profile to others.

        Raises:
            NotForYou: the profile is private.

        """
        if player != reader and await self.private(player):
            raise NotForYou(say("{person} keeps their profile to themself.", person=named(player)))

    async def check_rivalry(self, one: int, other: int, reader: int, *, everywhere: bool) -> None:
        """Refuse to show a third person what is private to two players.

        Raises:
            NotForYou: one of their profiles is private, or it is about all servers.

        """
        if reader in {one, other}:
            return
        if everywhere or await self.private(one, other):
            raise NotForYou(say("What these two have played is shown to nobody but them."))
