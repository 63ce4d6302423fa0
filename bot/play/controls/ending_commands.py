"""``resign`` and ``draw``."""

from __future__ import annotations

from bot.core.interactions.commands import game_command
from bot.core.interactions.reply import Reply
from bot.play.controls import ending_buttons, offer_buttons
from bot.play.controls.lookup import ChosenMatch, pick
from engine.phrase import say
from engine.registry import AnyGame


@game_command("resign", say("Resign a game"))
async def resign(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Ask for confirmation before resigning."""
    await ending_buttons.ask(reply, await pick(reply, game.slug, match))


@game_command(
    "draw",
    say("Offer your opponent a draw"),
    public=True,
    # Once someone has given up, those left may agree to end the match.
    when=lambda game: game.agreed_draw is not None or game.players[-1] > 2,
)
async def draw(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer a draw on the current turn."""
    await offer_buttons.offer_draw(reply, await pick(reply, game.slug, match))
