"""Where somebody is signed in to the page: listed beside their settings, and ended there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.core.errors import picked
from bot.core.i18n.mentions import timestamp
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.features.settings.commands import BackToSettingsButton, beside_my_settings, show
from bot.features.web.service import WebAccess
from data.people import web_sessions
from data.people.web_sessions import WebSession
from data.sql.transaction import Transaction
from engine.phrase import concat, lines, plural, say

_BROWSERS: Final = ("Discord", "Edg/", "OPR/", "Firefox", "Chrome", "Safari")
"""What browsers call themselves, and the page in Discord, those first that also name others."""
_KNOWN_AS: Final = {"Edg": "Edge", "OPR": "Opera"}
_SYSTEMS: Final = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""What they call systems, those first that also name others."""


class SessionsButton(Button, prefix="sessions"):
    """Lists where its presser is signed in to the page."""

    async def press(self, reply: Reply) -> None:
        """Show the list in place of their settings."""
        await _show(reply)


class SignOutMenu(Menu, prefix="signout-one"):
    """Ends one session of whoever chooses it."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """End it, and list those left."""
        await reply.get(WebAccess).end(reply.user_id, picked(values[0]))
        await _show(reply)


class SignOutButton(Button, prefix="signout"):
    """Ends all sessions of its presser on the page, and their unused links."""

    for_blocked = True

    async def press(self, reply: Reply) -> None:
        """End them."""
        await reply.get(WebAccess).end(reply.user_id)
        words = say("You're signed out of the page everywhere.")
        await reply.replace(text_layout(words, _back()))


async def _show(reply: Reply) -> None:
    """List the sessions that are left, or show the settings again if none are."""
    sessions = await reply.get(WebAccess).of_user(reply.user_id)
    if not sessions:
        await reply.replace(await show(reply, "me"))
        return
    entries = [
        concat(
            f"{number}. ",
            say(
                "{device} · since {day} · ends {end}",
                device=_device(one),
                day=timestamp(one.since, "D"),
                end=timestamp(one.expires_at, "R"),
            ),
        )
        for number, one in enumerate(sessions, 1)
    ]
    title = say("### Where you're signed in")
    about = say(
        "-# Browsers, and Discord itself, where you opened the board. Anyone who uses them "
        "can play as you."
    )
    choices = [
        option(concat(f"{number}. ", _device(one)), str(one.id))
        for number, one in enumerate(sessions, 1)
    ]
    menu = SignOutMenu().component(choices, placeholder=say("Sign out of one"))
    everywhere = SignOutButton().component(say("Sign out everywhere"), style="danger")
    await reply.replace(
        Layout(
            text_display(lines([title, about, *entries])),
            action_row(menu),
            *rows([everywhere, _back()]),
        )
    )


@beside_my_settings(order=10)
async def _signed_in(tx: Transaction, user_id: int, now: datetime) -> Component | None:
    sessions = await web_sessions.of_user(tx, user_id, now)
    if not sessions:
        return None
    number = len(sessions)
    label = plural("Signed in: {n} place", "Signed in: {n} places", number)
    return SessionsButton().component(label)


def _back() -> Component:
    return BackToSettingsButton().component(say("Back"))


def _device(session: WebSession) -> str:
    """Return a browser and its system, by the first names in what it says of itself that people know."""
    browser = next((name.strip("/") for name in _BROWSERS if name in session.device), None)
    system = next((name for name in _SYSTEMS if name in session.device), None)
    named = say("Browser") if browser is None else _KNOWN_AS.get(browser, browser)
    if system is None:
        return named
    known = {"Macintosh": "Mac", "CrOS": "ChromeOS"}.get(system, system)
    return say("{browser} on {system}", browser=named, system=known)
