"""``challenge``: asks for a game, with the options and seats that the game names."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.challenges import Invitation
from bot.commands.run import run
from bot.permissions import require_boards
from bot.refusals import BadOpponent
from bot.views import challenge as challenge_view

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot
    from engine.registry import AnyGame


def challenge_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command, with an opponent for each other seat and every option of the game."""
    most = game.players[-1] - 1
    least = game.players[0] - 1
    names = ["opponent", *(f"opponent{number}" for number in range(2, most + 1))]

    async def callback(interaction: discord.Interaction[Bot], **given: Any) -> None:
        opponents = [given[name] for name in names if given.get(name) is not None]
        options = {o.name: given[o.name] for o in game.options if given.get(o.name) is not None}
        seat = given.get("seat")

        async def work(answer: Answer) -> None:
            require_boards(interaction)
            for opponent in opponents:
                _check_opponent(interaction, opponent)
            offered = await interaction.client.challenges.offer(
                Invitation(
                    game=game.slug,
                    options=options,
                    guild_id=interaction.guild_id,
                    channel_id=interaction.channel_id or 0,
                    challenger_id=interaction.user.id,
                    opponents=tuple(opponent.id for opponent in opponents),
                    seat=None if seat is None else game.seat_names.index(seat),
                    salt=str(interaction.id),
                )
            )
            message_id = await answer.tell(
                challenge_view.message(offered),
                mentions=discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(o.id) for o in opponents]
                ),
            )
            if message_id is not None:
                await interaction.client.challenges.shown(offered.id, message_id)

        await run(interaction, work, public=True)

    parameters = [
        _parameter(name, discord.User, required=number < least) for number, name in enumerate(names)
    ]
    parameters += [_parameter(option.name, str) for option in game.options]
    parameters.append(_parameter("seat", str))
    challenge = _signed(callback, parameters)
    texts = dict.fromkeys(names, "Whom you want to play against")
    texts |= {option.name: option.summary[:100] for option in game.options}
    texts["seat"] = "The seat you want; without it the seats are drawn by lot"
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
        name="challenge", description=f"Challenge somebody to {game.title}", callback=challenge
    )


def _check_opponent(
    interaction: discord.Interaction[Bot], opponent: discord.User | discord.Member
) -> None:
    if opponent.id == interaction.user.id:
        raise BadOpponent("You cannot challenge yourself. Choose somebody else as your opponent.")
    if opponent.bot:
        raise BadOpponent(f"<@{opponent.id}> is a bot and does not play. Choose a person.")
    if interaction.guild_id is None:
        raise BadOpponent(
            f"<@{opponent.id}> cannot see what we write here. Challenge them in a server where "
            "you both are."
        )
    if not isinstance(opponent, discord.Member):
        raise BadOpponent(f"<@{opponent.id}> is not in this server.")
    allowed = opponent.resolved_permissions
    if allowed is not None and not allowed.view_channel:
        raise BadOpponent(
            f"<@{opponent.id}> cannot see this channel. Challenge them where you both can."
        )


def _parameter(name: str, kind: Any, *, required: bool = False) -> inspect.Parameter:
    annotation = kind if required else kind | None
    default = inspect.Parameter.empty if required else None
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def _signed(callback: Any, parameters: list[inspect.Parameter]) -> Any:
    """Return a callback with the parameters that discord.py is to read from its signature."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    callback.__signature__ = inspect.Signature([first, *parameters])
    return callback
