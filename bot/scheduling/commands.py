"""Commands about time: claiming a match that is late, silencing reminders, and vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.i18n.mentions import timestamp
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.commands import completing, run
from bot.matches import claim_buttons as claim_view
from bot.matches.lookup import WHICH, pick, suggest_matches
from bot.scheduling.vacations import DAYS_A_YEAR, DAYS_AT_A_STRETCH
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def claim_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return ``/<game> claim``."""

    @app_commands.describe(match=WHICH)
    async def claim(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match)
            user = interaction.user.id
            view, void = await interaction.client.claims.claimable(view.match.id, user)
            await answer.tell(claim_view.offer(view, void=void))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="claim",
        description=say("Claim the win, or abort, when your opponent's time is over"),
        callback=claim,
    )
    _suggest(made, game)
    return made


def mute_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return ``/<game> mute``."""

    @app_commands.describe(match=WHICH)
    async def mute(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match, my_turn=True)
            await interaction.client.claims.mute(view.match.id, interaction.user.id)
            await answer.tell(claim_view.muted(view.match.id))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="mute", description=say("No more reminders for this turn"), callback=mute
    )
    _suggest(made, game)
    return made


def vacation_command() -> app_commands.Command[Any, Any, None]:
    """Return ``/me vacation``."""

    @app_commands.describe(days=say("For how many days, from now on"))
    async def vacation(
        interaction: discord.Interaction[Bot],
        days: app_commands.Range[int, 1, DAYS_AT_A_STRETCH],
    ) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            user = interaction.user.id
            begun, stopped = await client.vacations.go(user, days)
            for match_id in stopped:
                client.courier.nudge(match_id)
            left = await client.vacations.left(user)
            await answer.tell(
                layouts.text(
                    lines(
                        [
                            say(
                                "You are away until {moment}. All clocks that wait for you stand "
                                "still until then, and you may still move. {back} ends it.",
                                back=slash("me", "back"),
                                moment=timestamp(begun.ends_at),
                            ),
                            plural(
                                "You have {n} day left in this year, of {most}.",
                                "You have {n} days left in this year, of {most}.",
                                left,
                                most=DAYS_A_YEAR,
                            ),
                        ]
                    )
                )
            )

        await run(interaction, work)

    return app_commands.Command(
        name="vacation",
        description=say("Be away: the clocks that wait for you stand still"),
        callback=vacation,
    )


def back_command() -> app_commands.Command[Any, Any, None]:
    """Return ``/me back``."""

    async def back(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            for match_id in await client.vacations.back(interaction.user.id):
                client.courier.nudge(match_id)
            await answer.tell(
                layouts.text(
                    say("Welcome back. Your clocks go on, each with at least a day for your move.")
                )
            )

        await run(interaction, work)

    return app_commands.Command(
        name="back", description=say("End your vacation before its time"), callback=back
    )


def _suggest(command: app_commands.Command[Any, Any, None], game: AnyGame) -> None:
    command.autocomplete("match")(completing(suggest_matches, game))
