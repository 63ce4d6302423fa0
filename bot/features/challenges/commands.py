"""``challenge``, ``seek`` and ``withdraw``, and the list of challenges a player could accept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.core import move_times
from bot.core.errors import ChallengeGone, Refusal
from bot.core.interactions.commands import (
    Option,
    Parameter,
    command,
    game_command,
    game_parameters,
    options_in,
    seat_in,
    word_in,
)
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, text_layout
from bot.core.interactions.reply import Reply
from bot.core.move_times import MAX_DAYS
from bot.core.permissions import play, visibility
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.buttons import ChallengeButton, ChallengeMessages, entries, invitation
from bot.features.challenges.service import Challenges
from bot.play.matches import time_controls
from data import time_per_move
from engine import registry
from engine.phrase import concat, lines, plural, say
from engine.registry import AnyGame

_OPPONENT: Final = "opponent"


def _parameters(game: AnyGame) -> list[Parameter]:
    """Return the command's options: an opponent for each other seat, and those of the game."""
    opponent = Option(say("Opponent (leave empty for an open challenge)"))
    names = [_OPPONENT, *(f"{_OPPONENT}{number}" for number in range(2, game.players[-1]))]
    time = say("Time per move (server default if empty)")
    bank = say("Time bank instead: days at the start, and each move adds one")
    casual = say("Unrated game (rated if empty)")
    players = say("Number of players (seats without a name are open to anyone)")
    return [
        *(Parameter(name, discord.User, opponent) for name in names),
        Parameter("time", str, Option(time, choices=move_times.choices())),
        Parameter("bank", int, Option(bank, minimum=1, maximum=MAX_DAYS)),
        Parameter("casual", bool, Option(casual)),
        *game_parameters(game, players),
    ]


@game_command(
    "challenge",
    lambda game: say("Challenge someone to {game}", game=game.title),
    public=True,
    parameters=_parameters,
)
async def challenge(reply: Reply, game: AnyGame, **given: Any) -> None:
    """Post a challenge, to named opponents or to anyone."""
    opponents = [one for name, one in given.items() if name.startswith(_OPPONENT) and one]
    if any(one.id == reply.interaction.application_id for one in opponents):
        raise challenges_text.myself(game.slug)
    await play.require_challenges(reply)
    for opponent in opponents:
        play.require_opponent(reply, opponent)
    server = await reply.get(SettingsStore).server(reply.guild_id)
    asked = move_times.read(given["time"]) if given["time"] else None
    time = time_controls.chosen(server, asked, given["bank"])
    offered = await reply.get(Challenges).offer(
        replace(
            invitation(reply, game, options_in(game, given), seat_in(game, given), word_in(given)),
            opponents=tuple(opponent.id for opponent in opponents),
            places=given.get("players"),
            bank=time.bank,
            unrated=given["casual"] or False,
            **time_per_move.columns(time.per_move),
        )
    )
    await reply.get(ChallengeMessages).post(reply, offered)


@command("seek", say("Open challenges on this server, all games"), server_only=True)
async def seek_all(reply: Reply) -> None:
    """List the open challenges of all games."""
    await reply.send(await layout(reply, None))


@game_command("seek", lambda game: say("Open {game} challenges on this server", game=game.title))
async def seek(reply: Reply, game: AnyGame) -> None:
    """List the open challenges of one game."""
    await reply.send(await layout(reply, game.slug))


@game_command("withdraw", say("Withdraw a challenge"))
async def withdraw(reply: Reply, game: AnyGame) -> None:
    """Withdraw the player's only challenge, or ask which one."""
    challenges, messages = reply.get(Challenges), reply.get(ChallengeMessages)
    mine = await reply.get(Challenges).made_by(reply.user_id, game=game.slug)
    if not mine:
        raise ChallengeGone(say("You have no open {title} challenge.", title=game.title))
    if len(mine) == 1:
        closed = await challenges.withdraw(mine[0].id, reply.user_id)
        try:
            await reply.send(await messages.message(closed))
        finally:
            await challenges.shown(closed, in_place=False)
        return
    numbered = list(enumerate(mine, 1))
    buttons = [
        ChallengeButton(one.id, "withdraw").labelled(say("Withdraw {number}", number=number))
        for number, one in numbered
    ]
    question = lines([say("Which challenge?"), *await entries(reply, numbered)])
    await reply.send(text_layout(question, *buttons))


PER_PAGE: Final = 5


class OpenChallengesButton(Button, prefix="seek"):
    """Turns to a page of the list."""

    game: str | None
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page of the current list in place of the previous one."""
        await reply.replace(await layout(reply, self.game, self.page))


async def layout(reply: Reply, game: str | None, wanted: int = 0) -> Layout:
    """Return a page of the challenges a player could accept, in one game or all."""
    if reply.guild_id is None:
        raise Refusal(say("Open challenges live on servers. Look for them on one."))
    challenges = reply.get(Challenges)
    readable = partial(visibility.readable, reply)
    listed = await challenges.open_to(reply.user_id, reply.guild_id, readable, game=game)
    mine = await challenges.made_by(reply.user_id, game=game)
    own = [_own(len(mine), game)] if mine else []
    if not listed:
        return text_layout(lines([_nothing(game), *own]))
    page = Page.of(wanted, total=len(listed), size=PER_PAGE)
    shown = page.numbered(listed)
    buttons = [
        ChallengeButton(one.id, "accept").labelled(say("Accept {number}", number=number))
        for number, one in shown
    ]
    return text_layout(
        lines([concat("### ", say("Who wants to play?")), *await entries(reply, shown), *own]),
        *buttons,
        *page.buttons(partial(OpenChallengesButton, game)),
    )


def _nothing(game: str | None) -> str:
    if game is not None:
        return say(
            "Nobody here is looking for a {title} opponent. Start an open challenge "
            "with `/{game} challenge`.",
            title=registry.title(game),
            game=game,
        )
    return say("Nobody here is looking for an opponent. Start an open challenge with `/play`.")


def _own(number: int, game: str | None) -> str:
    """Return a reminder of the reader's own challenges, which are not listed."""
    sentence = plural("One open challenge is yours.", "{n} open challenges are yours.", number)
    if game is not None:
        sentence = plural(
            "One open challenge is yours. Take it back with `/{game} withdraw`.",
            "{n} open challenges are yours. Take them back with `/{game} withdraw`.",
            number,
            game=game,
        )
    return concat("-# ", sentence)
