"""``resign`` and ``draw``: how players end a match between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import MatchOver, NoSuchMatch, NotForYou
from bot.i18n.mentions import all_of
from bot.i18n.slash import slash
from bot.interactions.commands import run
from bot.matches import draw_buttons as draw_view
from bot.matches import resign_buttons
from bot.matches.computers import is_practice
from bot.matches.lookup import WHICH, pick
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.registry import AnyGame


def resign_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command that gives up a match of a game."""

    @app_commands.describe(match=WHICH)
    async def give_up(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(interaction, game.slug, match)
            user = interaction.user.id
            _still_plays(view, user)
            void = await interaction.client.claims.hardly_begun(view)
            await answer.tell(resign_buttons.question(view.match.id, _sure(view, user, void=void)))

        await run(interaction, work)

    return app_commands.Command(
        name="resign", description=say("Give your match up"), callback=give_up
    )


def draw_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command that offers a draw in a match of a game."""

    @app_commands.describe(match=WHICH)
    async def draw(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(interaction, game.slug, match)
            user = interaction.user.id
            _still_plays(view, user)
            _person_to_agree(view)
            others = [discord.Object(p.user_id) for p in view.match.players if p.user_id != user]
            await answer.tell(
                draw_view.offer(view, user),
                mentions=discord.AllowedMentions(everyone=False, roles=False, users=others),
            )

        await run(interaction, work, public=True)

    return app_commands.Command(
        name="draw", description=say("Offer your opponent a draw"), callback=draw
    )


def _still_plays(view: MatchView, user_id: int) -> None:
    number = view.match.id
    if view.player_of(user_id) is None:
        raise NoSuchMatch(say("You do not play in match #{number}.", number=number))
    if view.to_move is None:
        raise MatchOver(say("Match #{number} is over already.", number=number), match_id=number)


def _person_to_agree(view: MatchView) -> None:
    if is_practice(view.match):
        raise NotForYou(
            say(
                "A computer plays every match to its end. `{command}` ends this one.",
                command=slash(view.game.slug, "resign"),
            )
        )


def _sure(view: MatchView, user_id: int, *, void: bool) -> str:
    others = all_of(p.user_id for p in view.match.players if p.user_id != user_id)
    if void:
        return say(
            "Do you really want to end match #{number} against {others}? Somebody has not made "
            "two moves yet, so nothing is counted.",
            number=view.match.id,
            others=others,
        )
    if len(view.match.players) == 2:
        return say(
            "Do you really want to resign match #{number} against {others}? It counts as lost.",
            number=view.match.id,
            others=others,
        )
    return say(
        "Do you really want to resign match #{number} against {others}? It counts as lost. "
        "It ends the match for everybody; the others share the first place, "
        "which counts as drawn.",
        number=view.match.id,
        others=others,
    )
