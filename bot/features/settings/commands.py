"""``/me settings``, ``/server settings`` and ``/privacy``, with its two questions before data is deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from bot.core.errors import GONE, Refusal
from bot.core.hooks import Hooks
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention
from bot.core.interactions import components
from bot.core.interactions.commands import command, group
from bot.core.interactions.components import (
    Component,
    action_row,
    rows,
    section,
    text_display,
)
from bot.core.interactions.controls import Button, Form, Menu
from bot.core.interactions.layout import Layout, saved, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.kinds import (
    CLEARED,
    Changes,
    Channels,
    Context,
    Declared,
    OneOf,
    Toggle,
    Typed,
    changes,
    encoded,
)
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from bot.features.settings.privacy import Privacy
from bot.play.matches.erasure import Erasure
from bot.play.matches.scoring import ExcludedPlayers, excluded_players
from data.store.store import Store, Transaction
from engine.phrase import concat, lines, listed, plural, say

_HOW: Final = say("How you like to play")
group("me", _HOW)
group("server", say("Server management"), managers=True)
group("privacy", say("Your data: download or delete"))


@command("me settings", say("Your settings: boards, pings, language, quiet hours"))
async def my_settings(reply: Reply) -> None:
    """Show a player's settings."""
    await reply.send(await show(reply, "me"))


@command("server settings", say("Server settings: channels, time per move, ratings, language"))
async def server_settings(reply: Reply) -> None:
    """Show the settings of a server."""
    await reply.send(await show(reply, "server"))


@command("privacy export", say("Download everything stored about you"), for_blocked=True)
async def export(reply: Reply) -> None:
    """Send a copy of a person's stored data."""
    limit = reply.interaction.filesize_limit
    name, content = await reply.get(Privacy).export(reply.requester, limit)
    words = text_display(say("Here's everything I've stored about you. Only you can see it."))
    await reply.send(Layout(words, saved(name, content)), public=False)


@command("privacy delete", say("Delete everything stored about you"), for_blocked=True)
async def delete(reply: Reply) -> None:
    """Explain what deletion does, and ask the first of two questions."""
    words = lines(
        [
            say("### Delete your data"),
            say("- You resign all your games in progress."),
            say("- Your open challenges and invitations are closed."),
            say("- You leave your tournaments and ladders."),
            say("- Your settings, vacations, imported records and block list are deleted."),
            say("- Links that show your games stop working."),
            say(
                "- Finished matches and standings show “a former player” instead of you, so your "
                "opponents keep their results."
            ),
            say(
                "- Messages already posted in channels stay there. Anyone who blocked you stays "
                "protected from you."
            ),
            say("`/privacy export` gives you a copy first."),
        ]
    )
    await reply.send(_ask(words, "sure"), public=False)


_LABELS: Final = {"sure": say("Delete my data …"), "now": say("Yes, delete everything")}


class DeleteButton(Button, prefix="erase"):
    """Continues with deleting the presser's data, or cancels."""

    for_blocked = True
    step: Literal["sure", "now", "no"]

    async def press(self, reply: Reply) -> None:
        """Ask the second question, delete, or cancel."""
        if self.step == "no":
            await reply.replace(text_layout(say("Everything stays as it is.")))
        elif self.step == "sure":
            words = say("This can't be undone. Delete everything now?")
            await reply.replace(_ask(words, "now"))
        else:
            await _erase(reply)


def _ask(words: str, step: Literal["sure", "now"]) -> Layout:
    confirm = DeleteButton(step).component(_LABELS[step], style="danger")
    return text_layout(words, confirm, DeleteButton("no").component(say("Keep it")))


async def _erase(reply: Reply) -> None:
    await reply.acknowledge()  # resigning many matches takes a while
    erased = await reply.get(Erasure).erase(reply.user_id)
    parts = [say("Your data is deleted.")]
    if number := len(erased.ended):
        parts.append(plural("You resigned {n} match.", "You resigned {n} matches.", number))
    if number := len(erased.challenges):
        parts.append(plural("{n} challenge was closed.", "{n} challenges were closed.", number))
    parts.append(say("If you play again, you'll start from scratch."))
    await reply.replace(text_layout(lines(parts, " ")))


