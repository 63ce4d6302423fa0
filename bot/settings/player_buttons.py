"""What a player chooses for all servers: one message that only they see.

Their addresses are ``m:<what>`` for menus and forms, and ``m:<what>:<value>`` for buttons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.interactions import forms, layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.settings import parsing
from bot.settings.server_buttons import NOTHING, languages
from bot.settings.server_text import THEMES
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.settings.declarations import PlayerSettings


class MyButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"m:(?P<what>coordinates|turned|confirm|pings|reminders|clips|profile):(?P<value>yes|no)",
):
    """Turns something on or off for whoever presses it."""

    def __init__(self, what: str, value: str, label: str = "-", *, on: bool = False) -> None:
        """Address one value; the button tells whether the thing is on now."""
        super().__init__(
            ui.Button(
                label=label,
                style=discord.ButtonStyle.success if on else discord.ButtonStyle.secondary,
                custom_id=f"m:{what}:{value}",
            )
        )
        self.what, self.value = what, value

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> MyButton:
        """Rebuild a button from its address."""
        return cls(match["what"], match["value"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Store it."""
        await _change(answer, client, {self.what: self.value == "yes"})


class MyMenu(Pressed, ui.DynamicItem[ui.Select[Any]], template=r"m:(?P<what>theme|language)"):
    """Chooses one thing from a list."""

    def __init__(self, what: str, *, options: list[discord.SelectOption] | None = None) -> None:
        """Address one choice."""
        super().__init__(ui.Select(custom_id=f"m:{what}", options=options or []))
        self.what = what

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> MyMenu:
        """Rebuild a menu from its address, with what was chosen."""
        menu = cls(match["what"])
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Store what was chosen."""
        value = chosen_value(self.item)
        await _change(answer, client, {self.what: None if value == NOTHING else value})


class MyTime(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"m:ask:(?P<what>zone|quiet|loud)"):
    """Asks for the time zone or the quiet hours, or does without these."""

    def __init__(self, what: str, label: str = "-") -> None:
        """Address one question."""
        super().__init__(
            ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"m:ask:{what}")
        )
        self.what = what

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> MyTime:
        """Rebuild a button from its address."""
        return cls(match["what"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Ask, with what was chosen before in the form."""
        if self.what == "loud":
            await _change(answer, client, {"quiet_from": None, "quiet_to": None})
            return
        chosen = await client.choices.player(answer.interaction.user.id)
        if self.what == "zone":
            asked = forms.field(
                "zone",
                say("Your time zone"),
                about=say("By its city; quiet hours go by it"),
                example="Europe/Stockholm",
                value=chosen.zone,
                most=60,
            )
            await forms.ask(answer, "m:zone", say("Time zone"), asked)
            return
        asked = forms.field(
            "quiet",
            say("When nothing should ping you"),
            about=say("Pings and reminders wait until these hours are over"),
            example="22:00-07:30",
            value=_span(chosen),
            most=30,
        )
        await forms.ask(answer, "m:quiet", say("Quiet hours"), asked)


@forms.takes("m:zone")
async def take_zone(answer: Reply, client: Bot, _: re.Match[str], typed: Mapping[str, str]) -> None:
    """Store a time zone that was typed."""
    await _change(answer, client, {"zone": parsing.zone(typed["zone"])})


@forms.takes("m:quiet")
async def take_quiet_hours(
    answer: Reply, client: Bot, _: re.Match[str], typed: Mapping[str, str]
) -> None:
    """Store quiet hours that were typed."""
    begin, end = parsing.quiet_hours(typed["quiet"])
    await _change(answer, client, {"quiet_from": begin, "quiet_to": end})


async def _change(answer: Reply, client: Bot, changed: dict[str, Any]) -> None:
    settings = await client.choices.change_player(answer.interaction.user.id, changed)
    await answer.replace(message(settings, languages(client)))


