"""The messages that show and change settings: every control follows from a declaration."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal

from bot.i18n.locales import Locales
from bot.i18n.mentions import who
from bot.interactions import components
from bot.interactions.components import action_row, rows, text_display
from bot.interactions.controls import Button, Form, Menu
from bot.interactions.layout import Layout
from bot.moderation.rated_play import RatedPlay
from bot.moderation.rated_play_buttons import refresh_challenges
from bot.permissions.channels import require_manager
from bot.settings.declarations import PlayerSettings, ServerSettings
from bot.settings.kinds import Channels, Context, OneOf, Switch, Toggle, Typed, address
from bot.settings.service import SettingsStore
from engine.phrase import lines, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.moderation.rated_play import ExcludedPlayers
    from bot.settings.declarations import Declared

Scope = Literal["server", "me"]

_DECLARED: Final[Mapping[Scope, type[Declared]]] = {"server": ServerSettings, "me": PlayerSettings}
_CLEAR: Final = "none"
_MAX_OPTIONS: Final = 25


class SettingButton(Button, prefix="set"):
    """Sets one setting to one value."""

    scope: Scope
    name: str
    value: str

    async def press(self, reply: Reply) -> None:
        """Store the value and show all settings again."""
        kind = _DECLARED[self.scope].kind(self.name)
        changes: Mapping[str, Any] = {}  # of a setting that is no more, nothing is changed
        if isinstance(kind, Typed) and kind.cleared is not None:
            changes = kind.cleared[1]
        elif isinstance(kind, Channels):
            changes = {self.name: kind.read(())}
        elif isinstance(kind, Toggle):
            changes = {self.name: kind.read(self.value)}
        elif isinstance(kind, Switch):
            changes = {self.name: self.value == "yes"}
        await _change(reply, self.scope, changes)


class SettingMenu(Menu, prefix="pick"):
    """Chooses the value of a setting from a list."""

    scope: Scope
    name: str

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Store what was chosen and show all settings again."""
        kind = _DECLARED[self.scope].kind(self.name)
        changes: dict[str, Any] = {}
        if isinstance(kind, Channels):
            changes[self.name] = kind.read(values)
        elif isinstance(kind, OneOf):
            changes[self.name] = kind.read(values[0])
        await _change(reply, self.scope, changes)


class AskSettingButton(Button, prefix="ask"):
    """Asks for a setting that is typed."""

    scope: Scope
    name: str

    async def press(self, reply: Reply) -> None:
        """Open the form, with the present value in it."""
        kind = _DECLARED[self.scope].kind(self.name)
        assert isinstance(kind, Typed)
        settings = await reply.get(SettingsStore).player(reply.user_id)
        form = SettingForm(self.scope, self.name)
        field = components.text_input(
            self.name,
            kind.question,
            description=kind.about,
            placeholder=kind.example,
            value=kind.shown(settings),
            max_length=kind.most,
        )
        await reply.ask(form.modal(kind.label, field))


