"""Who is absent from a round of a tournament, or has not moved in it yet."""

from __future__ import annotations

from bot.features.tournaments.view import TournamentView
from bot.play.matches.scoring import choices, hardly_begun
from data.matches import matches
from data.store.store import Transaction
from data.tournaments.values import Game


async def absentees(tx: Transaction, view: TournamentView) -> tuple[int, ...]:
    """Return the players absent from the current round, in table order.

    These lost by forfeit, or at a larger table timed out or left before choosing two moves. A
    player whose game could not begin has lost it, but is absent only if that happened in the round
    before, too. Having blocked the opponent and taking no challenges are treated alike: what
    becomes of a player must not tell the two apart.
    """
    before = await _without_a_game(tx, view, view.tournament.round - 1)
    kept_out = await _without_a_game(tx, view, view.tournament.round)
    found: dict[int, None] = {}
    for pairing in view.current:
        for game in pairing.games:
            if game.how == "forfeit":
                losers = _losers(game)
                playing = await _players(tx, game)
                found |= dict.fromkeys(
                    user for user in losers if user in playing or user not in view.present
                )
            if len(game.seats) > 2 and game.match_id is not None:
                found |= dict.fromkeys(await _gave_up_early(tx, game.match_id))
        found |= dict.fromkeys(
            user for user in pairing.players if user in kept_out and user in before
        )
    return tuple(found)


async def _without_a_game(tx: Transaction, view: TournamentView, number: int) -> set[int]:
    """Return the players of a round who lost a game that began without them, or not at all."""
    found: set[int] = set()
    for pairing in view.of_round(number):
        for game in pairing.games:
            if game.how == "forfeit" or len(game.seats) > 2:
                found |= set(_losers(game)) - await _players(tx, game)
    return found


def _losers(game: Game) -> list[int]:
    """Return the players without a point from a game."""
    scored = zip(game.seats, game.points or (), strict=False)
    return [user for user, points in scored if points == 0]


async def _players(tx: Transaction, game: Game) -> set[int]:
    """Return the players in a game's match; empty if it has none."""
    match = None if game.match_id is None else await matches.get(tx, game.match_id)
    return set() if match is None else {player.user_id for player in match.players}


async def _gave_up_early(tx: Transaction, match_id: int) -> list[int]:
    match = await matches.get_existing(tx, match_id)
    early = {"forfeited", "left"}
    if not any(one.gave_up_how in early for one in match.players):
        return []
    counter = await choices(tx, match)
    return [
        one.user_id for one in match.players if one.gave_up_how in early and counter[one.seat] < 2
    ]


async def unmoved(tx: Transaction, view: TournamentView) -> tuple[int, ...]:
    """Return the players to move in matches of the current round that have hardly begun."""
    found = []
    for _, game in view.open_games:
        if game.match_id is not None:
            match = await matches.get_existing(tx, game.match_id)
            clock = match.clock
            if clock is not None and not clock.is_paused and await hardly_begun(tx, match):
                found.append(clock.user_id)
    return tuple(dict.fromkeys(found))
