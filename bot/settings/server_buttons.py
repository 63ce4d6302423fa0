"""What a server chooses: one message of menus and buttons, each change stored at once.

Their addresses are ``s:<what>`` for menus, which bring their values along, and ``s:<what>:<value>``
for buttons, so a press means the same however often it is made, and in whatever order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.moderation import rated_play_buttons
from bot.permissions.channels import require_manager
from bot.settings.declarations import MOST_DAYS, ServerSettings
from bot.settings.server_text import THEMES, known_channels, summary
from engine.phrase import plural, say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.moderation.rated_play import KeptOut

NOTHING: Final = "-"
"""The value of a menu entry that chooses nothing in particular."""
_MOST_CHANNELS: Final = 25
_DAYS: Final = (1, 2, 3, 4, 5, 7, 10, MOST_DAYS)
_PLACES: Final = (discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.forum)


class ServerButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"s:(?P<what>threads|board|forfeit|rated|log_channel|channels):(?P<value>[a-z]+)",
):
    """Sets one thing of a server to one value."""

    def __init__(self, what: str, value: str, label: str = "-") -> None:
        """Address one value."""
        super().__init__(
            ui.Button(
                label=label,
                style=discord.ButtonStyle.secondary,
                custom_id=f"s:{what}:{value}",
            )
        )
        self.what, self.value = what, value

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ServerButton:
        """Rebuild a button from its address."""
        return cls(match["what"], match["value"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Store the value."""
        await _change(answer, client, {self.what: _MEANT[self.what, self.value]})


_MEANT: Final[dict[tuple[str, str], Any]] = {
    ("threads", "yes"): True,
    ("threads", "no"): False,
    ("board", "new"): "new",
    ("board", "edit"): "edit",
    ("forfeit", "claim"): "claim",
    ("forfeit", "automatic"): "automatic",
    ("rated", "yes"): True,
    ("rated", "no"): False,
    ("log_channel", "none"): None,
    ("channels", "all"): (),
}


class ServerMenu(
    Pressed,
    ui.DynamicItem[ui.Select[Any]],
    template=r"s:(?P<what>theme|language|days)",
):
    """Chooses one thing of a server from a list."""

    def __init__(
        self,
        what: str,
        *,
        options: list[discord.SelectOption] | None = None,
        placeholder: str | None = None,
    ) -> None:
        """Address one choice."""
        super().__init__(
            ui.Select(custom_id=f"s:{what}", options=options or [], placeholder=placeholder)
        )
        self.what = what

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> ServerMenu:
        """Rebuild a menu from its address, with what was chosen."""
        menu = cls(match["what"])
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Store what was chosen."""
        value = chosen_value(self.item)
        meant: Any = None if value == NOTHING else int(value) if self.what == "days" else value
        await _change(answer, client, {self.what: meant})


class ChannelMenu(
    Pressed,
    ui.DynamicItem[ui.ChannelSelect[Any]],
    template=r"s:(?P<what>channels|log_channel)",
):
    """Chooses channels of a server."""

    def __init__(
        self, what: str, chosen: Sequence[int] = (), *, placeholder: str | None = None
    ) -> None:
        """Address one choice of channels, those chosen already in it."""
        super().__init__(
            ui.ChannelSelect(
                custom_id=f"s:{what}",
                placeholder=placeholder,
                channel_types=list(_PLACES if what == "channels" else _PLACES[:2]),
                min_values=0,
                max_values=_MOST_CHANNELS if what == "channels" else 1,
                default_values=[_Chosen(channel_id) for channel_id in chosen],
            )
        )
        self.what = what

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> ChannelMenu:
        """Rebuild a menu from its address, with what was chosen."""
        menu = cls(match["what"])
        assert isinstance(item, ui.ChannelSelect)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Store what was chosen; nothing means all channels, or none to write in."""
        chosen = tuple(sorted(channel.id for channel in self.item.values))
        if self.what == "channels":
            await _change(answer, client, {"channels": chosen})
        else:
            await _change(answer, client, {"log_channel": chosen[0] if chosen else None})


class _Chosen(discord.SelectDefaultValue):
    """A channel that is in a menu already, with its id as Discord describes it: as text."""

    def __init__(self, channel_id: int) -> None:
        super().__init__(id=channel_id, type=discord.SelectDefaultValueType.channel)

    def to_dict(self) -> Any:
        """Return it as Discord takes it."""
        return {"id": str(self.id), "type": self.type.value}


