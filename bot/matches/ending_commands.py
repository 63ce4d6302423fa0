"""``resign`` and ``draw``: how players end a match between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import NoSuchMatch, NotForYou
from bot.i18n.mentions import all_of
from bot.i18n.slash import slash
from bot.interactions.commands import game_command
from bot.interactions.reply import Reply
from bot.matches import offer_buttons
from bot.matches.claims import Claims
from bot.matches.ending_buttons import resignation
from bot.matches.lookup import ChosenMatch, pick
from bot.matches.stand_ins import LEVEL, others_play_on, playing
from bot.matches.turns import check_plays, over
from engine.phrase import say
from engine.registry import AnyGame

if TYPE_CHECKING:
    from bot.matches.positions import MatchView


@game_command("resign", say("Give your match up"))
async def resign(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Ask whether to resign."""
    view = await pick(reply, game.slug, match)
    _still_plays(view, reply.user_id)
    void = not others_play_on(view) and await reply.get(Claims).hardly_begun(view)
    await reply.tell(resignation(view.match.id, _sure(view, reply.user_id, void=void)))


@game_command(
    "draw",
    say("Offer your opponent a draw"),
    public=True,
    when=lambda game: game.agreed_draw is not None,
)
async def draw(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer a draw at the present turn."""
    view = await pick(reply, game.slug, match)
    _still_plays(view, reply.user_id)
    if view.practice:
        raise NotForYou(
            say(
                "A computer plays every match to its end. `{command}` ends this one.",
                command=slash(view.game.slug, "resign"),
            )
        )
    await offer_buttons.make(reply, view.match.id, "draw")


def _still_plays(view: MatchView, user_id: int) -> None:
    player = view.player_of(user_id)
    if player is None:
        raise NoSuchMatch(say("You do not play in match #{number}.", number=view.match.id))
    if view.to_move is None:
        raise over(view.match.id)
    check_plays(view, player)


def _sure(view: MatchView, user_id: int, *, void: bool) -> str:
    others = all_of(p.user_id for p in playing(view.match) if p.user_id != user_id)
    if void:
        return say(
            "Do you really want to end match #{number} against {others}? Somebody has not had "
            "two turns yet, so nothing is counted.",
            number=view.match.id,
            others=others,
        )
    if not others_play_on(view):
        return say(
            "Do you really want to resign match #{number} against {others}? It counts as lost.",
            number=view.match.id,
            others=others,
        )
    return say(
        "Resign match #{number} against {others}? You come last, a computer (level {level}) "
        "takes your seat, and the others play on.",
        number=view.match.id,
        others=others,
        level=LEVEL,
    )
