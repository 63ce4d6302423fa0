"""``/match move``: continues a match in the channel where the command is used."""

from __future__ import annotations

from typing import Annotated

import discord

from bot.core.computers import is_person
from bot.core.errors import MatchOver, NotAllowed, NotForYou
from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.commands import Option, Suggestions, command
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.play.controls.lookup import by_number, visible
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.places import Places
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.matches.stand_ins import playing
from engine.phrase import say
from engine.registry import AnyGame


async def _matches_here(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest a player's open matches on this server."""
    found = await reply.get(Matches).of_player(reply.user_id, guild_id=reply.guild_id)
    return by_number(found, typed)


@command("match move", say("Move a match to this channel"))
async def relocate(
    reply: Reply,
    number: Annotated[int, Option(say("Match number"), suggest=_matches_here)],
) -> None:
    """Move a match to this channel."""
    await play.require_games(
        reply,
        lambda channels: say(
            "On this server, games are played in {channels}. Move the match there.",
            channels=channels,
        ),
    )
    async with reply.get(Deliverer).alone(number):
        view = await visible(reply, number)
        _check(reply, view)
        await _check_others(reply, view)
        await reply.get(Places).move(view, reply.channel_id, words="by", by=reply.user_id)
    words = say("Match #{number} goes on in this channel.", number=number)
    await reply.send(text_layout(words))


def _check(reply: Reply, view: MatchView) -> None:
    match, number = view.match, view.match.id
    player = view.player_of(reply.user_id)
    if player is None:
        names = mention_all(p.user_id for p in match.players)
        raise NotForYou(
            say(
                "Only {players} can move match #{number}.",
                number=number,
                players=names,
            )
        )
    if match.guild_id is None or match.guild_id != reply.guild_id:
        raise NotAllowed(
            say(
                "Match #{number} belongs to another server. It can only move to a channel there.",
                number=number,
            )
        )
    if view.to_move is None:
        raise MatchOver(say("Match #{number} is already over.", number=number), match_id=number)
    if reply.channel_id in {match.channel_id, match.parent_id}:
        raise NotAllowed(
            say(
                "Match #{number} is already here: {place}.",
                number=number,
                place=f"<#{match.channel_id}>",
            )
        )


async def _check_others(reply: Reply, view: MatchView) -> None:
    """Refuse a channel another player cannot see; ignore players who have left the server."""
    channel, guild = reply.interaction.channel, reply.interaction.guild
    if isinstance(channel, discord.Thread):
        if channel.is_private():
            raise NotAllowed(say("This thread is private. Pick one that all players can see."))
        channel = channel.parent
    if guild is None or not isinstance(channel, discord.abc.GuildChannel):
        return
    for player in playing(view.match):
        if not is_person(player.user_id) or player.user_id == reply.user_id:
            continue
        try:
            member = await guild.fetch_member(player.user_id)
        except discord.NotFound:
            continue
        if not channel.permissions_for(member).view_channel:
            raise NotAllowed(
                say(
                    "{player} can't see this channel. Move the match where you both can.",
                    player=mention(player.user_id),
                )
            )