async def _change(answer: Reply, client: Bot, changed: dict[str, Any]) -> None:
    guild_id = require_manager(answer.interaction)
    settings = await client.choices.change_server(guild_id, changed, by=answer.interaction.user.id)
    try:
        await answer.replace(await shown(client, answer.interaction, guild_id, settings))
    finally:
        if "rated" in changed:
            await rated_play_buttons.show_concerned(client, guild_id)


async def shown(
    client: Bot, interaction: discord.Interaction[Any], guild_id: int, settings: ServerSettings
) -> layouts.Message:
    """Return the message that shows and changes what the server of an interaction has chosen."""
    kept_out = await client.exclusion.of_server(guild_id)
    return message(settings, interaction.guild, languages(client), kept_out)


def languages(client: Bot) -> dict[str, str]:
    """Return the languages that can be chosen, by their locale, each in its own words."""
    return dict(client.tongues.languages)


def message(
    settings: ServerSettings,
    guild: discord.Guild | None,
    spoken: dict[str, str],
    kept_out: KeptOut,
) -> layouts.Message:
    """Return the message that shows and changes what a server has chosen.

    Args:
        settings: what it has chosen so far.
        guild: the server, where it is known: it tells which channels there still are.
        spoken: the languages that can be chosen.
        kept_out: who may not play rated there.

    """
    known = known_channels(guild)
    kept = [one for one in settings.channels if known is None or one in known]
    log_channel = settings.log_channel
    if log_channel is not None and known is not None and log_channel not in known:
        log_channel = None
    return layouts.Message(
        ui.TextDisplay(summary(settings, guild, spoken, kept_out)),
        ui.ActionRow(
            ChannelMenu("channels", kept, placeholder=say("Channels where games may be played"))
        ),
        ui.ActionRow(
            ChannelMenu(
                "log_channel",
                [] if log_channel is None else [log_channel],
                placeholder=say("Channel for what moderators do"),
            )
        ),
        ui.ActionRow(ServerMenu("days", options=_days(settings))),
        ui.ActionRow(ServerMenu("theme", options=_themes(settings))),
        ui.ActionRow(ServerMenu("language", options=_languages(settings, spoken))),
        *layouts.rows(_buttons(settings)),
    )


def _days(settings: ServerSettings) -> list[discord.SelectOption]:
    offered = sorted({*_DAYS, settings.days})
    return [
        discord.SelectOption(
            label=plural("{n} day for each move", "{n} days for each move", days),
            value=str(days),
            default=days == settings.days,
        )
        for days in offered
    ]


def _themes(settings: ServerSettings) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=say("Boards in {theme}", theme=name),
            value=theme,
            default=theme == settings.theme,
        )
        for theme, name in THEMES.items()
    ]


def _languages(settings: ServerSettings, spoken: dict[str, str]) -> list[discord.SelectOption]:
    """Offer the server's own language first, then all others, and one that is not spoken now."""
    entries: Iterable[tuple[str | None, str]] = (
        (None, say("The language that Discord tells of this server")),
        *spoken.items(),
    )
    return [
        discord.SelectOption(
            label=name, value=locale or NOTHING, default=locale == settings.language
        )
        for locale, name in entries
    ][:25]


def _buttons(settings: ServerSettings) -> list[ui.Item[Any]]:
    """Return a button for each thing that has two values: it says what pressing it does."""
    pressed: list[ui.Item[Any]] = [
        ServerButton("threads", "no", say("Play in the channel"))
        if settings.threads
        else ServerButton("threads", "yes", say("A thread for each match")),
        ServerButton("board", "edit", say("One board that changes"))
        if settings.board == "new"
        else ServerButton("board", "new", say("A new board each turn")),
        ServerButton("forfeit", "automatic", say("Lose at once when out of time"))
        if settings.forfeit == "claim"
        else ServerButton("forfeit", "claim", say("Let the opponent claim the win")),
        ServerButton("rated", "no", say("Play without ratings"))
        if settings.rated
        else ServerButton("rated", "yes", say("Rate the matches")),
    ]
    if settings.channels:
        pressed.append(ServerButton("channels", "all", say("Play in all channels")))
    if settings.log_channel is not None:
        pressed.append(ServerButton("log_channel", "none", say("No channel for moderators")))
    return pressed
