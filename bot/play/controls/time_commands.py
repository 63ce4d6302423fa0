"""Commands about time: claiming a late match, muting reminders, and vacations."""

from __future__ import annotations

from typing import Annotated

from bot.core.i18n.mentions import timestamp
from bot.core.i18n.slash import slash
from bot.core.interactions.commands import Option, command, game_command
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.play.clocks.vacations import MAX_DAYS_AT_A_STRETCH, MAX_DAYS_PER_YEAR, Vacations
from bot.play.controls import claim_buttons
from bot.play.controls.lookup import ChosenMatch, pick
from bot.play.matches.claims import Claims
from engine.phrase import lines, plural, say
from engine.registry import AnyGame


@game_command("claim", say("Claim the win when your opponent is out of time"))
async def claim(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer the options against a late player."""
    await claim_buttons.ask(reply, await pick(reply, game.slug, match))


@game_command("mute", say("Mute reminders for this turn"))
async def mute(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Mute the reminders of a turn."""
    view = await pick(reply, game.slug, match, my_turn=True)
    await reply.get(Claims).mute(view.match.id, reply.user_id)
    await reply.send(claim_buttons.muted(view.match.id))


@command("me vacation", say("Go on vacation (your clocks are paused)"))
async def vacation(
    reply: Reply,
    days: Annotated[
        int,
        Option(say("Number of days, starting now"), minimum=1, maximum=MAX_DAYS_AT_A_STRETCH),
    ],
) -> None:
    """Start a vacation."""
    vacations = reply.get(Vacations)
    begun = await vacations.start(reply.user_id, days)
    left = await vacations.left(reply.user_id)
    words = [
        say(
            "You're on vacation until {moment}. Your clocks are paused, and you can still "
            "move. End it early with {back}.",
            back=slash("me", "back"),
            moment=timestamp(begun.ends_at),
        ),
        plural(
            "You have {n} vacation day left this year, of {most}.",
            "You have {n} vacation days left this year, of {most}.",
            left,
            most=MAX_DAYS_PER_YEAR,
        ),
    ]
    await reply.send(text_layout(lines(words)))


@command("me back", say("End your vacation early"))
async def back(reply: Reply) -> None:
    """End a vacation."""
    await reply.get(Vacations).end(reply.user_id)
    words = say("Welcome back. Your clocks run again, with at least a day each.")
    await reply.send(text_layout(words))
