"""``challenge``: asks for a game, with the options and seats that the game names."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.challenges import buttons as challenge_view
from bot.challenges.invitations import Invitation
from bot.delivery.interaction_transport import home_of
from bot.interactions.commands import run
from bot.permissions import play
from bot.settings.declarations import MAX_DAYS
from engine.phrase import say, shortened

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def challenge_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command, with an opponent for each other seat and every option of the game."""
    most = game.players[-1] - 1
    names = ["opponent", *(f"opponent{number}" for number in range(2, most + 1))]

    async def callback(interaction: discord.Interaction[Bot], **given: Any) -> None:
        opponents = [given[name] for name in names if given.get(name) is not None]
        options = {o.name: given[o.name] for o in game.options if given.get(o.name) is not None}
        seat = given.get("seat")

        async def work(answer: Reply) -> None:
            await play.require_challenges(interaction)
            for opponent in opponents:
                await play.require_opponent(interaction, opponent)
            days = given.get("days")
            if days is None:
                days = (await interaction.client.choices.server(interaction.guild_id)).days
            offered = await interaction.client.challenges.offer(
                Invitation(
                    game=game.slug,
                    options=options,
                    guild_id=home_of(interaction),
                    channel_id=interaction.channel_id or 0,
                    challenger_id=interaction.user.id,
                    opponents=tuple(opponent.id for opponent in opponents),
                    seat=None if seat is None else game.seat_names.index(seat),
                    salt=str(interaction.id),
                    places=given.get("players"),
                    days=days,
                    casual=given.get("casual") or False,
                )
            )
            await challenge_view.post(answer, interaction.client, offered)

        await run(interaction, work, public=True)

    parameters = [option_parameter(name, discord.User) for name in names]
    parameters.append(option_parameter("days", app_commands.Range[int, 1, MAX_DAYS]))
    whom = say("Whom you want to play against; nobody lets anyone accept")
    texts: dict[str, str] = dict.fromkeys(names, whom)
    texts["days"] = say("Days for each move; without it as this server has it")
    parameters.append(option_parameter("casual", bool))
    texts["casual"] = say("Whether the match is only for fun and moves no rating")
    if len(game.players) > 1:
        players = app_commands.Range[int, game.players[0], game.players[-1]]
        parameters.append(option_parameter("players", players))
        texts["players"] = say("How many are to play; places for which you name nobody are open")
    parameters += [option_parameter(option.name, str) for option in game.options]
    parameters.append(option_parameter("seat", str))
    challenge = signed(callback, parameters)
    texts |= {option.name: shortened(option.summary, 100) for option in game.options}
    texts["seat"] = say("The seat you want; without it the seats are drawn by lot")
    offered = {option.name: list(option.values) for option in game.options}
    offered["seat"] = list(game.seat_names)
    app_commands.describe(**texts)(challenge)
    app_commands.choices(
        **{
            name: [app_commands.Choice(name=value, value=value) for value in values]
            for name, values in offered.items()
        }
    )(challenge)
    return app_commands.Command(
        name="challenge",
        description=say("Challenge somebody, or anyone, to {game}", game=game.title),
        callback=challenge,
    )


def option_parameter(name: str, kind: Any) -> inspect.Parameter:
    """Return an option of the command that may be left out."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=kind | None, default=None
    )


def signed(callback: Any, parameters: list[inspect.Parameter]) -> Any:
    """Return a callback with the parameters that discord.py is to read from its signature."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    callback.__signature__ = inspect.Signature([first, *parameters])
    return callback
