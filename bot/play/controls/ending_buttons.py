"""Resigning, and offers of draws and takebacks: their messages and buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from bot.core.errors import NotForYou, Refusal
from bot.core.i18n.mentions import mention, mention_all, numbered, slash
from bot.core.interactions.commands import game_command
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.posts.kinds import Pings
from bot.play.clocks.service import Claims
from bot.play.controls.lookup import ChosenMatch, pick
from bot.play.delivery.boards import Boards
from bot.play.delivery.notices import Notice, announces
from bot.play.delivery.transport import OpenInteractions
from bot.play.matches import match_text, offer_text
from bot.play.matches.computer_players import LEVEL, can_continue, playing
from bot.play.matches.endings import may_agree
from bot.play.matches.jobs import GAVE_UP
from bot.play.matches.offer_text import missing
from bot.play.matches.offers import Answer, Offers
from bot.play.matches.positions import Position, check_still_playing
from bot.play.matches.scoring import MAX_ABORTS, Leaving
from bot.play.matches.service import Matches
from data.matches.offers import Kind
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
            link = await reply.get(Matches).link_of(self.match_id)
            goes_on = say("Match {match} goes on.", match=numbered(self.match_id, link))
            await reply.replace(text_layout(goes_on))
            return
        void = self.answer == "void"
        position = await reply.get(Matches).resign(self.match_id, reply.user_id, promised_void=void)
        sentence = say("You resigned match #{number}.", number=self.match_id)
        then = match_text.result(position) or say("A computer plays on for you.")
        answer = reply.replace(text_layout(lines([sentence, then], " ")))
        await reply.get(Boards).show(self.match_id, via=reply, answer=answer)


@announces(GAVE_UP)
def _gave_up(position: Position, payload: Mapping[str, Any]) -> Notice:
    player = position.player_at(Seat(payload["seat"]))
    facts = {
        "player": mention(player.user_id),
        "match": numbered(position.match.id, payload["board"]),
    }
    if player.gave_up_how == "resigned":
        sentence = say("**{player} resigned** match {match}.", **facts)
    elif player.gave_up_how == "forfeited":
        sentence = say("**{player} ran out of time** in match {match}.", **facts)
    else:
        sentence = say("**{player} left** match {match}.", **facts)
    others = tuple(one.user_id for one in playing(position.match))
    goes_on = say(
        "A computer (level {level}) takes over **{seat}**. {others} play on for their places.",
        level=LEVEL,
        seat=position.seat_names[player.seat],
        others=mention_all(others),
    )
    return Notice(text_layout(lines([sentence, goes_on])), recipients=others)


async def ask(reply: Reply, position: Position) -> None:
    """Ask a player to confirm resigning; raises NoSuchMatch, MatchOver or NotForYou."""
    check_still_playing(position, reply.user_id)
    what = await reply.get(Claims).leaving(position, reply.user_id)
    void = what.void and not can_continue(position.match)
    confirm = ResignButton(position.match.id, "void" if void else "yes")
    cancel = ResignButton(position.match.id, "no")
    await reply.show_privately(
        text_layout(
            _resign_question(position, reply.user_id, what),
            confirm.component(say("Resign"), style="danger"),
            cancel.component(say("Keep playing")),
        )
    )


def _resign_question(position: Position, user_id: int, what: Leaving) -> Phrase:
    others = mention_all(p.user_id for p in playing(position.match) if p.user_id != user_id)
    if can_continue(position.match):
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
        if position.match.competition:
            question = say(
                "Resign your game against {others}? It has hardly begun, so it isn't rated, but "
                "you lose it by forfeit.",
                others=others,
            )
        how_often = say(
            "-# You may leave {most} games this early in seven days. This is number {n}.",
            most=MAX_ABORTS,
            n=what.before + 1,
        )
        return question if what.practice else lines([question, how_often])
    if not what.hardly_begun:
        return say("Resign your game against {others}? It counts as a loss.", others=others)
    return say(
        "Resign your game against {others}? You left {n} games this early in the last seven days, "
        "so this one counts as a loss.",
        others=others,
        n=what.before,
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
    await offer_draw(reply, await pick(reply, game.slug, match))


class OfferButton(Button, prefix="o"):
    """Agrees to, declines or withdraws an offer."""

    offer: int
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """Show the outcome in the offer's message."""
        offers = reply.get(Offers)
        done = await offers.answer(self.offer, reply.user_id, yes=self.answer == "yes")
        answer = _close(reply, done)
        if done.offer.state == "agreed":
            await reply.get(Boards).show(done.offer.match_id, via=reply, answer=answer)
        else:
            await answer


