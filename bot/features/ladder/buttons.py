"""Buttons of ladders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, text_layout
from bot.core.interactions.reply import Reply
from bot.features.ladder import player_text, text
from bot.features.ladder.challenge_buttons import answers, choices
from bot.features.ladder.confirmation_buttons import ask_to_leave, show_privately, visible
from bot.features.ladder.service import Ladders
from bot.features.ladder.view import LadderView
from data.ladders.ladders import Event
from engine.phrase import lines, say

Action = Literal["join", "challenge", "me", "leave"]

SHOWN: Final = 25
"""Players shown per page."""
_TOLD: Final = 10
"""Events shown in the history."""


class LadderButton(Button, prefix="ladder"):
    """Acts on a ladder; its post updates by itself."""

    number: int
    action: Action

    async def press(self, reply: Reply) -> None:
        """Act, and reply in private."""
        if self.action == "join":
            layout = await join(reply, self.number)
        elif self.action == "challenge":
            layout = await choices(reply, self.number)
        elif self.action == "me":
            layout = await mine(reply, self.number)
        else:
            layout = await ask_to_leave(reply, self.number)
        await show_privately(reply, layout)


class LadderPageButton(Button, prefix="ladder-page"):
    """Shows a page of a ladder."""

    number: int
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one; from the post, reply in private."""
        await show_privately(reply, await page_layout(reply, self.number, self.page))


class LadderHistoryButton(Button, prefix="ladder-past"):
    """Shows a ladder's history."""

    number: int

    async def press(self, reply: Reply) -> None:
        """Show it in private."""
        await show_privately(reply, await history(reply, self.number, None))


def post_layout(view: LadderView, last: Event | None) -> Layout:
    """Lay out a ladder's post."""
    words = text.post(view, view.rungs[:SHOWN], last)
    return Layout(text_display(words), *rows(list(_post_buttons(view))))


def _post_buttons(view: LadderView) -> Iterator[Component]:
    if view.ladder.closed_at is None:
        yield LadderButton(view.id, "join").component(say("Join"), style="success")
        yield LadderButton(view.id, "challenge").component(say("Challenge"), style="primary")
        yield LadderButton(view.id, "me").component(say("My place"))
        yield LadderButton(view.id, "leave").component(say("Leave"))
    if len(view.rungs) > SHOWN:
        yield LadderPageButton(view.id, 0).component(say("Whole ladder"))


async def join(reply: Reply, number: int) -> Layout:
    """Add the user to a ladder and return the confirmation."""
    await visible(reply, number)
    view = await reply.get(Ladders).join(number, reply.guild_id, reply.user_id)
    buttons = []
    if view.order[0] != reply.user_id:
        more = LadderButton(number, "challenge").component(say("Challenge"), style="primary")
        buttons.append(more)
    return text_layout(text.joined(view, reply.user_id), *buttons)


async def mine(reply: Reply, number: int) -> Layout:
    """Return the user's place, with buttons for their challenges."""
    view = await visible(reply, number)
    history = await reply.get(Ladders).history(
        number, reply.guild_id, reply.user_id, limit=_TOLD // 2
    )
    buttons: list[Component] = []
    into, out = view.made_to(reply.user_id), view.made_by(reply.user_id)
    if into is not None and into.waiting:
        accept, decline, _ = answers(into)
        buttons += [accept, decline]
    if out is not None and (out.waiting or out.queued):
        *_, withdraw = answers(out)
        buttons.append(withdraw)
    buttons.append(LadderHistoryButton(number).component(say("History")))
    return text_layout(player_text.mine(view, history, reply.user_id), *buttons)


async def history(reply: Reply, number: int, user_id: int | None) -> Layout:
    """Return the history of a ladder or of one player."""
    await visible(reply, number)
    found = await reply.get(Ladders).history(number, reply.guild_id, user_id, limit=_TOLD)
    parts = list(player_text.past(found)) or [say("Nothing has happened here yet.")]
    return text_layout(lines([text.heading(found.view), *parts]))


async def page_layout(reply: Reply, number: int, wanted: int) -> Layout:
    """Return a page of a ladder."""
    view = await visible(reply, number)
    page = Page.of(wanted, total=len(view.rungs), size=SHOWN)
    words = text.post(view, page.entries(view.rungs), None)
    turn = page.buttons(lambda other: LadderPageButton(number, other))
    return Layout(text_display(words), *rows(turn), *rows(list(_page_buttons(view))))


def _page_buttons(view: LadderView) -> Iterator[Component]:
    yield from list(_post_buttons(view))[:4]
    yield LadderHistoryButton(view.id).component(say("History"))
