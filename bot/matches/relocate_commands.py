"""``/match move``: lets a match go on in the channel where the command is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import MatchOver, NoSuchMatch, NotAllowed, NotForYou, NotHere
from bot.i18n.mentions import all_of, who
from bot.interactions import layouts
from bot.interactions.commands import run
from bot.matches.computers import is_person
from bot.permissions.channels import require_boards
from engine.phrase import listed, say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView

_MOST_CHOICES = 25


def move_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(number=say("The number of the match"))
    async def move(interaction: discord.Interaction[Bot], number: int) -> None:
        async def work(answer: Reply) -> None:
            client, user = interaction.client, interaction.user.id
            await _require_place(interaction)
            async with client.courier.alone(number):
                view = await client.matches.view(number)
                _check(interaction, view)
                await _check_others(interaction, view)
                channel = interaction.channel_id
                assert channel is not None
                await client.places.move(view, channel, words="by", by=user)
            words = say("Match #{number} goes on in this channel.", number=number)
            try:
                await answer.tell(layouts.text(words))
            finally:
                client.table.deliver(answer, number)

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="move", description=say("Go on with a match in this channel"), callback=move
    )

    @made.autocomplete("number")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: int | str
    ) -> list[app_commands.Choice[int]]:
        views = await interaction.client.matches.of_player(
            interaction.user.id, guild_id=interaction.guild_id
        )
        named = [(f"#{view.match.id} {view.game.title}", view.match.id) for view in views]
        return [
            app_commands.Choice(name=name, value=number)
            for name, number in named
            if str(typed).strip().lstrip("#") in name
        ][:_MOST_CHOICES]

    return made


async def _require_place(interaction: discord.Interaction[Bot]) -> None:
    """Refuse channels that the server wants no matches in, or where the bot cannot show boards."""
    require_boards(interaction)
    wanted = (await interaction.client.choices.server(interaction.guild_id)).channels
    here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    if wanted and not here & set(wanted):
        raise NotHere(
            say(
                "This server has its games elsewhere: move the match to {channels}.",
                channels=listed((f"<#{one}>" for one in wanted), either=True),
            )
        )


def _check(interaction: discord.Interaction[Bot], view: MatchView) -> None:
    match, number = view.match, view.match.id
    player = view.player_of(interaction.user.id)
    if match.guild_id is None or match.guild_id != interaction.guild_id:
        if player is None:
            raise NoSuchMatch(say("There is no match #{number} here.", number=number))
        raise NotAllowed(
            say(
                "Match #{number} belongs to another server: it can go on in any channel there.",
                number=number,
            )
        )
    if player is None:
        names = all_of(p.user_id for p in match.players)
        raise NotForYou(
            say(
                "Only its players can move match #{number}: {players}.",
                number=number,
                players=names,
            )
        )
    if view.to_move is None:
        raise MatchOver(say("Match #{number} is over already.", number=number), match_id=number)
    if interaction.channel_id in {match.channel_id, match.parent_id}:
        raise NotAllowed(
            say(
                "Match #{number} is played here already: {place}.",
                number=number,
                place=f"<#{match.channel_id}>",
            )
        )


async def _check_others(interaction: discord.Interaction[Bot], view: MatchView) -> None:
    """Refuse a channel that another player cannot see. Who has left the server is not asked."""
    channel, guild = interaction.channel, interaction.guild
    if isinstance(channel, discord.Thread):
        if channel.is_private():
            raise NotAllowed(
                say("This thread is private: move the match to one that all its players can see.")
            )
        channel = channel.parent
    if guild is None or not isinstance(channel, discord.abc.GuildChannel):
        return
    for player in view.match.players:
        if not is_person(player.user_id) or player.user_id == interaction.user.id:
            continue
        try:
            member = await guild.fetch_member(player.user_id)
        except discord.NotFound:
            continue
        if not channel.permissions_for(member).view_channel:
            raise NotAllowed(
                say(
                    "{player} cannot see this channel. Move the match where you both can.",
                    player=who(player.user_id),
                )
            )
