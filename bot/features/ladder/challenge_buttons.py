"""Buttons and menus of challenges on ladders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bot.core.errors import Refusal
from bot.core.interactions.components import Component, action_row, option, text_display
from bot.core.interactions.controls import Button, Form, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import GONE, ID
from bot.core.permissions.members import Members
from bot.features.ladder import challenge_text
from bot.features.ladder.answering import LadderAnswers
from bot.features.ladder.confirmation_buttons import question, show_privately, state_of, visible
from bot.features.ladder.service import Ladders
from bot.features.ladder.view import LadderView
from bot.play.matches.luck import form_title, word_field
from data.ladders.ladder_challenges import LadderChallenge
from engine import registry
from engine.phrase import say

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
        answers = reply.get(LadderAnswers)
        if self.action == "word":
            await reply.ask(await _form(reply, self.challenge))
            return
        if self.action == "decline":
            challenge = await answers.decline(
                self.challenge, reply.guild_id, reply.user_id, confirmed=False
            )
            free = await answers.passes(challenge)
            await show_privately(
                reply,
                question(challenge_text.declining(challenge, free=free), challenge.id, "decline"),
            )
            return
        if self.action == "accept":
            challenge = await answers.accept(self.challenge, reply.guild_id, reply.user_id)
        else:
            challenge = await answers.withdraw(self.challenge, reply.guild_id, reply.user_id)
        await show_privately(reply, await state_of(reply, challenge))


class LadderWordForm(Form, prefix="ladder-word"):
    """Sets the challenger's word for the throws, or accepts with one as the challenged."""

    challenge: int

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Set the word, and accept if the challenged player typed it; the post updates by itself."""
        answers = reply.get(LadderAnswers)
        challenge = await answers.set_word(
            self.challenge, reply.guild_id, reply.user_id, typed.get("word", "")
        )
        await show_privately(reply, await state_of(reply, challenge))


async def _form(reply: Reply, number: int) -> Component:
    answers = reply.get(LadderAnswers)
    word, accepts = await answers.check_word(number, reply.guild_id, reply.user_id)
    form = LadderWordForm(number)
    return form.modal(form_title(accepts=accepts), word_field(word))


def challenge_layout(view: LadderView, challenge: LadderChallenge, board: str | None) -> Layout:
    """Lay out a challenge's post, with buttons while it awaits an answer."""
    words = challenge_text.challenge(view, challenge, board)
    return text_layout(words, *(_buttons(view, challenge) if challenge.waiting else ()))


def _buttons(view: LadderView, challenge: LadderChallenge) -> Iterator[Component]:
    yield from answers(challenge)
    if registry.game(view.ladder.game).has_luck:
        yield LadderAnswerButton(challenge.id, "word").component(say("Add a word…"))


def answers(challenge: LadderChallenge) -> Iterator[Component]:
    """Return the buttons for answering a challenge."""
    yield LadderAnswerButton(challenge.id, "accept").component(say("Accept"), style="success")
    yield LadderAnswerButton(challenge.id, "decline").component(say("Decline"))
    yield LadderAnswerButton(challenge.id, "withdraw").component(say("Withdraw"))


async def choices(reply: Reply, number: int) -> Layout:
    """Return a menu of players to challenge, with reasons for those in reach but unavailable."""
    await visible(reply, number)
    view, players = await reply.get(Ladders).in_reach(number, reply.guild_id, reply.user_id)
    words = text_display(challenge_text.in_reach(view, reply.user_id, players))
    members, options = reply.get(Members), []
    for one in players:
        if one.obstacle is None:
            name = await members.name(view.ladder.guild_id, one.user_id)
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
    return await state_of(reply, found)
