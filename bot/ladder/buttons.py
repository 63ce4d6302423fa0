"""Buttons and menus of ladders and their challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from bot.errors import Refusal
from bot.interactions.components import action_row, option, rows, text_display
from bot.interactions.controls import Button, Menu
from bot.interactions.layout import Layout, text_layout
from bot.interactions.numbers import GONE, ID
from bot.interactions.pager import Page
from bot.ladder import challenge_text, player_text, text
from bot.ladder.answering import LadderAnswers
from bot.ladder.service import Ladders
from bot.permissions.channels import require_manager
from bot.permissions.members import Members
from bot.permissions.visibility import sees_or_deleted
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.ladder.view import LadderView
    from data.ladder_challenges import LadderChallenge
    from data.ladders import Event

Action = Literal["join", "challenge", "me", "leave"]
Answer = Literal["accept", "decline", "withdraw"]
ConfirmableAction = Literal["leave", "decline", "close"]

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
        await _answer(reply, layout)


class LadderPageButton(Button, prefix="ladder-page"):
    """Shows a page of a ladder."""

    number: int
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one; from the post, reply in private."""
        await _answer(reply, await page_layout(reply, self.number, self.page))


class LadderHistoryButton(Button, prefix="ladder-past"):
    """Shows a ladder's history."""

    number: int

    async def press(self, reply: Reply) -> None:
        """Show it in private."""
        await _answer(reply, await history(reply, self.number, None))


class LadderMenu(Menu, prefix="ladder-pick"):
    """Challenges a player within reach."""

    number: int

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Challenge the player; the channel is notified by a post."""
        try:
            other = ID.read(values[0])
        except ValueError:
            raise Refusal(GONE) from None
        await reply.replace(await challenge(reply, self.number, other))


class LadderAnswerButton(Button, prefix="ladder-call"):
    """Answers or withdraws a challenge."""

    challenge: int
    action: Answer

    async def press(self, reply: Reply) -> None:
        """Act, or ask for confirmation; the challenge's post updates by itself."""
        answers = reply.get(LadderAnswers)
        if self.action == "decline":
            found = await answers.decline(
                self.challenge, reply.guild_id, reply.user_id, confirmed=False
            )
            free = await answers.passes(found)
            await _answer(
                reply, _question(challenge_text.declining(found, free=free), found.id, "decline")
            )
            return
        if self.action == "accept":
            found = await answers.accept(self.challenge, reply.guild_id, reply.user_id)
        else:
            found = await answers.withdraw(self.challenge, reply.guild_id, reply.user_id)
        await _answer(reply, await _answered(reply, found))


class LadderConfirmButton(Button, prefix="ladder-sure"):
    """Confirms or cancels an action."""

    confirmed: bool
    number: int
    """The challenge when declining, otherwise the ladder."""
    action: ConfirmableAction

    async def press(self, reply: Reply) -> None:
        """Act, or dismiss the question."""
        service = reply.get(Ladders)
        if not self.confirmed:
            await reply.replace(text_layout(say("Nothing changed.")))
        elif self.action == "decline":
            found = await reply.get(LadderAnswers).decline(
                self.number, reply.guild_id, reply.user_id, confirmed=True
            )
            await reply.replace(await _answered(reply, found))
        elif self.action == "leave":
            seen = await service.leave(self.number, reply.guild_id, reply.user_id)
            sentence = say("You've left the {game} ladder.", game=seen.title)
            await reply.replace(text_layout(sentence))
        else:
            require_manager(reply.interaction)
            seen = await service.close(self.number, reply.guild_id)
            sentence = say("The {game} ladder is closed.", game=seen.title)
            await reply.replace(text_layout(sentence))


def post_layout(seen: LadderView, last: Event | None) -> Layout:
    """Lay out a ladder's post."""
    words = text.post(seen, seen.rungs[:SHOWN], last)
    return Layout(text_display(words), *rows(list(_post_buttons(seen))))


def _post_buttons(seen: LadderView) -> Iterator[Component]:
    if seen.ladder.closed_at is None:
        yield LadderButton(seen.id, "join").component(say("Join"), style="success")
        yield LadderButton(seen.id, "challenge").component(say("Challenge"), style="primary")
        yield LadderButton(seen.id, "me").component(say("My place"))
        yield LadderButton(seen.id, "leave").component(say("Leave"))
    if len(seen.rungs) > SHOWN:
        yield LadderPageButton(seen.id, 0).component(say("Whole ladder"))


def challenge_layout(seen: LadderView, found: LadderChallenge, board: str | None) -> Layout:
    """Lay out a challenge's post, with buttons while it awaits an answer."""
    words = challenge_text.challenge(seen, found, board)
    return text_layout(words, *(answers(found) if found.waiting else ()))


def answers(found: LadderChallenge) -> Iterator[Component]:
    """Return the buttons for answering a challenge."""
    yield LadderAnswerButton(found.id, "accept").component(say("Accept"), style="success")
    yield LadderAnswerButton(found.id, "decline").component(say("Decline"))
    yield LadderAnswerButton(found.id, "withdraw").component(say("Withdraw"))


