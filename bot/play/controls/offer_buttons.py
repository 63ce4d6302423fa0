"""Draw and takeback offers: the public message, and the buttons to answer it.

The message is separate from every board. The harmless answer comes first, and neither looks like
the button that plays a move.
"""

from __future__ import annotations

from typing import Literal

from bot.core.errors import NotForYou, Refusal
from bot.core.i18n.slash import slash
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.posts.pings import Pings
from bot.play.delivery.boards import Boards
from bot.play.delivery.open_interactions import OpenInteractions
from bot.play.matches import offer_text
from bot.play.matches.endings import may_agree
from bot.play.matches.offer_text import missing
from bot.play.matches.offers import Answer, Offers
from bot.play.matches.positions import MatchView
from bot.play.matches.takebacks import Takebacks
from bot.play.matches.turns import check_still_playing
from data.matches.offers import Kind, Offer
from engine.phrase import say


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
    """Show on the message of an offer what became of it."""
    await reply.replace(message(done))
    if done.offer.state != "open":
        await reply.get(Offers).shown_closed(done.offer)


async def offer_draw(reply: Reply, view: MatchView) -> None:
    """Offer the others a draw.

    Raises:
        NoSuchMatch, MatchOver, NotForYou, Refusal, TooMany: see `Offers.make`.

    """
    check_still_playing(view, reply.user_id)
    if view.practice:
        raise NotForYou(
            say(
                "The computer doesn't take draws. To end this game, use `{command}`.",
                command=slash(view.game.slug, "resign"),
            )
        )
    if not may_agree(view):
        raise Refusal(
            say(
                "{game} has no draw by agreement. Once a player has given up, those left can agree "
                "to end the match.",
                game=view.game.title,
            )
        )
    await make(reply, view.match.id, "draw")


async def take_back(reply: Reply, view: MatchView) -> None:
    """Take back a player's last move at once in practice; otherwise ask the others.

    Raises:
        NoSuchMatch, MatchOver, NotForYou, OldBoard, Refusal, TooMany: see `Offers.make`.

    """
    if not view.practice:
        await make(reply, view.match.id, "takeback")
        return
    await reply.get(Takebacks).undo(view.match.id, reply.user_id)
    answer = reply.send(text_layout(say("Your last move is taken back.")), public=False)
    await reply.get(Boards).show(view.match.id, via=reply, answer=answer)


async def make(reply: Reply, match_id: int, kind: Kind) -> None:
    """Post an offer that pings the players who must agree, or agree to a standing one."""
    offers = reply.get(Offers)
    done = await offers.make(match_id, reply.user_id, kind)
    offer, view = done.offer, done.before
    if offer.agreed:
        answer = reply.send(text_layout(_offer_text(done)), public=True)
        await reply.get(Boards).show(match_id, via=reply, answer=answer)
        return
    asked = [player.user_id for player in missing(offer, view)]
    called = await reply.get(Pings).of(asked, by=reply.user_id)
    sent = await reply.send(message(done), public=True, mentions=called)
    if sent is not None:
        reply.get(OpenInteractions).remember(match_id, reply, sent)
        await offers.set_message(offer, reply.channel_id, sent)


def message(done: Answer) -> Layout:
    """Return the message of an offer, with buttons while it is open."""
    offer = done.offer
    if offer.state != "open":
        return text_layout(_offer_text(done))
    return text_layout(offer_text.open_offer(offer, done.before), *_buttons(offer))


def _offer_text(done: Answer) -> str:
    if done.offer.state == "open":
        return offer_text.open_offer(done.offer, done.before)
    return offer_text.closed(done.offer, done.after)


def _buttons(offer: Offer) -> list[Component]:
    yes = OfferButton(offer.id, "yes")
    return [
        OfferButton(offer.id, "no").component(say("Play on")),
        yes.component(say("Agree to a draw"), style="danger")
        if offer.kind == "draw"
        else yes.component(say("Agree to take it back"), style="success"),
    ]