def message(settings: PlayerSettings, spoken: Mapping[str, str]) -> layouts.Message:
    """Return the message that shows and changes what a player has chosen.

    Args:
        settings: what they have chosen so far.
        spoken: the languages that can be chosen, by their locale.

    """
    switches: list[ui.Item[Any]] = []
    for what, label in _SWITCHES.items():
        on = bool(getattr(settings, what))
        switches.append(MyButton(what, "no" if on else "yes", label, on=on))
    times: list[ui.Item[Any]] = [
        MyTime("zone", say("Time zone")),
        MyTime("quiet", say("Quiet hours")),
    ]
    if settings.quiet_from is not None:
        times.append(MyTime("loud", say("No quiet hours")))
    return layouts.Message(
        ui.TextDisplay(summary(settings, spoken)),
        ui.ActionRow(MyMenu("theme", options=_themes(settings))),
        ui.ActionRow(MyMenu("language", options=_languages(settings, spoken))),
        ui.ActionRow(*switches[:3]),
        ui.ActionRow(*switches[3:]),
        ui.ActionRow(*times),
    )


_SWITCHES: Final = {
    "coordinates": say("Coordinates"),
    "turned": say("Turn boards to me"),
    "confirm": say("Ask before each move"),
    "pings": say("Call me on my turn"),
    "reminders": say("Remind me"),
    "clips": say("Show what happened"),
    "profile": say("Show my profile"),
}


def summary(settings: PlayerSettings, spoken: Mapping[str, str]) -> str:
    """Return what a player has chosen, a line each."""
    theme = settings.theme
    return lines(
        [
            say("### How you like to play"),
            say("-# For every server; only you see this. Each change counts at once."),
            say("**Look** of boards that only you see: the server's")
            if theme is None
            else say("**Look** of boards that only you see: {theme}", theme=THEMES[theme]),
            say("**Coordinates** on them: shown")
            if settings.coordinates
            else say("**Coordinates** on them: left out"),
            say("**Boards** on your turn: your side below, where the game has sides")
            if settings.turned
            else say("**Boards** on your turn: as everybody sees them"),
            say("**Moves:** you are asked before one is made")
            if settings.confirm
            else say("**Moves:** made at once"),
            say("**Your turn:** you are called")
            if settings.pings
            else say("**Your turn:** the board names you without a ping"),
            say("**Reminders** before your time is over: yes")
            if settings.reminders
            else say("**Reminders** before your time is over: no"),
            say("**Since your last turn:** a short film")
            if settings.clips
            else say("**Since your last turn:** words only"),
            say("**Profile:** everybody may look at it")
            if settings.profile
            else say("**Profile:** only you see it; leaderboards list you all the same"),
            say("**Language** of what only you see: that of your Discord")
            if settings.language is None
            else say(
                "**Language** of what only you see: {name}",
                name=spoken.get(settings.language, settings.language),
            ),
            say("**Time zone:** {zone}", zone=settings.zone),
            say("**Quiet hours:** none")
            if settings.quiet_from is None
            else say("**Quiet hours:** {hours}", hours=_span(settings)),
        ]
    )


def _span(settings: PlayerSettings) -> str:
    if settings.quiet_from is None or settings.quiet_to is None:
        return ""
    return f"{settings.quiet_from:%H:%M}-{settings.quiet_to:%H:%M}"


def _themes(settings: PlayerSettings) -> list[discord.SelectOption]:
    entries = [(NOTHING, say("Boards as the server likes them"))]
    entries += [(theme, say("Boards in {theme}", theme=name)) for theme, name in THEMES.items()]
    return [
        discord.SelectOption(label=name, value=value, default=value == (settings.theme or NOTHING))
        for value, name in entries
    ]


def _languages(settings: PlayerSettings, spoken: Mapping[str, str]) -> list[discord.SelectOption]:
    entries = [(NOTHING, say("The language of my Discord")), *spoken.items()]
    return [
        discord.SelectOption(
            label=name, value=value, default=value == (settings.language or NOTHING)
        )
        for value, name in entries
    ][:25]
