"""``practice``: a match against computers, which begins at once."""

from __future__ import annotations

from typing import Annotated, Any

from bot.challenges.invitations import Invitation
from bot.delivery.interaction_transport import home_of
from bot.interactions.commands import Option, game_command
from bot.interactions.game_options import game_parameters, options_in, seat_in
from bot.interactions.reply import Reply
from bot.permissions import play
from bot.practice import service, text, views
from engine.phrase import say
from engine.registry import AnyGame


@game_command(
    "practice",
    lambda game: say("Play {game} against a computer, at once", game=game.title),
    public=True,
    parameters=lambda game: game_parameters(
        game, say("How many are to play; computers take all other seats")
    ),
)
async def practice(
    reply: Reply,
    game: AnyGame,
    level: Annotated[int, Option(say("How well the computer is to play"), choices=text.LEVELS)],
    **given: Any,
) -> None:
    """Begin a match against computers of a level."""
    await play.require_practice(reply)
    asked = Invitation(
        game=game.slug,
        options=options_in(game, given),
        guild_id=home_of(reply.interaction),
        channel_id=reply.channel_id,
        challenger_id=reply.user_id,
        opponents=(),
        seat=seat_in(game, given),
        salt=str(reply.interaction.id),
    )
    await views.begin(reply, service.against(asked, level, given.get("players")))
