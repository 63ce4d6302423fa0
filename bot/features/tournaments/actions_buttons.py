"""Buttons that act on a tournament: sign up, leave, manage, add a word to the throws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

import discord

from bot.core.errors import Refusal
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button, Confirmation, Form
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.features.tournaments import interests, text
from bot.features.tournaments.entrants import Entrants, check_in
from bot.features.tournaments.interests import Person
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.visible_views import visible
from bot.play.matches.luck import form_title, word_field
from data.tournaments.tournaments import DELETED_ROLE, State
from engine.phrase import Phrase, lines, say

Action = Literal["join", "leave", "manage", "open", "start", "pair", "adjourn", "end"]
ConfirmableAction = Literal["leave", "pair", "adjourn", "end"]

_LABELS: Final[Mapping[str, str]] = {
    "start": say("Start"),
    "resume": say("Go on"),
    "pair": say("Next round"),
    "adjourn": say("Adjourn"),
    "end": say("End it"),
    "leave": say("Leave"),
}
_CHECKS: Final[Mapping[str, Callable[[TournamentView, Person], None]]] = {
    "pair": interests.check_ends_round,
    "adjourn": interests.check_adjourns,
    "end": interests.check_ends,
}
"""Who may do what; the use cases check again."""


class TournamentButton(Button, prefix="cup"):
    """Acts on a tournament, asking first where the action can't be undone."""

    number: int
    action: Action

    async def press(self, reply: Reply) -> None:
        """Act, replying in private: the announcement updates by itself."""
        if self.action == "join":
            await reply.send(await join(reply, self.number), public=False)
        elif self.action == "manage":
            await reply.send(await manage(reply, self.number), public=False)
        elif self.action == "start":
            await reply.replace(await start(reply, self.number))
        elif self.action == "open":
            await reply.replace(await open_to_all(reply, self.number))
        else:
            layout = await question(reply, self.number, self.action)
            await reply.show_privately(layout)


class TournamentConfirmButton(Confirmation, prefix="cup-sure"):
    """Confirms or cancels an action on a tournament."""

    number: int
    action: ConfirmableAction
    stage: int
    """The tournament's stage when the question was asked: at a later one it is out of date."""

    async def proceed(self, reply: Reply) -> None:
        """Act."""
        await reply.replace(await _done(reply, self.number, self.action, self.stage))


async def join(reply: Reply, number: int) -> Layout:
    """Sign the user up and return the confirmation."""
    asked = (await visible(reply, number)).tournament
    guild = reply.interaction.client.get_guild(asked.guild_id)
    known = guild is None or guild.unavailable or guild.get_role(asked.role_id or 0) is not None
    if asked.role_id and not known:  # it was deleted while the bot was away
        await reply.get(Tournaments).lose_role(asked.guild_id, asked.role_id)
    roles = getattr(reply.interaction.user, "roles", ())
    view = await reply.get(Entrants).join(
        number, reply.guild_id, reply.user_id, {role.id for role in roles}
    )
    buttons = [TournamentButton(view.id, "leave").component(say("Leave"))]
    if view.game.has_luck:
        buttons.append(TournamentWordButton(view.id).component(say("Add a word…")))
    return text_layout(text.joined(view, reply.user_id), *buttons)


async def manage(reply: Reply, number: int) -> Layout:
    """Return the actions open to the organiser now."""
    view = await runnable(reply, number)
    return text_layout(
        lines([text.entry_line(view), say("What would you like to do?")]),
        *_choices(view, person(reply)),
    )


def _choices(view: TournamentView, by: Person) -> Iterator[Component]:
    state = view.tournament.state
    if state.open and view.tournament.role_id == DELETED_ROLE:
        yield TournamentButton(view.id, "open").component(say("Open to everyone"), style="success")
    if state is State.SIGN_UP:
        start_it = TournamentButton(view.id, "start")
        yield start_it.component(_LABELS["start"], style="success")
    if state is State.ADJOURNED:
        resume = TournamentButton(view.id, "start")
        yield resume.component(_LABELS["resume"], style="success")
    if state is State.RUNNING:
        if by.manages_server:
            yield TournamentButton(view.id, "pair").component(_LABELS["pair"])
        yield TournamentButton(view.id, "adjourn").component(_LABELS["adjourn"])
    if state.open and (by.manages_server or not view.rounds):
        yield TournamentButton(view.id, "end").component(_LABELS["end"], style="danger")


