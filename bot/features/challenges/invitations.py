"""Checks invitations against their game before anything is recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.core.errors import BadOpponent
from bot.play.matches.luck_text import word_in
from engine import registry
from engine.errors import BadOption
from engine.phrase import capital, listed, plural, say

if TYPE_CHECKING:
    from data.challenges.challenge import Invitation
    from engine.registry import AnyGame


def checked(invitation: Invitation) -> Invitation:
    """Return an invitation with all options of its game, and places only if some are open.

    Raises:
        BadOpponent: the challenger, the same person twice, or a wrong number of players.
        BadOption: no such option or value, or a seat not used with this many players.

    """
    game = registry.game(invitation.game)
    named = 1 + len(invitation.opponents)
    number = _players(invitation, game, named)
    seats = game.seats(number)
    if invitation.seat is not None and invitation.seat not in seats:
        raise BadOption(
            say(
                "There's no {asked} seat with {number} players. The seats are {names}.",
                number=number,
                asked=capital(game.seat_names[invitation.seat]),
                names=listed(capital(game.seat_names[seat]) for seat in seats),
            )
        )
    places = None if number == named else number
    return replace(
        invitation,
        options=game.settle(invitation.options),
        places=places,
        word=word_in(invitation.game, invitation.word),
    )


def _players(invitation: Invitation, game: AnyGame, named: int) -> int:
    """Return the number of players, given how many are named."""
    if invitation.challenger_id in invitation.opponents:
        raise BadOpponent(say("You can't challenge yourself. Pick someone else."))
    if len(set(invitation.opponents)) < named - 1:
        raise BadOpponent(say("You named the same person twice. Pick different opponents."))
    fewest = game.players[0] if named == 1 else named
    number = fewest if invitation.places is None else invitation.places
    if number not in game.players:
        span = listed((str(one) for one in game.players), either=True)
        raise BadOpponent(
            say("This game is for {span} players, not {number}.", span=span, number=number)
        )
    if number < named:
        raise BadOpponent(
            plural(
                "You asked for one player, but with the people you named there are {named}.",
                "You asked for {n} players, but with the people you named there are {named}.",
                number,
                named=named,
            )
        )
    return number