async def visible(reply: Reply, number: int) -> LadderView:
    """Return a ladder of this server that the user may see.

    Raises:
        Refusal: there is no such ladder.

    """
    seen = await reply.get(Ladders).get(number, reply.guild_id)
    if not sees_or_deleted(reply, seen.ladder.channel_id):
        raise Refusal(say("There's no such ladder on this server."))
    return seen


async def join(reply: Reply, number: int) -> Layout:
    """Add the user to a ladder and return the confirmation."""
    await visible(reply, number)
    seen = await reply.get(Ladders).join(number, reply.guild_id, reply.user_id)
    buttons = []
    if seen.order[0] != reply.user_id:
        more = LadderButton(number, "challenge").component(say("Challenge"), style="primary")
        buttons.append(more)
    return text_layout(text.joined(seen, reply.user_id), *buttons)


async def choices(reply: Reply, number: int) -> Layout:
    """Return a menu of players to challenge, with reasons for those in reach but unavailable."""
    await visible(reply, number)
    seen, found = await reply.get(Ladders).in_reach(number, reply.guild_id, reply.user_id)
    words = text_display(challenge_text.in_reach(seen, reply.user_id, found))
    members, options = reply.get(Members), []
    for one in found:
        if one.why_not is None:
            name = await members.name(seen.ladder.guild_id, one.user_id)
            label = (
                say("Place {place}", place=one.place)
                if name is None
                else say("Place {place}: {name}", place=one.place, name=name)
            )
            options.append(option(label, str(one.user_id)))
    if not options:
        return Layout(words)
    menu = LadderMenu(number).component(options, placeholder=say("Challenge someone"))
    return Layout(words, action_row(menu))


async def challenge(reply: Reply, number: int, other: int) -> Layout:
    """Challenge a player and return the confirmation."""
    await visible(reply, number)
    found = await reply.get(Ladders).challenge(number, reply.guild_id, reply.user_id, other)
    return await _answered(reply, found)


async def mine(reply: Reply, number: int) -> Layout:
    """Return the user's place, with buttons for their challenges."""
    seen = await visible(reply, number)
    found = await reply.get(Ladders).history(number, reply.guild_id, reply.user_id, most=_TOLD // 2)
    buttons: list[Component] = []
    into, out = seen.made_to(reply.user_id), seen.made_by(reply.user_id)
    if into is not None and into.waiting:
        accept, decline, _ = answers(into)
        buttons += [accept, decline]
    if out is not None and out.waiting:
        *_, withdraw = answers(out)
        buttons.append(withdraw)
    buttons.append(LadderHistoryButton(number).component(say("History")))
    return text_layout(player_text.mine(seen, found, reply.user_id), *buttons)


async def history(reply: Reply, number: int, user_id: int | None) -> Layout:
    """Return the history of a ladder or of one player."""
    await visible(reply, number)
    found = await reply.get(Ladders).history(number, reply.guild_id, user_id, most=_TOLD)
    parts = list(player_text.past(found)) or [say("Nothing has happened here yet.")]
    return text_layout(lines([text.heading(found.seen), *parts]))


async def page_layout(reply: Reply, number: int, wanted: int) -> Layout:
    """Return a page of a ladder."""
    seen = await visible(reply, number)
    page = Page.of(wanted, total=len(seen.rungs), size=SHOWN)
    words = text.post(seen, page.entries(seen.rungs), None)
    turn = page.buttons(lambda other: LadderPageButton(number, other))
    return Layout(text_display(words), *rows(turn), *rows(list(_page_buttons(seen))))


def _page_buttons(seen: LadderView) -> Iterator[Component]:
    yield from list(_post_buttons(seen))[:4]
    yield LadderHistoryButton(seen.id).component(say("History"))


async def ask_to_leave(reply: Reply, number: int) -> Layout:
    """Ask the user to confirm leaving."""
    seen = await visible(reply, number)
    if seen.of(reply.user_id) is None:
        raise Refusal(say("You're not on this ladder."))
    words = say(
        "Leave the {game} ladder? Open ladder challenges count as lost. If you come back, you "
        "start at the bottom.",
        game=seen.title,
    )
    return _question(words, number, "leave")


async def ask_to_close(reply: Reply, number: int) -> Layout:
    """Ask for confirmation before closing a ladder."""
    require_manager(reply.interaction)
    seen = await visible(reply, number)
    words = say(
        "Close the {game} ladder for good? Its places are lost. Open games go on as ordinary games.",
        game=seen.title,
    )
    return _question(words, number, "close")


def _question(words: str, number: int, action: ConfirmableAction) -> Layout:
    labels = {"leave": say("Leave"), "decline": say("Decline"), "close": say("Close it")}
    confirm = LadderConfirmButton(confirmed=True, number=number, action=action)
    cancel = LadderConfirmButton(confirmed=False, number=number, action=action)
    return text_layout(
        words,
        confirm.component(labels[action], style="danger"),
        cancel.component(say("Cancel")),
    )


async def _answered(reply: Reply, found: LadderChallenge) -> Layout:
    """Return a challenge's new state, for the player who has just acted on it."""
    seen = await reply.get(Ladders).get(found.ladder_id, reply.guild_id)
    return text_layout(challenge_text.challenge(seen, found, None))


async def _answer(reply: Reply, layout: Layout) -> None:
    """Replace a private message, or reply to a post in private."""
    if reply.pressed_is_private:
        await reply.replace(layout)
    else:
        await reply.send(layout, public=False)
