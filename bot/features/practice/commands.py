"""``/<game> practice`` and ``/match hint``."""

from __future__ import annotations

from typing import Annotated, Any

from bot.core.computers import LEVEL_NAMES, is_practice
from bot.core.errors import NoSuchMatch
from bot.core.i18n.slash import slash
from bot.core.interactions.commands import (
    Option,
    Suggestions,
    command,
    game_command,
    game_parameters,
    options_in,
    seat_in,
    word_in,
)
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.features.challenges.buttons import invitation
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.practice import Practice, against
from bot.features.practice import hint_buttons
from bot.play.controls.lookup import by_number, in_channel, only, visible
from bot.play.matches.positions import MatchView, is_turn_of
from bot.play.matches.service import Matches
from data.matches.matches import Match
from engine.phrase import say
from engine.registry import AnyGame


@game_command(
    "practice",
    lambda game: say("Play {game} against the computer", game=game.title),
    public=True,
    parameters=lambda game: game_parameters(
        game, say("Number of players (computers take the other seats)")
    ),
)
async def practice(
    reply: Reply,
    game: AnyGame,
    level: Annotated[int, Option(say("How strong the computer is"), choices=LEVEL_NAMES)],
    **given: Any,
) -> None:
    """Start a match against computers of a level."""
    await play.require_practice(reply)
    asked = invitation(reply, game, options_in(game, given), seat_in(game, given), word_in(given))
    asked = against(asked, level, given.get("players"))
    begun = await reply.get(Practice).begin(asked, place=reply.match_place)
    await reply.get(ChallengeMessages).post(reply, begun)


async def _waiting(reply: Reply) -> list[Match]:
    """Return the practice matches where it is the user's turn, those in this channel first."""
    played = await reply.get(Matches).of_player(reply.user_id)
    found = [one for one in played if is_practice(one) and is_turn_of(one, reply.user_id)]
    return sorted(found, key=lambda match: match.channel_id != reply.channel_id)


async def _suggest(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest practice matches where it is the user's turn."""
    return by_number(await _waiting(reply), typed)


@command("match hint", say("Show the best move in a practice game"))
async def hint(
    reply: Reply,
    number: Annotated[
        int | None,
        Option(say("Match number (if you have several)"), suggest=_suggest),
    ] = None,
) -> None:
    """Give a hint in a practice match."""
    view = await _practised(reply) if number is None else await visible(reply, number)
    await hint_buttons.show(reply, view)


async def _practised(reply: Reply) -> MatchView:
    """Return the practice match meant if no number is given."""
    found = await _waiting(reply)
    if not found:
        raise NoSuchMatch(
            say(
                "It's not your turn in any practice game. To start one, use {play}.",
                play=slash("play"),
            )
        )
    return await only(reply, in_channel(reply, found))
