"""Buttons and menus of ladders and their challenges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal

from bot.core.errors import GONE, ID, Refusal
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Confirmation, Form, Menu
from bot.core.interactions.layout import Layout, Page, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import sees_or_deleted
from bot.core.requests.sending import FAILED
from bot.features.ladder import text
from bot.features.ladder.challenges import LadderChallenges
from bot.features.ladder.changes import no_such_ladder
from bot.features.ladder.rules import LadderView
from bot.features.ladder.service import Ladders, check_neutral
from bot.play.delivery.boards import Boards
from bot.play.matches.luck import form_title, word_field
from bot.play.matches.service import Matches
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Event
from engine import registry
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
        acts = {"join": join, "challenge": choices, "me": mine, "leave": ask_to_leave}
        await reply.show_privately(await acts[self.action](reply, self.number))


class LadderPageButton(Button, prefix="ladder-page"):
    """Shows a page of a ladder."""

    number: int
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one; from the post, reply in private."""
        await reply.show_privately(await page_layout(reply, self.number, self.page))


class LadderHistoryButton(Button, prefix="ladder-past"):
    """Shows a ladder's history."""

    number: int

    async def press(self, reply: Reply) -> None:
        """Show it in private."""
        await reply.show_privately(await history(reply, self.number, None))


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
    view, user_id = await visible(reply, number), reply.user_id
    past = await reply.get(Ladders).history(view, user_id, limit=_TOLD // 2)
    buttons: list[Component] = []
    into, out = view.made_to(user_id), view.made_by(user_id)
    if into is not None and into.waiting:
        buttons += answers(into)[:2]
    if out is not None and not out.playing:
        buttons += answers(out)[2:]
    buttons.append(LadderHistoryButton(number).component(say("History")))
    playing = next((one.match_id for one in (into, out) if one is not None and one.playing), None)
    board = await reply.get(Matches).link_of(playing)
    return text_layout(text.mine(view, user_id, *past, board), *buttons)


async def history(reply: Reply, number: int, user_id: int | None) -> Layout:
    """Return the history of a ladder or of one player."""
    view = await visible(reply, number)
    found = await reply.get(Ladders).history(view, user_id, limit=_TOLD)
    parts = list(text.past(*found)) or [say("Nothing has happened here yet.")]
    return text_layout(lines([text.heading(view), *parts]))


async def page_layout(reply: Reply, number: int, wanted: int) -> Layout:
    """Return a page of a ladder."""
    view = await visible(reply, number)
    page = Page.of(wanted, total=len(view.rungs), size=SHOWN)
    words = text.post(view, page.entries(view.rungs), None)
    turn = page.buttons(lambda other: LadderPageButton(number, other))
    past = LadderHistoryButton(view.id).component(say("History"))
    return Layout(text_display(words), *rows(turn), *rows([*list(_post_buttons(view))[:4], past]))


Answer = Literal["accept", "decline", "withdraw", "word"]


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
        answers = reply.get(LadderChallenges)
        this = (self.challenge, reply.guild_id, reply.user_id)
        if self.action == "word":
            word, accepts = await answers.check_word(*this)
            form = LadderWordForm(self.challenge)
            await reply.ask(form.modal(form_title(accepts=accepts), word_field(word)))
            return
        if self.action == "decline":
            challenge, free = await answers.can_decline(*this)
            layout = question(text.declining(challenge, free=free), challenge.id, "decline")
        else:
            act = answers.accept if self.action == "accept" else answers.withdraw
            await show_state(reply, await act(*this))
            return
        await reply.show_privately(layout)


class LadderWordForm(Form, prefix="ladder-word"):
    """Sets the challenger's word for the throws, or accepts with one as the challenged."""

    challenge: int

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Set the word, and accept if the challenged player typed it; the post updates by itself."""
        this = (self.challenge, reply.guild_id, reply.user_id)
        changed = await reply.get(LadderChallenges).set_word(*this, typed.get("word", ""))
        await show_state(reply, changed)


def challenge_layout(view: LadderView, challenge: LadderChallenge, board: str | None) -> Layout:
    """Lay out a challenge's post, with buttons while it awaits an answer."""
    buttons = answers(challenge) if challenge.waiting else []
    if challenge.waiting and registry.game(view.ladder.game).has_luck:
        buttons.append(LadderAnswerButton(challenge.id, "word").component(say("Add a word…")))
    return text_layout(text.challenge(view, challenge, board), *buttons)


def answers(challenge: LadderChallenge) -> list[Component]:
    """Return the buttons for answering a challenge: accept, decline, withdraw."""
    return [
        LadderAnswerButton(challenge.id, "accept").component(say("Accept"), style="success"),
        LadderAnswerButton(challenge.id, "decline").component(say("Decline")),
        LadderAnswerButton(challenge.id, "withdraw").component(say("Withdraw")),
    ]


async def choices(reply: Reply, number: int) -> Layout:
    """Return a menu of players to challenge, with reasons for those in reach but unavailable."""
    await visible(reply, number)
    view, players = await reply.get(LadderChallenges).in_reach(
        number, reply.guild_id, reply.user_id
    )
    words = text_display(text.in_reach(view, reply.user_id, players))
    free = [user_id for user_id, obstacle in players.items() if obstacle is None]
    names, options = await reply.get(Members).names(view.ladder.guild_id, free), []
    for user_id in free:
        place, name = view.place(user_id), names.get(user_id)
        label = say("Place {place}", place=place)
        if name is not None:
            label = say("Place {place}: {name}", place=place, name=name)
        options.append(option(label, str(user_id)))
    if not options:
        return Layout(words)
    menu = LadderMenu(number).component(options, placeholder=say("Challenge someone"))
    return Layout(words, action_row(menu))


async def challenge(reply: Reply, number: int, other: int) -> Layout:
    """Challenge a player and return the confirmation; the challenge itself is a post."""
    await visible(reply, number)
    found = await reply.get(LadderChallenges).challenge(
        number, reply.guild_id, reply.user_id, other
    )
    if found.waiting:
        return text_layout(text.sent(found))
    return await state_of(reply, found)


ConfirmableAction = Literal["leave", "decline", "close"]


class LadderConfirmButton(Confirmation, prefix="ladder-sure"):
    """Confirms or cancels an action."""

    number: int
    """The challenge when declining, otherwise the ladder."""
    action: ConfirmableAction

    async def proceed(self, reply: Reply) -> None:
        """Act."""
        service, this = reply.get(Ladders), (self.number, reply.guild_id)
        if self.action == "decline":
            challenge = await reply.get(LadderChallenges).decline(*this, reply.user_id)
            layout = await state_of(reply, challenge)
        elif self.action == "leave":
            view = await service.leave(*this, reply.user_id)
            layout = text_layout(say("You've left the {game} ladder.", game=view.title))
        else:
            require_manager(reply.interaction)
            view = await service.close(*this, by=reply.user_id)
            layout = text_layout(say("The {game} ladder is closed.", game=view.title))
        await reply.replace(layout)


async def ask_to_leave(reply: Reply, number: int) -> Layout:
    """Ask the user to confirm leaving."""
    view = await visible(reply, number)
    if view.of(reply.user_id) is None:
        raise Refusal(text.NOT_ON_IT)
    words = say(
        "Leave the {game} ladder? Open ladder challenges count as lost. If you come back, you "
        "start at the bottom.",
        game=view.title,
    )
    return question(words, number, "leave")


async def ask_to_close(reply: Reply, number: int) -> Layout:
    """Ask for confirmation before closing a ladder."""
    require_manager(reply.interaction)
    view = await visible(reply, number)
    check_neutral(view, reply.user_id)
    words = say(
        "Close the {game} ladder for good? Its places are lost. Open games go on as ordinary games.",
        game=view.title,
    )
    return question(words, number, "close")


def question(words: str, number: int, action: ConfirmableAction) -> Layout:
    """Return a question, with buttons to confirm an action and to cancel it."""
    labels = {"leave": say("Leave"), "decline": say("Decline"), "close": say("Close it")}
    confirm = LadderConfirmButton(confirmed=True, number=number, action=action)
    return confirm.question(words, labels[action])


async def visible(reply: Reply, number: int) -> LadderView:
    """Return a ladder of this server that the user may see; raise Refusal if there is none."""
    view = await reply.get(Ladders).get(number, reply.guild_id)
    if not sees_or_deleted(reply, view.ladder.channel_id):
        raise no_such_ladder()
    return view


async def show_state(reply: Reply, challenge: LadderChallenge) -> None:
    """Show a challenge's new state to the player who has just acted on it.

    If its match has begun, its board follows, and the answer links to it.
    """
    sent: list[int | None] = []

    async def answer() -> None:
        sent.append(await reply.show_privately(await state_of(reply, challenge)))

    if challenge.match_id is None:
        await answer()
        return
    await reply.get(Boards).show(challenge.match_id, via=reply, answer=answer())
    board = await reply.get(Matches).link_of(challenge.match_id)
    if board is not None:
        with suppress(*FAILED):
            linked = await state_of(reply, challenge, board)
            await reply.change_shown(sent[0], linked)


async def state_of(reply: Reply, challenge: LadderChallenge, board: str | None = None) -> Layout:
    """Return a challenge's new state, with a link to its board once there is one."""
    view = await reply.get(Ladders).get(challenge.ladder_id, reply.guild_id)
    return text_layout(text.challenge(view, challenge, board))
