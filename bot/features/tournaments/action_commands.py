"""``/tournament`` and buttons to act: sign up, leave, manage, add a word to the throws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import discord

from bot.core.errors import Refusal
from bot.core.i18n.mentions import mention
from bot.core.interactions.commands import Option, command
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button, Confirmation, Form
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.core.permissions.channels import server_of
from bot.features.tournaments import interests, text
from bot.features.tournaments.entrants import Entrants, check_in
from bot.features.tournaments.interests import Person
from bot.features.tournaments.lookup_commands import OPEN, only_open, visible
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
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
            await reply.send(await _join(reply, self.number), public=False)
        elif self.action == "manage":
            await reply.send(await _manage(reply, self.number), public=False)
        elif self.action == "start":
            await reply.replace(await _start(reply, self.number))
        elif self.action == "open":
            await reply.replace(await _open_to_all(reply, self.number))
        else:
            layout = await _question(reply, self.number, self.action)
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


async def _join(reply: Reply, number: int) -> Layout:
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


async def _manage(reply: Reply, number: int) -> Layout:
    view = await _runnable(reply, number)
    return text_layout(
        lines([text.entry_line(view), say("What would you like to do?")]),
        *_choices(view, _person(reply)),
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


async def _start(reply: Reply, number: int) -> Layout:
    """Start or resume a tournament, in this channel if its own is gone; return the confirmation.

    Raises:
        Refusal: its channel is gone, and boards can't be posted in this one.
    """
    view = await _runnable(reply, number)
    interests.check_starts(view, _person(reply), reply.get(Tournaments).clock())
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
    new = reply.place if gone else None
    await reply.get(Tournaments).start(number, reply.guild_id, channel_id=new)
    if view.tournament.round:
        return text_layout(say("**{tournament}** goes on.", tournament=view.tournament.name))
    return text_layout(
        say(
            "**{tournament}** has started. The pairings appear in a moment.",
            tournament=view.tournament.name,
        )
    )


async def _open_to_all(reply: Reply, number: int) -> Layout:
    """Open a tournament to everyone, as its role was deleted; return the confirmation."""
    view = await visible(reply, number)
    await reply.get(Tournaments).open_to_all(number, reply.guild_id, by=_person(reply))
    return text_layout(
        say("**{tournament}** is open to everyone now.", tournament=view.tournament.name)
    )


async def _question(reply: Reply, number: int, action: ConfirmableAction) -> Layout:
    if action == "leave":
        view = await visible(reply, number)
        words = text.leaving(view)
    else:
        view = await _runnable(reply, number)
        _CHECKS[action](view, _person(reply))
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
        before = await reply.get(Entrants).leave(
            number, reply.guild_id, reply.user_id, asked_at=stage
        )
        return text_layout(text.left(before))
    name: dict[str, Any] = {"tournament": (await _runnable(reply, number)).tournament.name}
    by = _person(reply)
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


async def _runnable(reply: Reply, number: int) -> TournamentView:
    """Return a tournament that this user may manage, as organiser or with Manage Server.

    Raises:
        NotAllowed: the user may not manage it.
        Refusal: there is no such tournament here.
    """
    view = await visible(reply, number)
    interests.check_runs(view, _person(reply))
    return view


def _person(reply: Reply) -> Person:
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


@command("tournament join", say("Sign up for a tournament"), server_only=True)
async def join(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Sign the user up."""
    await reply.send(await _join(reply, await only_open(reply, tournament)))


@command("tournament leave", say("Leave a tournament"), server_only=True)
async def leave(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Ask the user to confirm leaving."""
    number = tournament
    if number is None:
        mine = await reply.get(Tournaments).of_player(reply.user_id, server_of(reply.interaction))
        if not mine:
            raise Refusal(say("You're not in any tournament here."))
        number = await only_open(reply, mine[0].id if len(mine) == 1 else None)
    await reply.send(await _question(reply, number, "leave"))


@command("tournament start", say("Start a tournament, or resume one"), server_only=True)
async def start(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Start a tournament, or resume an adjourned one."""
    await reply.send(await _start(reply, await only_open(reply, tournament)))


@command("tournament pair", say("End the round and pair the next"), server_only=True)
async def pair(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Ask for confirmation before ending the round."""
    await reply.send(await _question(reply, await only_open(reply, tournament), "pair"))


@command("tournament adjourn", say("Adjourn a tournament"), server_only=True)
async def adjourn(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Ask for confirmation before adjourning."""
    await reply.send(await _question(reply, await only_open(reply, tournament), "adjourn"))


@command("tournament end", say("End or cancel a tournament"), server_only=True)
async def end(reply: Reply, tournament: Annotated[int | None, OPEN] = None) -> None:
    """Ask for confirmation before ending the tournament."""
    await reply.send(await _question(reply, await only_open(reply, tournament), "end"))


@command("tournament replace", say("Give a player's place to someone else"), server_only=True)
async def replace(
    reply: Reply,
    player: Annotated[discord.User, Option(say("Player who leaves"))],
    by: Annotated[discord.User, Option(say("Player who takes the place"))],
    tournament: Annotated[int | None, OPEN] = None,
) -> None:
    """Give an entrant's place to another player from the next round on."""
    view = await _runnable(reply, await only_open(reply, tournament))
    whom = player.id, by.id
    await reply.get(Entrants).replace(view.id, reply.guild_id, *whom, by=_person(reply))
    await reply.send(
        text_layout(
            say(
                "{new} takes {player}'s place in **{tournament}** from the next round.",
                new=mention(by.id),
                player=mention(player.id),
                tournament=view.tournament.name,
            )
        )
    )
