"""``resign`` and ``draw``: how players end a match between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import NoSuchMatch, NotForYou, Refusal
from bot.i18n.mentions import all_of
from bot.i18n.slash import slash
from bot.interactions.commands import game_command
from bot.interactions.reply import Reply
from bot.matches import offer_buttons
from bot.matches.claims import Claims
from bot.matches.ending_buttons import resignation
from bot.matches.leaving import MAX_ABORTS
from bot.matches.lookup import ChosenMatch, pick
from bot.matches.stand_ins import LEVEL, others_play_on, playing
from bot.matches.turns import check_plays, over
from engine.phrase import lines, say
from engine.registry import AnyGame

if TYPE_CHECKING:
    from bot.matches.leaving import Leaving
    from bot.matches.positions import MatchView
    from engine.phrase import Phrase


@game_command("resign", say("Give your match up"))
async def resign(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Ask whether to resign."""
    view = await pick(reply, game.slug, match)
    _still_plays(view, reply.user_id)
    what = await reply.get(Claims).leaving(view, reply.user_id)
    void = what.void and not others_play_on(view.match)
    await reply.tell(resignation(view.match.id, _sure(view, reply.user_id, what), void=void))


@game_command(
    "draw",
    say("Offer your opponent a draw"),
    public=True,
    # Where some have given up, those left may agree to end the match.
    when=lambda game: game.agreed_draw is not None or game.players[-1] > 2,
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
    if view.game.agreed_draw is None and not view.match.given_up:
        raise Refusal(
            say(
                "{game} has no draw by agreement. Once a player has given up, those left can agree "
                "to end the match.",
                game=view.game.title,
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


def _sure(view: MatchView, user_id: int, what: Leaving) -> Phrase:
    number = view.match.id
    others = all_of(p.user_id for p in playing(view.match) if p.user_id != user_id)
    if others_play_on(view.match):
        return say(
            "Resign match #{number} against {others}? You come last, a computer (level {level}) "
            "takes your seat, and the others play on.",
            number=number,
            others=others,
            level=LEVEL,
        )
    if what.void:
        question = say(
            "Do you really want to end match #{number} against {others}? Somebody has not had "
            "two turns yet, so nothing is counted.",
            number=number,
            others=others,
        )
        return question if what.practice else lines([question, _how_often(what)])
    if not what.hardly_begun:
        return say(
            "Do you really want to resign match #{number} against {others}? It counts as lost.",
            number=number,
            others=others,
        )
    return say(
        "Do you really want to resign match #{number} against {others}? In the last seven days "
        "you have left {n} matches before everybody had had two turns, so this one counts as lost.",
        number=number,
        others=others,
        n=what.before,
    )


def _how_often(what: Leaving) -> Phrase:
    return say(
        "-# You may leave {most} matches like this in seven days; this is number {n}.",
        most=MAX_ABORTS,
        n=what.before + 1,
    )
