"""The text of an offer, while it is open and afterwards."""

from __future__ import annotations

from bot.core.computers import is_person
from bot.core.i18n.mentions import mention, mention_all
from bot.play.matches import story
from bot.play.matches.positions import MatchView
from bot.play.matches.stand_ins import playing
from data.matches.matches import Player
from data.matches.offers import Offer
from engine.game import Seat
from engine.phrase import Phrase, lines, say


def missing(offer: Offer, view: MatchView) -> list[Player]:
    """Return the players yet to agree; computers and players who gave up need not."""
    return [
        player
        for player in playing(view.match)
        if player.seat != offer.seat
        and str(player.seat) not in offer.agreed
        and is_person(player.user_id)
    ]


def open_offer(offer: Offer, view: MatchView) -> Phrase:
    """Return an open offer, which mentions the players yet to agree."""
    left = mention_all(player.user_id for player in missing(offer, view))
    words: list[str]
    if offer.kind == "draw" and view.match.given_up:
        words = [
            say(
                "{others}, {player} offers to end match #{number} here. You share first place, "
                "and whoever gave up stays last.",
                others=left,
                player=_asker(offer, view),
                number=offer.match_id,
            )
        ]
    elif offer.kind == "draw":
        words = [
            say(
                "{others}, {player} offers you a draw in match #{number} (rule {rule}).",
                others=left,
                player=_asker(offer, view),
                number=offer.match_id,
                rule=view.game.agreed_draw,
            )
        ]
    else:
        words = [
            say(
                "{others}, {asker} would like to take back the last move of match #{number}:",
                others=left,
                asker=_asker(offer, view),
                number=offer.match_id,
            ),
            story.entry_line(view, view.tail[-1]),
        ]
    if offer.agreed:
        agreed = [p.user_id for p in view.match.players if str(p.seat) in offer.agreed]
        words.append(say("Agreed so far: {players}.", players=mention_all(agreed)))
    words.append(say("-# The offer stands until the next move."))
    return lines(words)


def closed(offer: Offer, view: MatchView) -> Phrase:
    """Return the outcome of an offer that is no longer open, given the current match."""
    asker, number = _asker(offer, view), offer.match_id
    match offer.state:
        case "agreed":
            return _agreed(offer, view)
        case "withdrawn" if offer.kind == "draw":
            return say(
                "{player} withdrew the draw offer in match #{number}. Play goes on.",
                player=asker,
                number=number,
            )
        case "withdrawn":
            return say(
                "{player} withdrew the takeback request in match #{number}. Play goes on.",
                player=asker,
                number=number,
            )
        case "declined":
            return _declined(offer, view)
        case _:
            return _lapsed(offer, view)


def _agreed(offer: Offer, view: MatchView) -> Phrase:
    facts = {"asker": _asker(offer, view), "number": offer.match_id}
    others = [player for player in playing(view.match) if player.seat != offer.seat]
    if len(others) > 1:
        if offer.kind == "draw":
            return say("Everyone accepted {asker}'s draw offer in match #{number}.", **facts)
        return say("Everyone agreed: {asker} takes back the last move of match #{number}.", **facts)
    player = mention(others[0].user_id)
    if offer.kind == "draw":
        return say(
            "{player} accepted {asker}'s draw offer in match #{number}.",
            player=player,
            **facts,
        )
    return say(
        "{player} agreed: {asker} takes back the last move of match #{number}.",
        player=player,
        **facts,
    )


def _declined(offer: Offer, view: MatchView) -> Phrase:
    by = next((p.user_id for p in view.match.players if p.seat == offer.answered_by), 0)
    if offer.kind == "draw":
        return say(
            "{player} declined the draw in match #{number}. Play goes on.",
            player=mention(by),
            number=offer.match_id,
        )
    return say(
        "{player} declined the takeback in match #{number}. Play goes on.",
        player=mention(by),
        number=offer.match_id,
    )


def _lapsed(offer: Offer, view: MatchView) -> Phrase:
    facts = {"player": _asker(offer, view), "number": offer.match_id}
    draw = offer.kind == "draw"
    if view.match.finished:
        return (
            say("{player}'s draw offer has lapsed: match #{number} is over.", **facts)
            if draw
            else say("{player}'s takeback request has lapsed: match #{number} is over.", **facts)
        )
    if view.match.given_up != offer.given_up:
        return (
            say("{player}'s draw offer has lapsed: a player gave up.", **facts)
            if draw
            else say("{player}'s takeback request has lapsed: a player gave up.", **facts)
        )
    if view.match.takebacks != offer.takebacks:
        return (
            say(
                "{player}'s draw offer has lapsed: a move was taken back in match #{number}.",
                **facts,
            )
            if draw
            else say(
                "{player}'s takeback request has lapsed: a move was taken back in match #{number}.",
                **facts,
            )
        )
    return (
        say(
            "{player}'s draw offer has lapsed: a move was made in match #{number}.",
            **facts,
        )
        if draw
        else say(
            "{player}'s takeback request has lapsed: a move was made in match #{number}.", **facts
        )
    )


def _asker(offer: Offer, view: MatchView) -> str:
    return mention(view.player_at(Seat(offer.seat)).user_id)
