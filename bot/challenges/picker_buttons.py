"""Puts a challenge to one person together: the game, its rules and the days per move.

All choices stand in the addresses of the menus, so a picker outlives a restart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from bot.challenges.buttons import ChallengeMessages, invitation
from bot.challenges.service import Challenges
from bot.delivery.interaction_transport import by_user_install
from bot.i18n.mentions import who
from bot.interactions.components import action_row, option, text_display
from bot.interactions.controls import Button, Menu
from bot.interactions.layout import Layout, text_layout
from bot.interactions.numbers import Id, picked
from bot.permissions import play
from bot.settings.declarations import MAX_DAYS
from bot.settings.service import SettingsStore
from engine import registry
from engine.phrase import capital, lines, plural, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.reply import Reply
    from engine.game import Option
    from engine.registry import AnyGame

_MAX_GAMES = 25


class ChallengePersonButton(Button, prefix="challenge"):
    """Begins a challenge to a person."""

    opponent: Id

    async def press(self, reply: Reply) -> None:
        """Open a picker that only this player sees."""
        await play.require_challenges(reply)
        await play.require_member(reply, self.opponent)
        await open_picker(reply, self.opponent)


class PickerMenu(Menu, prefix="picker"):
    """Chooses a game, a rule set or the days per move."""

    field: Literal["game", "rules", "days"]
    opponent: Id
    days: int
    game: str
    rules: str

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the picker with what was chosen."""
        value = values[0]
        days = picked(value) if self.field == "days" else self.days
        game = value if self.field == "game" else self.game
        rules = {"game": "", "rules": value, "days": self.rules}[self.field]
        await reply.replace(picker(self.opponent, days, game, rules))


class SendChallengeButton(Button, prefix="send"):
    """Makes the challenge that was put together."""

    opponent: Id
    days: int
    game: str
    rules: str
    """The rule set; empty for the usual one, or if the game has one only."""

    async def press(self, reply: Reply) -> None:
        """Record the challenge and post it in the channel."""
        game = registry.game(self.game)
        sets = rule_sets(game)
        await play.require_challenges(reply)
        # The bot cannot ask for members if only its users have installed it: then the command has
        # checked the opponent.
        if not by_user_install(reply.interaction):
            await play.require_member(reply, self.opponent)
        options = {sets.name: self.rules} if sets is not None and self.rules else {}
        asked = invitation(reply, game, options)
        offered = await reply.get(Challenges).offer(
            replace(asked, opponents=(self.opponent,), days=self.days)
        )
        told = say("Your challenge to {opponent} is posted.", opponent=who(self.opponent))
        try:
            await reply.replace(text_layout(told))
        finally:
            await reply.get(ChallengeMessages).post(reply, offered)


async def open_picker(reply: Reply, opponent: int) -> None:
    """Show a picker that only this player sees, with the usual days of the server."""
    settings = await reply.get(SettingsStore).server(reply.guild_id)
    await reply.tell(picker(opponent, settings.days), public=False)


def picker(opponent: int, days: int, slug: str = "", rules: str = "") -> Layout:
    """Return the picker with what has been chosen so far; ``slug`` is empty without a game."""
    told: list[str] = [say("Challenge {opponent} to a game.", opponent=who(opponent))]
    games = [
        option(game.title, game.slug, game.summary, default=game.slug == slug)
        for game in list(registry.games().values())[:_MAX_GAMES]
    ]
    menus = [
        PickerMenu("game", opponent, days, slug, rules).component(
            games, placeholder=say("Choose a game")
        )
    ]
    game = registry.games().get(slug)
    sets = None if game is None else rule_sets(game)
    if sets is not None:
        offered = [
            option(capital(value), value, default=value == (rules or sets.default))
            for value in sets.values
        ]
        menus.append(PickerMenu("rules", opponent, days, slug, rules).component(offered))
    spans = [
        option(
            plural("{n} day for each move", "{n} days for each move", number),
            str(number),
            default=number == days,
        )
        for number in range(1, MAX_DAYS + 1)
    ]
    menus.append(PickerMenu("days", opponent, days, slug, rules).component(spans))
    if game is not None:
        told.append(game.summary)
        send = SendChallengeButton(opponent, days, slug, rules)
        menus.append(send.component(say("Challenge"), style="success"))
    return Layout(text_display(lines(told)), *map(action_row, menus))


def rule_sets(game: AnyGame) -> Option | None:
    """Return the option that chooses a rule set, ``None`` if the game has only one."""
    return next((option for option in game.options if option.presets), None)
