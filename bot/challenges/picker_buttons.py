"""What the context menu of a person opens: which game, by which rules, with how much time.

All that is chosen stands in the addresses of the menus, so a picker outlives a restart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges import buttons as challenge_view
from bot.challenges.invitations import Invitation
from bot.delivery.interaction_transport import home_of, lent
from bot.errors import BadOpponent
from bot.i18n.mentions import who
from bot.interactions import layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.permissions import play
from bot.settings.declarations import MAX_DAYS
from engine import registry
from engine.phrase import capital, lines, plural, say, shortened

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.game import Option
    from engine.registry import AnyGame

_STATE = r"(?P<opponent>\d+):(?P<game>[a-z0-9_]*):(?P<rules>[a-z0-9_-]*):(?P<days>\d+)"


@dataclass(frozen=True, slots=True)
class Picked:
    """What has been chosen so far."""

    opponent: int
    game: str
    """Empty while none is chosen."""
    rules: str
    """The rule set; empty where the game has none or its usual one is meant."""
    days: int

    @classmethod
    def of(cls, match: re.Match[str]) -> Picked:
        """Read what an address says."""
        return cls(int(match["opponent"]), match["game"], match["rules"], int(match["days"]))

    @property
    def address(self) -> str:
        """How it stands in an address."""
        return f"{self.opponent}:{self.game}:{self.rules}:{self.days}"

    @property
    def known(self) -> AnyGame | None:
        """The game, where one is chosen that there still is."""
        return registry.games().get(self.game)


class PickerMenu(
    Pressed,
    ui.DynamicItem[ui.Select[Any]],
    template=rf"k:pick:(?P<field>game|rules|days):{_STATE}",
):
    """A menu of games, of rule sets or of days."""

    def __init__(
        self,
        field: str,
        picked: Picked,
        options: Iterable[discord.SelectOption] = (),
        placeholder: str | None = None,
    ) -> None:
        """Address one choice, with all that has been chosen before."""
        super().__init__(
            ui.Select(
                custom_id=f"k:pick:{field}:{picked.address}",
                options=list(options),
                placeholder=placeholder,
            )
        )
        self.field, self.picked = field, picked

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> PickerMenu:
        """Rebuild a menu from its address, with the values that were chosen."""
        menu = cls(match["field"], Picked.of(match))
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:  # noqa: ARG002 - the base hands it
        """Show the picker with what was chosen now."""
        value = chosen_value(self.item)
        if self.field == "game":
            picked = replace(self.picked, game=value, rules="")
        elif self.field == "rules":
            picked = replace(self.picked, rules=value)
        else:
            picked = replace(self.picked, days=int(value))
        await answer.replace(message(picked))


class PickerButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=rf"k:send:{_STATE}",
):
    """Makes the challenge that was chosen."""

    def __init__(self, picked: Picked) -> None:
        """Address a challenge with all that was chosen."""
        super().__init__(
            ui.Button(
                label=say("Challenge"),
                style=discord.ButtonStyle.success,
                custom_id=f"k:send:{picked.address}",
            )
        )
        self.picked = picked

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> PickerButton:
        """Rebuild a button from its address."""
        return cls(Picked.of(match))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Record the challenge and post it in the channel."""
        interaction, picked = answer.interaction, self.picked
        game = registry.game(picked.game)
        sets = rule_sets(game)
        await play.require_challenges(interaction)
        # Where the bot is only lent, the command has looked at the opponent, and nobody is
        # a member there that it could ask for.
        if not lent(interaction):
            await play.require_opponent(interaction, await member(interaction, picked.opponent))
        offered = await client.challenges.offer(
            Invitation(
                game=game.slug,
                options={sets.name: picked.rules} if sets is not None and picked.rules else {},
                guild_id=home_of(interaction),
                channel_id=interaction.channel_id or 0,
                challenger_id=interaction.user.id,
                opponents=(picked.opponent,),
                seat=None,
                salt=str(interaction.id),
                days=picked.days,
            )
        )
        told = say("Your challenge to {opponent} is posted.", opponent=who(picked.opponent))
        try:
            await answer.replace(layouts.text(told))
        finally:
            await challenge_view.post(answer, client, offered, public=True)


def message(picked: Picked) -> layouts.Message:
    """Return the picker with what has been chosen so far."""
    game = picked.known
    parts: list[ui.Item[Any]] = [ui.ActionRow(_games(picked))]
    told: list[str] = [say("Challenge {opponent} to a game.", opponent=who(picked.opponent))]
    if game is not None:
        told.append(game.summary)
        sets = rule_sets(game)
        if sets is not None:
            parts.append(ui.ActionRow(_rules(picked, sets)))
    parts.append(ui.ActionRow(_days(picked)))
    if game is not None:
        parts.append(ui.ActionRow(PickerButton(picked)))
    return layouts.Message(ui.TextDisplay(lines(told)), *parts)


def rule_sets(game: AnyGame) -> Option | None:
    """Return the option that chooses a rule set, ``None`` where a game has one set of rules."""
    return next((option for option in game.options if option.presets), None)


def _games(picked: Picked) -> PickerMenu:
    options = [
        discord.SelectOption(
            label=game.title,
            value=game.slug,
            description=shortened(game.summary, 100),
            default=game.slug == picked.game,
        )
        for game in registry.games().values()
    ]
    return PickerMenu("game", picked, options[:25], say("Choose a game"))


def _rules(picked: Picked, sets: Option) -> PickerMenu:
    chosen = picked.rules or sets.default
    options = [
        discord.SelectOption(label=capital(value), value=value, default=value == chosen)
        for value in sets.values
    ]
    return PickerMenu("rules", picked, options)


def _days(picked: Picked) -> PickerMenu:
    options = [
        discord.SelectOption(
            label=plural("{n} day for each move", "{n} days for each move", number),
            value=str(number),
            default=number == picked.days,
        )
        for number in range(1, MAX_DAYS + 1)
    ]
    return PickerMenu("days", picked, options)


async def member(interaction: discord.Interaction[Any], user_id: int) -> discord.Member:
    """Return somebody as a member of this server.

    Raises:
        BadOpponent: they have left it, or this is no server.

    """
    if interaction.guild is None:
        raise BadOpponent(say("Challenge somebody in a server where you both are."))
    try:
        return await interaction.guild.fetch_member(user_id)
    except discord.NotFound as error:
        raise BadOpponent(say("{person} is not in this server.", person=who(user_id))) from error
