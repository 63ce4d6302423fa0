"""Names match threads: by their players, and by the result once the match is over."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

from bot.core.computers import is_computer
from bot.core.i18n.mentions import mention
from bot.core.interactions.rendering import say_in
from bot.play.matches import results
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.core.i18n.locales import Locales
    from bot.core.permissions.members import Members
    from bot.play.matches.positions import MatchView
    from engine.phrase import Tongue

MAX_NAME: Final = 100
"""Discord's limit for a thread's name, in characters."""
_SHORTER: Final = (32, 20, 12, 7)
"""Characters kept of each player's name, tried in turn while the name is too long."""


class ThreadNames:
    """Names threads in the language of each match."""

    def __init__(self, members: Members, locales: Locales) -> None:
        """Use the names that players have in their server."""
        self._members = members
        self._locales = locales

    async def of(self, view: MatchView) -> str:
        """Return the current thread name of a match."""
        locale = await self._locales.of_match(view.match)
        ids = [player.user_id for player in view.match.players]
        names = {user_id: await self._name(view, user_id) for user_id in ids}
        known = {user_id: name for user_id, name in names.items() if name is not None}
        if len(known) < len(names):
            return say_in(locale, numbered(view), MAX_NAME)
        return _fitting(view, known, locale)

    async def _name(self, view: MatchView, user_id: int) -> str | None:
        if user_id < 0 or is_computer(user_id) or view.match.guild_id is None:
            return mention(user_id)
        return await self._members.name(view.match.guild_id, user_id)


def numbered(view: MatchView) -> str:
    """Return the name of a match whose players' names are unknown."""
    return say("{game} · match #{number}", game=view.game.title, number=view.match.id)


def _fitting(view: MatchView, names: Mapping[int, str], locale: Tongue) -> str:
    """Return a name within the limit, with players' names shortened until it fits."""
    name = ""
    for most in _SHORTER:
        short = {user_id: _cut(one, most, locale) for user_id, one in names.items()}
        name = say_in(locale, title(view, short), 10 * MAX_NAME)
        if len(name) <= MAX_NAME:
            break
    return name[:MAX_NAME]


def _cut(name: str, limit: int, locale: Tongue) -> str:
    whole = say_in(locale, name, 10 * MAX_NAME)
    return whole if len(whole) <= limit else f"{whole[: limit - 1].rstrip()}…"


def title(view: MatchView, names: Mapping[int, str]) -> str:
    """Return the whole name of a thread with players under the given names."""
    challenger_first = sorted(view.match.players, key=lambda player: player.place)
    players = reduce(_versus, (names[player.user_id] for player in challenger_first))
    parts = [players, view.game.title]
    if view.match.finished:
        parts = [results.headline(view, names), view.game.title, players]
    return lines(parts, " · ")


def _versus(one: str, other: str) -> str:
    # Translators: the players of a match in the name of its thread: "Ann vs Ben".
    return say("{one} vs {other}", one=one, other=other)
