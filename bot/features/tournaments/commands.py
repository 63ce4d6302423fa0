"""``/tournament``: entering, looking up and running tournaments."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import discord

from bot.core.errors import Refusal
from bot.core.i18n.mentions import mention
from bot.core.interactions.commands import Option, Suggestions, command, group
from bot.core.interactions.components import attached_file, text_display
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.visibility import sees_or_deleted
from bot.features.tournaments import actions_buttons, pages_buttons, trf_writing
from bot.features.tournaments.entrants import Entrants
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.visible_views import server_of, showing
from engine.phrase import say
from engine.registry import AnyGame

group("tournament", say("Tournaments on this server"))


async def _open(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest this server's open tournaments."""
    return await _suggested(reply, typed, open_only=True)


async def _all(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest all of this server's tournaments."""
    return await _suggested(reply, typed, open_only=False)


async def _suggested(reply: Reply, typed: str, *, open_only: bool) -> Suggestions:
    if reply.guild_id is None:
        return []
    tournaments = await reply.get(Tournaments).of_server(reply.guild_id, open_only=open_only)
    named = [
        (f"#{one.id} {one.name}", one.id)
        for one in tournaments
        if sees_or_deleted(reply, one.channel_id)
    ]
    wanted = typed.strip().lower()
    return [(name, number) for name, number in named if wanted in name.lower()]


_OPEN: Final = Option(say("Tournament (the only open one if empty)"), suggest=_open)
_ANY: Final = Option(say("Tournament (the newest if empty)"), suggest=_all)


@command("tournament join", say("Sign up for a tournament"), server_only=True)
async def join(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Sign the user up."""
    await reply.send(await actions_buttons.join(reply, await _which(reply, tournament)))


@command("tournament leave", say("Leave a tournament"), server_only=True)
async def leave(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask the user to confirm leaving."""
    number = tournament
    if number is None:
        mine = await reply.get(Tournaments).of_player(reply.user_id, server_of(reply))
        if not mine:
            raise Refusal(say("You're not in any tournament here."))
        number = await _which(reply, mine[0].id if len(mine) == 1 else None)
    await reply.send(await actions_buttons.question(reply, number, "leave"))


@command("tournament list", say("Tournaments on this server"), server_only=True)
async def list_(reply: Reply) -> None:
    """List this server's tournaments, newest first."""
    await reply.send(await pages_buttons.list_layout(reply, 0))


@command("tournament standings", say("Show the standings of a tournament"), server_only=True)
async def standings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the standings, with the reason for each place."""
    number = await _newest(reply, tournament)
    await _send_page(reply, number, "standings")


@command("tournament games", say("Show your games in a tournament"), server_only=True)
async def games(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the reader's rounds."""
    number = await _newest(reply, tournament)
    await _send_page(reply, number, "games")


@command("tournament pairings", say("Show the pairings of the current round"), server_only=True)
async def pairings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the current pairings."""
    number = await _newest(reply, tournament)
    await _send_page(reply, number, "pairings")


@command("tournament export", say("Get a tournament as a file"), server_only=True)
async def export(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Send a tournament as a record file, plus a FIDE report where the format allows it."""
    async with showing(reply, await _newest(reply, tournament)) as view:
        found = await asyncio.to_thread(trf_writing.files, view)
    words = say(
        "**{tournament}** as a file. Once it's over, the file has the seed, so anyone can check "
        "the pairings.",
        tournament=view.tournament.name,
    )
    layout = Layout(text_display(words), *map(attached_file, found))
    await reply.send(layout, files=[Upload(name, content) for name, content in found.items()])


@command("tournament start", say("Start a tournament, or resume one"), server_only=True)
async def start(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Start a tournament, or resume an adjourned one."""
    await reply.send(await actions_buttons.start(reply, await _which(reply, tournament)))


@command("tournament pair", say("End the round and pair the next"), server_only=True)
async def pair(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask for confirmation before ending the round."""
    number = await _which(reply, tournament)
    await reply.send(await actions_buttons.question(reply, number, "pair"))


@command("tournament adjourn", say("Adjourn a tournament"), server_only=True)
async def adjourn(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask for confirmation before adjourning."""
    number = await _which(reply, tournament)
    await reply.send(await actions_buttons.question(reply, number, "adjourn"))


@command("tournament end", say("End or cancel a tournament"), server_only=True)
async def end(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask for confirmation before ending the tournament."""
    number = await _which(reply, tournament)
    await reply.send(await actions_buttons.question(reply, number, "end"))


@command("tournament replace", say("Give a player's place to someone else"), server_only=True)
async def replace(
    reply: Reply,
    player: Annotated[discord.User, Option(say("Player who leaves"))],
    by: Annotated[discord.User, Option(say("Player who takes the place"))],
    tournament: Annotated[int | None, _OPEN] = None,
) -> None:
    """Give an entrant's place to another player from the next round on."""
    number = await _which(reply, tournament)
    await actions_buttons.runnable(reply, number)
    by_whom = actions_buttons.person(reply)
    view = await reply.get(Entrants).replace(number, reply.guild_id, player.id, by.id, by=by_whom)
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


async def _send_page(reply: Reply, number: int, what: pages_buttons.What) -> None:
    layout, files = await pages_buttons.page_layout(reply, number, what, 0)
    await reply.send(layout, files=files)


async def _which(reply: Reply, number: int | None) -> int:
    """Return the tournament asked for, by default the only open one."""
    if number is not None:
        return number
    all_here = await reply.get(Tournaments).of_server(server_of(reply), open_only=True)
    tournaments = [one for one in all_here if sees_or_deleted(reply, one.channel_id)]
    if not tournaments:
        raise Refusal(say("No tournament is open here."))
    if len(tournaments) > 1:
        raise Refusal(say("Several tournaments are open here. Say which one you mean."))
    return tournaments[0].id


async def _newest(reply: Reply, number: int | None) -> int:
    if number is not None:
        return number
    all_here = await reply.get(Tournaments).of_server(server_of(reply))
    tournaments = [one for one in all_here if sees_or_deleted(reply, one.channel_id)]
    if not tournaments:
        raise Refusal(say("No tournaments here yet."))
    return tournaments[0].id