class SettingForm(Form, prefix="typed"):
    """Takes a setting that was typed."""

    scope: Scope
    name: str

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Store what was typed and show all settings again."""
        kind = _DECLARED[self.scope].kind(self.name)
        assert isinstance(kind, Typed)
        await _change(reply, self.scope, kind.parse(typed[self.name]))


async def show(reply: Reply, scope: Scope) -> Layout:
    """Return the settings of the server, or of the person, with their controls."""
    if scope == "me":
        return _message(
            scope, await reply.get(SettingsStore).player(reply.user_id), _context(reply)
        )
    guild_id = require_manager(reply.interaction)
    settings = await reply.get(SettingsStore).server(guild_id)
    excluded = await reply.get(RatedPlay).of_server(guild_id)
    return _message(scope, settings, _context(reply), {"rated": _excluded(excluded)})


async def _change(reply: Reply, scope: Scope, changes: Mapping[str, Any]) -> None:
    settings = reply.get(SettingsStore)
    if scope == "me":
        await settings.change_player(reply.user_id, changes)
        await reply.replace(await show(reply, scope))
        return
    guild_id = require_manager(reply.interaction)
    await settings.change_server(guild_id, changes, by=reply.user_id)
    try:
        await reply.replace(await show(reply, scope))
    finally:
        if "rated" in changes:
            await refresh_challenges(reply, guild_id)


def _context(reply: Reply) -> Context:
    guild = reply.interaction.guild
    channels = None if guild is None else frozenset(channel.id for channel in guild.channels)
    return Context(reply.get(Locales).languages, channels)


def _message(
    scope: Scope,
    settings: Declared,
    context: Context,
    more: Mapping[str, Sequence[str]] | None = None,
) -> Layout:
    """Return a summary of settings and their controls.

    Args:
        scope: whose they are.
        settings: their values.
        context: what can be chosen.
        more: further lines of the summary, by the setting below which they stand.

    """
    told = [_TITLES[scope]]
    for name, kind in settings.kinds():
        told.append(settings.told(name, kind, context))
        told += (more or {}).get(name, ())
    gone = any(
        isinstance(kind, Channels) and kind.most > 1 and _has_gone(settings, name, context)
        for name, kind in settings.kinds()
    )
    if gone:
        told.append(
            say(
                "-# A channel that was deleted goes from the list with your next choice of channels."
            )
        )
    menus = list(_menus(scope, settings, context))
    buttons = [
        row
        for _, together in groupby(_buttons(scope, settings), lambda pair: pair[0])
        for row in rows([button for _, button in together])
    ]
    return Layout(text_display(lines(told)), *map(action_row, menus), *buttons)


def _menus(scope: Scope, settings: Declared, context: Context) -> Iterator[Component]:
    """Return the menus: those of channels first, since they are the most used."""
    for name, kind in settings.kinds():
        if isinstance(kind, Channels):
            yield SettingMenu(scope, name).of_channels(
                placeholder=kind.placeholder,
                most=kind.most,
                chosen=kind.kept(getattr(settings, name), context),
                forums=kind.forums,
            )
    for name, kind in settings.kinds():
        if isinstance(kind, OneOf):
            value = getattr(settings, name)
            options = [
                components.option(label, address(one), default=one == value)
                for one, label in kind.options(value, context)
            ]
            yield SettingMenu(scope, name).component(options[:_MAX_OPTIONS])


def _buttons(scope: Scope, settings: Declared) -> Iterator[tuple[bool, Component]]:
    """Return the buttons, those that open forms apart."""
    for name, kind in settings.kinds():
        value = getattr(settings, name)
        if isinstance(kind, Toggle):
            other = kind.other(value)
            button = SettingButton(scope, name, address(other.value))
            yield False, button.component(other.choose)
        elif isinstance(kind, Switch):
            button = SettingButton(scope, name, address(not value))
            style: components.Style = "success" if value else "secondary"
            yield False, button.component(kind.label, style=style)
    for name, kind in settings.kinds():
        if isinstance(kind, Channels) and getattr(settings, name):
            yield False, SettingButton(scope, name, _CLEAR).component(kind.clear)
    for name, kind in settings.kinds():
        if isinstance(kind, Typed):
            yield True, AskSettingButton(scope, name).component(kind.label)
            if kind.cleared is not None and kind.shown(settings):
                yield True, SettingButton(scope, name, _CLEAR).component(kind.cleared[0])


def _has_gone(settings: Declared, name: str, context: Context) -> bool:
    return any(context.gone(channel) for channel in getattr(settings, name))


def _excluded(excluded: ExcludedPlayers) -> list[str]:
    if not excluded.people:
        return []
    named = [who(user_id) for user_id in excluded.people]
    if excluded.more:
        named.append(plural("{n} more person", "{n} more people", excluded.more))
    return [
        say(
            "**Kept out of rated play:** {people}. `/server rated` lets them in again.",
            people=listed(named),
        )
    ]


_TITLES: Final[Mapping[Scope, str]] = {
    "server": say("### How this server plays"),
    "me": lines(
        [
            say("### How you like to play"),
            say("-# For every server; only you see this. Each change counts at once."),
        ]
    ),
}