Scope = Literal["server", "me"]

Beside: TypeAlias = Callable[[Transaction, int, datetime], Awaitable[Component | None]]

beside_my_settings: Final[Hooks[Beside]] = Hooks()
"""Make a button beside a user's settings, to what else is theirs; ``None`` if there is nothing."""

_DECLARED: Final[Mapping[Scope, type[Declared]]] = {"server": ServerSettings, "me": PlayerSettings}
_MAX_CHANNELS: Final = 25
_MAX_OPTIONS: Final = 25


class SettingButton(Button, prefix="set"):
    """Sets a setting to a value."""

    scope: Scope
    name: str
    value: str

    async def press(self, reply: Reply) -> None:
        """Store the value and show all settings again."""
        await _change(reply, self.scope, self.name, [self.value])


class SettingMenu(Menu, prefix="pick"):
    """Chooses a setting's value from a list."""

    may_be_empty = True  # no channel is a choice
    scope: Scope
    name: str

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Store the choice and show all settings again."""
        await _change(reply, self.scope, self.name, values)


class BackToSettingsButton(Button, prefix="settings"):
    """Leads back to a user's settings."""

    async def press(self, reply: Reply) -> None:
        """Show them again."""
        await reply.replace(await show(reply, "me"))


class AskSettingButton(Button, prefix="ask"):
    """Opens the form of a typed setting."""

    scope: Scope
    name: str

    async def press(self, reply: Reply) -> None:
        """Open the form, prefilled with the current value."""
        kind = _form(self.scope, self.name)
        settings = await reply.get(SettingsStore).player(reply.user_id)
        form = SettingForm(self.scope, self.name)
        field = components.text_input(
            self.name,
            kind.question,
            description=kind.about,
            placeholder=kind.example,
            value=kind.shown(settings),
            max_length=kind.max_length,
        )
        await reply.ask(form.modal(kind.label, field))


class SettingForm(Form, prefix="typed"):
    """Stores a typed setting."""

    scope: Scope
    name: str

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Store the typed value and show all settings again."""
        kind = _form(self.scope, self.name)
        await _store(reply, self.scope, kind.parse(typed.get(self.name, "")))


async def show(reply: Reply, scope: Scope) -> Layout:
    """Return the settings of the server, or of the reader, with their controls."""
    guild = reply.interaction.guild
    context = Context(
        reply.get(Locales).languages,
        None if guild is None else frozenset(channel.id for channel in guild.channels),
    )
    settings: Declared
    if scope == "me":
        settings, excluded = await reply.get(SettingsStore).player(reply.user_id), ExcludedPlayers()
    else:
        guild_id = require_manager(reply.interaction)
        settings = await reply.get(SettingsStore).server(guild_id)
        excluded = await excluded_players(reply.get(Store), guild_id)
    parts = _Parts(scope, settings, context, excluded)
    if scope == "me":
        parts.beside += await _more_of(reply)
    return Layout(*parts.shown())


async def _more_of(reply: Reply) -> list[Component]:
    """Return the buttons that other features put beside a user's settings."""
    async with reply.get(Store).read() as tx:
        now = reply.get(WallClock)()
        made = [await make(tx, reply.user_id, now) for make in beside_my_settings]
    return [button for button in made if button is not None]


def _form(scope: Scope, name: str) -> Typed:
    """Return a typed setting; raise Refusal if it no longer exists."""
    kind = _DECLARED[scope].kind(name)
    if not isinstance(kind, Typed):
        raise Refusal(GONE)
    return kind


async def _change(reply: Reply, scope: Scope, name: str, values: Sequence[str]) -> None:
    """Store a choice; raise Refusal if it is no longer on offer."""
    try:
        await _store(reply, scope, changes(_DECLARED[scope].kind(name), name, values))
    except ValueError:
        raise Refusal(GONE) from None


