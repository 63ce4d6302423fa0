"""``/me settings``, ``/server settings`` and ``/privacy``, with its two questions before data is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from bot.core.errors import GONE, Refusal
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention
from bot.core.interactions import components
from bot.core.interactions.commands import command, group
from bot.core.interactions.components import Component, Style, action_row, rows, text_display
from bot.core.interactions.controls import Button, Form, Menu
from bot.core.interactions.layout import Layout, saved, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
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
from data.store.store import Store
from engine.phrase import lines, listed, plural, say

group("me", say("How you like to play"))
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
        parts.append(plural("{n} match was given up.", "{n} matches were given up.", number))
    if number := len(erased.challenges):
        parts.append(plural("{n} challenge was closed.", "{n} challenges were closed.", number))
    parts.append(say("If you play again, you'll start from scratch."))
    await reply.replace(text_layout(lines(parts, " ")))


Scope = Literal["server", "me"]

_DECLARED: Final[Mapping[Scope, type[Declared]]] = {"server": ServerSettings, "me": PlayerSettings}
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
    body = lines(_summary(scope, settings, context, excluded))
    return Layout(text_display(body), *_controls(scope, settings, context))


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


def _summary(
    scope: Scope, settings: Declared, context: Context, excluded: ExcludedPlayers
) -> Iterator[str]:
    yield _TITLES[scope]
    gone = False
    for name, kind in settings.kinds():
        if isinstance(kind, Typed):
            yield kind.summary(kind.shown(settings), context)
            continue
        value = settings.current(name, kind)
        yield kind.summary(value, context)
        if isinstance(kind, Channels) and kind.max_channels > 1:
            gone |= any(map(context.is_deleted, value))
        if name == "rated" and excluded.people:
            yield _excluded(excluded)
    if gone:
        yield say("-# Deleted channels leave the list the next time you pick channels.")


def _controls(scope: Scope, settings: Declared, context: Context) -> list[Component]:
    """Return the controls in rows: channels first, as the most used; form buttons separately."""
    channels: list[Component] = []
    menus: list[Component] = []
    toggles: list[Component] = []
    clearing: list[Component] = []
    forms: list[Component] = []
    for name, kind in settings.kinds():
        value = settings.current(name, kind)
        menu = SettingMenu(scope, name)
        clear = SettingButton(scope, name, CLEARED)
        match kind:
            case Toggle():
                other = next(one for one in kind.values if one != value)
                style: Style = "success" if kind.shows_state and value else "secondary"
                button = SettingButton(scope, name, encoded(other))
                toggles.append(button.component(kind.values[other][1], style=style))
            case OneOf():
                options = [
                    components.option(label, encoded(one), default=one == value)
                    for one, label in kind.options(value, context)
                ]
                menus.append(menu.component(options[:_MAX_OPTIONS]))
            case Channels():
                chosen = value if isinstance(value, tuple) else filter(None, [value])
                channels.append(
                    menu.of_channels(
                        placeholder=kind.placeholder,
                        max_values=kind.max_channels,
                        chosen=[one for one in chosen if not context.is_deleted(one)],
                        forums=kind.forums,
                    )
                )
                if value:
                    clearing.append(clear.component(kind.clear))
            case Typed():
                forms.append(AskSettingButton(scope, name).component(kind.label))
                if kind.cleared is not None and kind.shown(settings):
                    forms.append(clear.component(kind.cleared[0]))
    return [*map(action_row, [*channels, *menus]), *rows([*toggles, *clearing]), *rows(forms)]


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
            say("### How you like to play"),
            say("-# Applies on every server, right away. Only you can see this."),
        ]
    ),
}
