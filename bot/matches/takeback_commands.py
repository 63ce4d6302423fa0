"""``/<game> takeback``: asks the others to let a player take the last decision back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.commands import game_command
from bot.interactions.layout import text_layout
from bot.interactions.reply import Reply
from bot.matches import takeback_buttons
from bot.matches.lookup import ChosenMatch, pick
from bot.matches.takebacks import Takebacks, missing
from engine.phrase import say
from engine.registry import AnyGame

if TYPE_CHECKING:
    from bot.matches.positions import MatchView


@game_command("takeback", say("Ask to take your last move back"), public=True)
async def takeback(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer to take a decision back; in practice take it back at once."""
    view = await pick(reply, game.slug, match)
    if view.practice:
        await _undo(reply, view)
        return
    offer, now = await reply.get(Takebacks).offer(view.match.id, reply.user_id)
    others = [player.user_id for player in missing(offer, now) if player.user_id > 0]
    await reply.tell(takeback_buttons.message(offer, now), mentions=others)


async def _undo(reply: Reply, view: MatchView) -> None:
    """Take the last decision back at once, where only computers could mind."""
    await reply.get(Takebacks).undo(view.match.id, reply.user_id)
    words = say("Your last move in match #{number} is taken back.", number=view.match.id)
    await reply.tell(text_layout(words), public=False)
