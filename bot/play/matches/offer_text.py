"""An offer of a draw, or a request to take a move back, in words."""

from __future__ import annotations

from bot.core.computers import is_person
from bot.core.i18n.mentions import mention, mention_all
from bot.play.matches.computer_players import playing
from bot.play.matches.match_text import entry_line
from bot.play.matches.positions import Position
from data.matches.match import Player
from data.matches.offers import Offer
from engine.game import Seat
from engine.phrase import Phrase, lines, say


def missing(offer: Offer, position: Position) -> list[Player]:
    """Return the players yet to agree; computers and players who gave up need not."""
    agreed = {str(offer.seat), *offer.agreed}
    others = [player for player in playing(position.match) if str(player.seat) not in agreed]
    return [player for player in others if is_person(player.user_id)]


def open_offer(offer: Offer, position: Position) -> Phrase:
    """Return an open offer, which mentions the players yet to agree."""
    asker, number = _asker(offer, position), offer.match_id
    others = mention_all(player.user_id for player in missing(offer, position))
    words: list[str]
    if offer.kind == "takeback":
        words = [
            say(
                "{others}, {asker} would like to take back the last move of match #{number}:",
                others=others,
                asker=asker,
                number=number,
            ),
            entry_line(position, position.tail[-1]),
        ]
    elif position.match.given_up:
        words = [
            say(
                "{others}, {player} offers to end match #{number} here. You share first place, "
                "and whoever gave up stays last.",
                others=others,
                player=asker,
                number=number,
            )
        ]
    else:
        words = [
            say(
                "{others}, {player} offers you a draw in match #{number} (rule {rule}).",
                others=others,
                player=asker,
                number=number,
                rule=position.game.agreed_draw,
            )
        ]
    if offer.agreed:
        agreed = [p.user_id for p in position.match.players if str(p.seat) in offer.agreed]
        words.append(say("Agreed so far: {players}.", players=mention_all(agreed)))
    words.append(say("-# The offer stands until the next move."))
    return lines(words)


def closed(offer: Offer, position: Position) -> Phrase:
    """Return the outcome of an offer that is no longer open, given the current match."""
    draw, number = offer.kind == "draw", offer.match_id
    if offer.state == "agreed":
        return _agreed(offer, position)
    if offer.state == "withdrawn":
        facts = {"player": _asker(offer, position), "number": number}
        if draw:
            return say(
                "{player} withdrew the draw offer in match #{number}. Play goes on.", **facts
            )
        return say(
            "{player} withdrew the takeback request in match #{number}. Play goes on.", **facts
        )
    if offer.state == "declined":
        by = next((p.user_id for p in position.match.players if p.seat == offer.answered_by), 0)
        facts = {"player": mention(by), "number": number}
        if draw:
            return say("{player} declined the draw in match #{number}. Play goes on.", **facts)
        return say("{player} declined the takeback in match #{number}. Play goes on.", **facts)
    return _lapsed(offer, position)


def _agreed(offer: Offer, position: Position) -> Phrase:
    facts = {"asker": _asker(offer, position), "number": offer.match_id}
    others = [player for player in playing(position.match) if player.seat != offer.seat]
    if len(others) > 1:
        if offer.kind == "draw":
            return say("Everyone accepted {asker}'s draw offer in match #{number}.", **facts)
        return say("Everyone agreed: {asker} takes back the last move of match #{number}.", **facts)
    facts["player"] = mention(others[0].user_id)
    if offer.kind == "draw":
        return say("{player} accepted {asker}'s draw offer in match #{number}.", **facts)
    return say("{player} agreed: {asker} takes back the last move of match #{number}.", **facts)


def _lapsed(offer: Offer, position: Position) -> Phrase:
    facts = {"player": _asker(offer, position), "number": offer.match_id}
    if position.match.finished:
        draw = say("{player}'s draw offer has lapsed: match #{number} is over.", **facts)
        takeback = say("{player}'s takeback request has lapsed: match #{number} is over.", **facts)
    elif position.match.given_up != offer.given_up:
        draw = say("{player}'s draw offer has lapsed: a player gave up.", **facts)
        takeback = say("{player}'s takeback request has lapsed: a player gave up.", **facts)
    elif position.match.takebacks != offer.takebacks:
        draw = say(
            "{player}'s draw offer has lapsed: a move was taken back in match #{number}.", **facts
        )
        takeback = say(
            "{player}'s takeback request has lapsed: a move was taken back in match #{number}.",
            **facts,
        )
    else:
        draw = say("{player}'s draw offer has lapsed: a move was made in match #{number}.", **facts)
        takeback = say(
            "{player}'s takeback request has lapsed: a move was made in match #{number}.", **facts
        )
    return draw if offer.kind == "draw" else takeback


def _asker(offer: Offer, position: Position) -> str:
    return mention(position.player_at(Seat(offer.seat)).user_id)