async def start(reply: Reply, number: int) -> Layout:
    """Start or resume a tournament, in this channel if its own is gone; return the confirmation.

    Raises:
        Refusal: its channel is gone, and boards can't be posted in this one.

    """
    view = await runnable(reply, number)
    interests.check_starts(view, person(reply), reply.get(Tournaments).now())
    channel = view.tournament.channel_id
    gone = reply.interaction.client.get_channel(channel) is None
    here = reply.interaction.channel
    if isinstance(here, discord.Thread):
        gone = gone and here.parent_id != channel
    if gone:
        await play.require_challenges(reply)
        if isinstance(here, discord.Thread):
            raise Refusal(say("Its channel is gone. Start it in another channel, not in a thread."))
    await reply.get(Tournaments).count_run(reply.user_id)
    new = reply.channel_id if gone else None
    view = await reply.get(Tournaments).start(number, reply.guild_id, channel_id=new)
    if view.tournament.round:
        return text_layout(say("**{tournament}** goes on.", tournament=view.tournament.name))
    return text_layout(
        say(
            "**{tournament}** has started. The pairings appear in a moment.",
            tournament=view.tournament.name,
        )
    )


async def open_to_all(reply: Reply, number: int) -> Layout:
    """Open a tournament to everyone, as its role was deleted; return the confirmation."""
    await visible(reply, number)
    view = await reply.get(Tournaments).open_to_all(number, reply.guild_id, by=person(reply))
    return text_layout(
        say("**{tournament}** is open to everyone now.", tournament=view.tournament.name)
    )


async def question(reply: Reply, number: int, action: ConfirmableAction) -> Layout:
    """Ask for confirmation."""
    if action == "leave":
        view = await visible(reply, number)
        words = say("Leave **{tournament}**?", tournament=view.tournament.name)
    else:
        view = await runnable(reply, number)
        _CHECKS[action](view, person(reply))
        words = _asks(view, action, reply.user_id)
    confirm = TournamentConfirmButton(
        confirmed=True, number=number, action=action, stage=view.stage
    )
    return confirm.question(words, _LABELS[action])


def _asks(view: TournamentView, action: ConfirmableAction, user_id: int) -> Phrase:
    name = {"tournament": view.tournament.name}
    if action == "pair" and view.tournament.verdict == "computer":
        return say(
            "End this round of **{tournament}** now? The computer judges open games, which can "
            "take a few minutes. They're unrated, and those that have hardly begun don't count.",
            **name,
        )
    if action == "pair":
        return say(
            "End this round of **{tournament}** now? Open games are drawn and unrated. Those that "
            "have hardly begun don't count.",
            **name,
        )
    if action == "adjourn":
        return say("Adjourn **{tournament}**? Open games go on, the next round waits.", **name)
    if not view.rounds:
        return say("Cancel **{tournament}**?", **name)
    if interests.took_part(view, user_id):
        return say(
            "Cancel **{tournament}**? You've played in it, so it ends without a winner. Open "
            "games go on as ordinary games.",
            **name,
        )
    return say(
        "End **{tournament}** now? The standings so far count. Open games go on as ordinary games.",
        **name,
    )


async def _done(reply: Reply, number: int, action: ConfirmableAction, stage: int) -> Layout:
    service = reply.get(Tournaments)
    if action == "leave":
        view = await reply.get(Entrants).leave(
            number, reply.guild_id, reply.user_id, asked_at=stage
        )
        return text_layout(text.left(view))
    name: dict[str, Any] = {"tournament": (await runnable(reply, number)).tournament.name}
    by = person(reply)
    if action != "end":
        await service.count_run(reply.user_id)
    if action == "pair":
        await service.pair(number, reply.guild_id, stage, by=by)
        return text_layout(say("The round of **{tournament}** ends now.", **name))
    if action == "adjourn":
        await service.adjourn(number, reply.guild_id, by=by, asked_at=stage)
        return text_layout(say("**{tournament}** is adjourned.", **name))
    await service.end(number, reply.guild_id, by=by, asked_at=stage)
    return text_layout(say("**{tournament}** has ended.", **name))


async def runnable(reply: Reply, number: int) -> TournamentView:
    """Return a tournament that this user may manage, as organiser or with Manage Server.

    Raises:
        NotAllowed: the user may not manage it.
        Refusal: there is no such tournament here.

    """
    view = await visible(reply, number)
    interests.check_runs(view, person(reply))
    return view


def person(reply: Reply) -> Person:
    """Return who acts."""
    return Person(reply.user_id, reply.interaction.permissions.manage_guild)


class TournamentWordButton(Button, prefix="cup-word"):
    """Asks for a player's word."""

    number: int

    async def press(self, reply: Reply) -> None:
        """Open the form."""
        entry = check_in(await visible(reply, self.number), reply.user_id)
        form = TournamentWordForm(self.number)
        await reply.ask(form.modal(form_title(accepts=False), word_field(entry.word)))


class TournamentWordForm(Form, prefix="cup-worded"):
    """Sets a player's word."""

    number: int

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Set the word, and say which games it goes into."""
        view, typed_word = await visible(reply, self.number), typed.get("word", "")
        word = await reply.get(Entrants).set_word(view, reply.user_id, typed_word)
        await reply.send(text_layout(text.word_set(view, word)), public=False)
