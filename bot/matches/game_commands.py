"""The command group of one game, made from what the game says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.challenges.commands import challenge_command
from bot.challenges.open_challenge_commands import seek, withdraw
from bot.errors import Refusal
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.commands import completing, run
from bot.matches import text as matches_text
from bot.matches.lookup import WHICH, pick, suggest_matches
from bot.matches.takeback_commands import takeback_command
from bot.matches.turns import may_move
from bot.practice.commands import practice_command
from bot.replays.since_commands import since_command
from bot.scheduling.commands import claim_command, mute_command
from data.errors import StoreError
from engine.errors import RulesError
from engine.menu import choices
from engine.phrase import lines, plural, say, shortened

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame

_MOST_CHOICES = 25
_MOST_MATCHES = 20
"""So many lines with mentions and links fit one message."""


def group(game: AnyGame) -> app_commands.Group:
    """Return the commands of a game."""
    # Translators: what a game is, in one line.
    summary = say("{game}: {summary}", game=game.title, summary=game.summary)
    made = app_commands.Group(name=game.slug, description=shortened(summary, 100))
    for command in (
        challenge_command(game),
        practice_command(game),
        seek(game),
        withdraw(game),
        _suggesting(_move(game), game),
        _suggesting(_board(game), game),
        _games(game),
        claim_command(game),
        mute_command(game),
        _suggesting(since_command(game), game),
        _suggesting(takeback_command(game), game),
    ):
        made.add_command(command)
    return made


def _move(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(
        move=say("Your move in notation; the bot suggests those that are legal"),
        match=WHICH,
    )
    async def move(
        interaction: discord.Interaction[Bot], move: str, match: int | None = None
    ) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match, my_turn=True)
            await interaction.client.table.type(answer, view.match.id, move)

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="move", description=say("Play a move by typing it"), callback=move
    )

    @made.autocomplete("move")
    async def suggest_moves(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[str]]:
        try:
            named = getattr(interaction.namespace, "match", None)
            number = named if isinstance(named, int) else None
            reply = interaction.client.dispatcher.reply(interaction)
            view = await pick(reply, game.slug, number, my_turn=True)
            may_move(view, interaction.user.id)
        except (Refusal, RulesError, StoreError):
            return []
        clean = "".join(typed.split()).lower()
        moves = [view.game.write(move) for move in view.game.legal_moves(view.state)]
        if len(moves) > _MOST_CHOICES and not clean:
            moves = [c.label for c in choices(view.game, view.state)]
        fitting = sorted(move for move in moves if move.startswith(clean))
        fitting += sorted(move for move in moves if clean in move and not move.startswith(clean))
        return [app_commands.Choice(name=m[:100], value=m[:100]) for m in fitting[:_MOST_CHOICES]]

    return made


def _board(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(match=WHICH)
    async def board(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match)
            await interaction.client.table.show(answer, view.match.id)
            interaction.client.table.deliver(answer, view.match.id, restore=True)

        await run(interaction, work)

    return app_commands.Command(
        name="board",
        description=say("See the board of your match as it stands"),
        callback=board,
    )


def _games(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    async def games(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            user = interaction.user.id
            views = await interaction.client.matches.of_player(user, game=game.slug)
            told = []
            for view in views[:_MOST_MATCHES]:
                shown = await interaction.client.matches.link(view.match.id)
                link = None
                if shown is not None:
                    link = matches_text.message_link(
                        view.match.guild_id, shown.channel_id, shown.message_id
                    )
                told.append(matches_text.match_line(view, user, link))
            none = say(
                "You have no open match of {game}. `{command}` starts one.",
                game=game.title,
                command=slash(game.slug, "challenge"),
            )
            if len(views) > _MOST_MATCHES:
                more = len(views) - _MOST_MATCHES
                # Translators: at the end of a list of matches.
                told.append(plural("… and {n} more.", "… and {n} more.", more))
            await answer.tell(layouts.text(lines(told) or none))

        await run(interaction, work)

    return app_commands.Command(
        name="games",
        description=say("Your open matches, those that wait for you first"),
        callback=games,
    )


def _suggesting(
    command: app_commands.Command[Any, Any, None], game: AnyGame
) -> app_commands.Command[Any, Any, None]:
    """Return a command whose option ``match`` is completed."""
    command.autocomplete("match")(completing(suggest_matches, game))
    return command
