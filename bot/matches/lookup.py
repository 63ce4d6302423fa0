"""Which of a player's matches a command means, when it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.delivery.interaction_transport import home_of
from bot.errors import NoSuchMatch, WhichMatch
from bot.i18n.slash import slash
from bot.matches.turns import waits_for
from engine.phrase import say, shortened, translated, word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.client import Bot
    from bot.matches.positions import MatchView
    from data.matches import Match

WHICH = say("The number of the match, if you play several")
"""What is said of an option that names one of the matches of a game."""

_MOST_CHOICES = 25


async def pick(
    interaction: discord.Interaction[Bot],
    game: str,
    number: int | None,
    *,
    my_turn: bool = False,
) -> MatchView:
    """Return the match that a command is about.

    Args:
        interaction: who asks, and where.
        game: the game whose command it is.
        number: the number of the match, where it was said.
        my_turn: whether matches that wait for this player are meant first.

    Raises:
        NoSuchMatch: none fits, or it is played by others in another server.
        WhichMatch: several fit; it tells how to say which.

    """
    if number is not None:
        view = await visible(interaction, number)
        if view.game.slug != game:
            raise NoSuchMatch(
                say(
                    "Match #{number} is a match of {game}: use the commands of {command} for it.",
                    number=number,
                    game=view.game.title,
                    command=slash(view.game.slug),
                )
            )
        return view
    views = await interaction.client.matches.of_player(interaction.user.id, game=game)
    if not views:
        raise NoSuchMatch(
            say(
                "You have no open match of this game. Start one with `{command}`.",
                command=slash(game, "challenge"),
            )
        )
    user = interaction.user.id
    narrowed = _narrow(views, lambda view: view.match.channel_id == interaction.channel_id)
    if my_turn:
        narrowed = _narrow(narrowed, lambda view: waits_for(view, user))
    if len(narrowed) > 1:
        numbers = ", ".join(f"#{view.match.id}" for view in narrowed)
        raise WhichMatch(
            say(
                "Which match: {numbers}? Say it with the option `{option}`.",
                numbers=numbers,
                option=word("option", "match"),
            )
        )
    return narrowed[0]


async def visible(interaction: discord.Interaction[Bot], number: int) -> MatchView:
    """Return a match that this person may look at: one of this server, or one of their own.

    Raises:
        NoSuchMatch: there is none, or it is played by others in another server, or in a channel
            that this person cannot see.

    """
    view = await interaction.client.matches.view(number)
    match = view.match
    if match.guild_id is None:
        elsewhere = match.channel_id != interaction.channel_id
    else:
        elsewhere = match.guild_id != interaction.guild_id or _hidden(interaction, match)
    if elsewhere and view.player_of(interaction.user.id) is None:
        raise NoSuchMatch(say("There is no match #{number} here.", number=number))
    return view


def _hidden(interaction: discord.Interaction[Bot], match: Match) -> bool:
    """Return whether a match is played in a channel of this server that a person cannot see.

    What was played in a channel that is no more hides from nobody.
    """
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    channel = guild.get_channel_or_thread(match.parent_id or match.channel_id)
    return channel is not None and not channel.permissions_for(member).view_channel


async def suggest_matches(
    interaction: discord.Interaction[Bot], game: str, typed: str
) -> list[app_commands.Choice[int]]:
    """Return a player's open matches of a game for the option ``match``."""
    views = await interaction.client.matches.of_player(interaction.user.id, game=game)
    tongue = await interaction.client.tongues.of_answer(interaction, public=False)
    found = []
    for view in views:
        name = shortened(translated(_entry(view, interaction.user.id), tongue), 100)
        if typed.strip().lstrip("#") in name:
            found.append(app_commands.Choice(name=name, value=view.match.id))
    return found[:_MOST_CHOICES]


async def suggest_names(
    interaction: discord.Interaction[Bot], typed: str, *, over: bool = False
) -> list[app_commands.Choice[str]]:
    """Return a player's own matches, the newest first, and the records that they brought along.

    Args:
        interaction: who asks, and where.
        typed: what they have typed already.
        over: whether only those are meant that have ended.

    """
    client, user = interaction.client, interaction.user.id
    wanted = typed.strip().lstrip("#").lower()
    return [
        app_commands.Choice(name=shortened(label, 100), value=name)
        for name, label in await client.exchange.names(user, home_of(interaction), over=over)
        if wanted in name or wanted in label.lower()
    ][:_MOST_CHOICES]


def _entry(view: MatchView, user_id: int) -> str:
    number, player = view.match.id, view.player_of(user_id)
    if player is None:
        return f"#{number}"
    seat = view.seat_name(player.seat)
    if waits_for(view, user_id):
        return say("#{number} as {seat}, your turn", number=number, seat=seat)
    return say("#{number} as {seat}", number=number, seat=seat)


def _narrow(views: Sequence[MatchView], fits: Callable[[MatchView], bool]) -> Sequence[MatchView]:
    """Return the views that fit, or all of them where none does."""
    return [view for view in views if fits(view)] or views
