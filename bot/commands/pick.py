"""Which of a player's matches a command means, when it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.matches import waits_for
from bot.refusals import NoSuchMatch, WhichMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import discord

    from bot.client import Bot
    from bot.positions import MatchView

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
                f"Match #{number} is a match of {view.game.title}: "
                f"use the commands of /{view.game.slug} for it."
            )
        return view
    views = await interaction.client.matches.of_player(interaction.user.id, game=game)
    if not views:
        raise NoSuchMatch(
            f"You have no open match of this game. Start one with `/{game} challenge`."
        )
    user = interaction.user.id
    narrowed = _narrow(views, lambda view: view.match.channel_id == interaction.channel_id)
    if my_turn:
        narrowed = _narrow(narrowed, lambda view: waits_for(view, user))
    if len(narrowed) > 1:
        numbers = ", ".join(f"#{view.match.id}" for view in narrowed)
        raise WhichMatch(f"Which match: {numbers}? Say it with the option `match`.")
    return narrowed[0]


async def visible(interaction: discord.Interaction[Bot], number: int) -> MatchView:
    """Return a match that this person may look at: one of this server, or one of their own.

    Raises:
        NoSuchMatch: there is none, or it is played by others in another server.

    """
    view = await interaction.client.matches.view(number)
    elsewhere = view.match.guild_id != interaction.guild_id
    if elsewhere and view.player_of(interaction.user.id) is None:
        raise NoSuchMatch(f"There is no match #{number} here.")
    return view


async def suggest_matches(
    interaction: discord.Interaction[Bot], game: str, typed: str
) -> list[app_commands.Choice[int]]:
    """Return a player's open matches of a game for the option ``match``."""
    views = await interaction.client.matches.of_player(interaction.user.id, game=game)
    found = []
    for view in views:
        seat = view.player_of(interaction.user.id)
        as_seat = "" if seat is None else f" as {view.seat_name(seat.seat)}"
        turn = ", your turn" if waits_for(view, interaction.user.id) else ""
        name = f"#{view.match.id}{as_seat}{turn}"
        if typed.strip().lstrip("#") in name:
            found.append(app_commands.Choice(name=name, value=view.match.id))
    return found[:_MOST_CHOICES]


def _narrow(views: Sequence[MatchView], fits: Callable[[MatchView], bool]) -> Sequence[MatchView]:
    """Return the views that fit, or all of them where none does."""
    return [view for view in views if fits(view)] or views
