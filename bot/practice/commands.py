"""``practice``: a match against computers, which begins at once."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.challenges.commands import option_parameter, signed
from bot.challenges.invitations import Invitation
from bot.delivery.interaction_transport import home_of
from bot.interactions.commands import run
from bot.permissions import play
from bot.practice import service as practice_service
from bot.practice import text as words
from bot.practice import views as practice_view
from engine.phrase import say, shortened

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def practice_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command, with every option of the game."""

    async def callback(interaction: discord.Interaction[Bot], **given: Any) -> None:
        options = {o.name: given[o.name] for o in game.options if given.get(o.name) is not None}
        seat = given.get("seat")

        async def work(answer: Reply) -> None:
            await play.require_practice(interaction)
            asked = Invitation(
                game=game.slug,
                options=options,
                guild_id=home_of(interaction),
                channel_id=interaction.channel_id or 0,
                challenger_id=interaction.user.id,
                opponents=(),
                seat=None if seat is None else game.seat_names.index(seat),
                salt=str(interaction.id),
            )
            asked = practice_service.against(asked, given["level"], given.get("players"))
            await practice_view.begin(answer, interaction.client, asked)

        await run(interaction, work, public=True)

    level = inspect.Parameter("level", inspect.Parameter.KEYWORD_ONLY, annotation=int)
    parameters = [level]
    texts: dict[str, str] = {"level": say("How well the computer is to play")}
    if len(game.players) > 1:
        players = app_commands.Range[int, game.players[0], game.players[-1]]
        parameters.append(option_parameter("players", players))
        texts["players"] = say("How many are to play; computers take all other seats")
    parameters += [option_parameter(option.name, str) for option in game.options]
    texts |= {option.name: shortened(option.summary, 100) for option in game.options}
    parameters.append(option_parameter("seat", str))
    texts["seat"] = say("The seat you want; without it the seats are drawn by lot")
    made = signed(callback, parameters)
    app_commands.describe(**texts)(made)
    offered: dict[str, list[app_commands.Choice[Any]]] = {
        option.name: [app_commands.Choice(name=value, value=value) for value in option.values]
        for option in game.options
    }
    offered["seat"] = [app_commands.Choice(name=name, value=name) for name in game.seat_names]
    offered["level"] = [
        app_commands.Choice(name=told, value=number) for number, told in words.LEVELS.items()
    ]
    app_commands.choices(**offered)(made)
    return app_commands.Command(
        name="practice",
        description=say("Play {game} against a computer, at once", game=game.title),
        callback=made,
    )