async def _close(reply: Reply, done: Answer) -> None:
    await reply.replace(offer_message(done))
    if done.offer.state != "open":
        await reply.get(Offers).shown_closed(done.offer)


async def offer_draw(reply: Reply, position: Position) -> None:
    """Offer the others a draw; raises like `Offers.make`."""
    check_still_playing(position, reply.user_id)
    if position.practice:
        raise NotForYou(
            say(
                "The computer doesn't take draws. To end this game, use `{command}`.",
                command=slash(position.game.slug, "resign"),
            )
        )
    if not may_agree(position):
        raise Refusal(
            say(
                "{game} has no draw by agreement. Once a player has given up, those left can agree "
                "to end the match.",
                game=position.game.title,
            )
        )
    await _make(reply, position.match.id, "draw")


async def take_back(reply: Reply, position: Position) -> None:
    """Take back a player's last move at once in practice, or ask the others; see `Offers.make`."""
    if not position.practice:
        await _make(reply, position.match.id, "takeback")
        return
    await reply.get(Offers).undo(position.match.id, reply.user_id)
    answer = reply.send(text_layout(say("Your last move is taken back.")), public=False)
    await reply.get(Boards).show(position.match.id, via=reply, answer=answer)


async def _make(reply: Reply, match_id: int, kind: Kind) -> None:
    """Post an offer that pings the players who must agree, or agree to a standing one.

    Raises NotAllowed on the page where nothing can be posted: none is made that nobody is told of.
    """
    offers, place = reply.get(Offers), reply.place
    done = await offers.make(match_id, reply.user_id, kind)
    offer = done.offer
    if offer.agreed:
        answer = reply.send(text_layout(_offer_text(done)), public=True)
        await reply.get(Boards).show(match_id, via=reply, answer=answer)
        return
    asked = [player.user_id for player in missing(offer, done.before)]
    called = await reply.get(Pings).of(asked, by=reply.user_id)
    sent = await reply.send(offer_message(done), public=True, mentions=called)
    if sent is not None:
        reply.get(OpenInteractions).remember(match_id, reply, sent)
        await offers.set_message(offer, place, sent)


def offer_message(done: Answer, *, reader: int | None = None) -> Layout:
    """Return the message of an offer, with buttons while it is open.

    The harmless answer comes first, and neither looks like the button that plays a move. If its only
    ``reader`` is the seat that made it, they can withdraw it.
    """
    offer = done.offer
    if offer.state != "open":
        return text_layout(_offer_text(done))
    no = OfferButton(offer.id, "no")
    if offer.seat == reader:
        return text_layout(_offer_text(done), no.component(say("Withdraw")))
    yes = OfferButton(offer.id, "yes")
    agree = (
        yes.component(say("Agree to a draw"), style="danger")
        if offer.kind == "draw"
        else yes.component(say("Agree to take it back"), style="success")
    )
    return text_layout(_offer_text(done), no.component(say("Play on")), agree)


def _offer_text(done: Answer) -> str:
    if done.offer.state == "open":
        return offer_text.open_offer(done.offer, done.before)
    return offer_text.closed(done.offer, done.after)
