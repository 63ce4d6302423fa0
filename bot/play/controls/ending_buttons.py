"""``resign`` and ``draw``: the confirmation and its buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.commands import game_command
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.play.controls import offer_buttons
from bot.play.controls.lookup import ChosenMatch, pick
from bot.play.delivery.boards import Boards
from bot.play.delivery.notices import Notice, announces
from bot.play.matches import results
from bot.play.matches.begun import MAX_ABORTS, Leaving
from bot.play.matches.claims import Claims
from bot.play.matches.jobs import GAVE_UP
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.matches.stand_ins import LEVEL, can_continue, playing
from bot.play.matches.turns import check_still_playing
from engine.game import Seat
from engine.phrase import Phrase, lines, say
from engine.registry import AnyGame


class ResignButton(Button, prefix="r"):
    """Resigns, or plays on."""

    match_id: int
    answer: Literal["yes", "void", "no"]
    """``void`` resigns only if nothing is counted."""

    async def press(self, reply: Reply) -> None:
        """Resign the match, or dismiss the confirmation."""
        if self.answer == "no":
            goes_on = say("Match #{number} goes on.", number=self.match_id)
            await reply.replace(text_layout(goes_on))
            return
        void = self.answer == "void"
        view = await reply.get(Matches).resign(self.match_id, reply.user_id, promised_void=void)
        sentence = say("You resigned match #{number}.", number=self.match_id)
        then = results.result(view) or say("A computer plays on for you.")
        answer = reply.replace(text_layout(lines([sentence, then], " ")))
        await reply.get(Boards).show(self.match_id, via=reply, answer=answer)


@announces(GAVE_UP)
def _gave_up(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    player = view.player_at(Seat(payload["seat"]))
    facts = {"player": mention(player.user_id), "match": f"#{view.match.id}"}
    if player.gave_up_how == "resigned":
        sentence = say("**{player} resigned** match {match}.", **facts)
    elif player.gave_up_how == "forfeited":
        sentence = say("**{player} ran out of time** in match {match}.", **facts)
    else:
        sentence = say("**{player} left** match {match}.", **facts)
    others = tuple(one.user_id for one in playing(view.match))
    goes_on = say(
        "A computer (level {level}) takes over **{seat}**. {others} play on for their places.",
        level=LEVEL,
        seat=view.seat_names[player.seat],
        others=mention_all(others),
    )
    return Notice(text_layout(lines([sentence, goes_on])), recipients=others)


async def ask(reply: Reply, view: MatchView) -> None:
    """Ask a player to confirm resigning.

    Raises:
        NoSuchMatch, MatchOver, NotForYou: as named.

    """
    check_still_playing(view, reply.user_id)
    what = await reply.get(Claims).leaving(view, reply.user_id)
    void = what.void and not can_continue(view.match)
    question = _resignation(view.match.id, _resign_question(view, reply.user_id, what), void=void)
    if reply.pressed_is_private:
        await reply.replace(question)
    else:
        await reply.send(question, public=False)


def _resignation(match_id: int, words: str, *, void: bool) -> Layout:
    """Return the confirmation of resigning; ``void`` if nothing will be counted."""
    return text_layout(
        words,
        ResignButton(match_id, "void" if void else "yes").component(say("Resign"), style="danger"),
        ResignButton(match_id, "no").component(say("Keep playing")),
    )


def _resign_question(view: MatchView, user_id: int, what: Leaving) -> Phrase:
    others = mention_all(p.user_id for p in playing(view.match) if p.user_id != user_id)
    if can_continue(view.match):
        return say(
            "Resign your game against {others}? You come last, a computer (level {level}) takes "
            "your seat, and the others play on.",
            others=others,
            level=LEVEL,
        )
    if what.void:
        question = say(
            "End your game against {others}? It has hardly begun, so nothing is counted.",
            others=others,
        )
        return question if what.practice else lines([question, _how_often(what)])
    if not what.hardly_begun:
        return say("Resign your game against {others}? It counts as a loss.", others=others)
    return say(
        "Resign your game against {others}? You left {n} games this early in the last seven days, "
        "so this one counts as a loss.",
        others=others,
        n=what.before,
    )


def _how_often(what: Leaving) -> Phrase:
    return say(
        "-# You may leave {most} games this early in seven days. This is number {n}.",
        most=MAX_ABORTS,
        n=what.before + 1,
    )


@game_command("resign", say("Resign a game"))
async def resign(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Ask for confirmation before resigning."""
    await ask(reply, await pick(reply, game.slug, match))


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