async def _store(reply: Reply, scope: Scope, changed: Changes) -> None:
    settings = reply.get(SettingsStore)
    if scope == "me":
        await settings.change_player(reply.user_id, changed)
    else:
        guild_id = require_manager(reply.interaction)
        await settings.change_server(guild_id, changed, by=reply.user_id)
    await reply.replace(await show(reply, scope))


@dataclass(eq=False, repr=False)
class _Parts:
    """A settings message in the making: what a button changes has it beside, menus are below their lines."""

    scope: Scope
    settings: Declared
    context: Context
    excluded: ExcludedPlayers
    beside: list[Component] = field(default_factory=list)
    """Buttons at the end."""
    _made: list[Component] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _menus: list[Component] = field(default_factory=list)
    _clearing: list[Component] = field(default_factory=list)

    def shown(self) -> list[Component]:
        """Return all settings with their controls, in order."""
        self._said.append(_TITLES[self.scope])
        for name, kind in self.settings.kinds():
            if not self.settings.matters(kind):
                continue
            match kind:
                case Toggle():
                    self._add_toggle(name, kind)
                case Typed():
                    self._add_typed(name, kind)
                case OneOf() | Channels():
                    self._add_menu(name, kind)
        self._finish_menus()
        return [*self._made, *rows(self.beside)]

    def _add_toggle(self, name: str, kind: Toggle) -> None:
        value = self.settings.current(name, kind)
        line = kind.summary(value, self.context)
        if name == "rated" and self.excluded.people:
            line = lines([line, _excluded(self.excluded)])
        other = next(one for one in kind.values if one != value)
        button = SettingButton(self.scope, name, encoded(other)).component(kind.values[other][1])
        self._add_section(line, button)

    def _add_typed(self, name: str, kind: Typed) -> None:
        shown = kind.shown(self.settings)
        button = AskSettingButton(self.scope, name).component(say("Change"))
        self._add_section(kind.summary(shown, self.context), button)
        if kind.cleared is not None and shown:
            clear = SettingButton(self.scope, name, CLEARED)
            self.beside.append(clear.component(kind.cleared[0]))

    def _add_section(self, line: str, button: Component) -> None:
        self._finish_menus()
        self._made.append(section(line, button))

    def _add_menu(self, name: str, kind: OneOf | Channels) -> None:
        value = self.settings.current(name, kind)
        self._said.append(kind.summary(value, self.context))
        menu = SettingMenu(self.scope, name)
        if isinstance(kind, OneOf):
            options = [
                components.option(label, encoded(one), default=one == value)
                for one, label in kind.options(value, self.context)
            ]
            self._menus.append(menu.component(options[:_MAX_OPTIONS]))
            return
        chosen = value if isinstance(value, tuple) else [one for one in [value] if one]
        there = [one for one in chosen if not self.context.is_deleted(one)]
        if not kind.one and len(there) < len(chosen):
            self._said.append(
                say("-# Deleted channels leave the list the next time you pick channels.")
            )
        self._menus.append(
            menu.of_channels(
                placeholder=kind.placeholder,
                max_values=1 if kind.one else _MAX_CHANNELS,
                chosen=there,
                forums=not kind.one,
            )
        )
        if value:
            clear = SettingButton(self.scope, name, CLEARED)
            self._clearing.append(clear.component(kind.clear))

    def _finish_menus(self) -> None:
        """Show the lines since the last button, with the menus that change them below."""
        if self._said:
            self._made += [text_display(lines(self._said)), *map(action_row, self._menus)]
            self._made += rows(self._clearing)
        self._said, self._menus, self._clearing = [], [], []


def _excluded(excluded: ExcludedPlayers) -> str:
    named = [mention(user_id) for user_id in excluded.people]
    if excluded.more:
        named.append(plural("{n} more person", "{n} more people", excluded.more))
    return say(
        "**Barred from rated play:** {people}. `/server rated` lets them back in.",
        people=listed(named),
    )


_TITLES: Final[Mapping[Scope, str]] = {
    "server": say("### How this server plays"),
    "me": lines(
        [
            concat("### ", _HOW),
            say("-# Applies on every server, right away. Only you can see this."),
        ]
    ),
}
