"""Plays the games of a round: begins their matches and records their results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeAlias

from bot.core.settings.service import of_player
from bot.features.tournaments.view import TournamentView
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import Sealed
from bot.play.matches.scoring import choices, decided, hardly_begun, without
from bot.play.matches.start import Terms, start
from data.matches import matches
from data.people import exclusions
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds
from data.tournaments.tournament_rounds import Game, Pairing
from engine.luck import derived

Open: TypeAlias = tuple[Pairing, Game]
"""An undecided game and its pairing."""


async def begin(
    tx: Transaction,
    deadlines: Deadlines,
    view: TournamentView,
    pairing: Pairing,
    game: Game,
    *,
    now: datetime,
    departed: Collection[int],
) -> None:
    """Begin a game's match, or decide the game if too few players are present."""
    terms = view.tournament
    for user_id in sorted(set(game.seats) & set(departed)):
        await tournament_entrants.withdraw(tx, view.id, user_id, after=terms.round, reason="gone")
    absent = {
        user
        for user in game.seats
        if user in departed or await _refuses_to_play(tx, user, game.seats)
    }
    here = [user for user in game.seats if user not in absent]
    if len(here) not in view.game.players:
        points, how = without(game.seats, absent)
        await tournament_rounds.decide(tx, view.id, pairing, game, points=points, how=how)
        return
    name = tournament_rounds.drawn_for(view.id, pairing, game)
    words = await tournament_entrants.words(tx, view.id, here)
    match = await start(
        tx,
        deadlines,
        Terms(
            game=terms.game,
            options=terms.options,
            guild_id=terms.guild_id,
            channel_id=terms.channel_id,
            days=terms.days,
            bank=terms.bank,
            casual=terms.casual,
        ),
        Sealed(derived(terms.seed, name), name, words),
        seats=dict(zip(here, view.game.seats(len(here)), strict=True)),
        at=now,
    )
    await tournament_rounds.set_match(tx, view.id, pairing, game, match.id)


async def _refuses_to_play(tx: Transaction, user_id: int, seats: Sequence[int]) -> bool:
    """Return whether a player won't play the others: a player who blocks an opponent loses.

    So nobody has to play an opponent they have blocked, and nobody wins by blocking.
    """
    if await _declines(tx, user_id):
        return True
    others = [other for other in seats if other != user_id]
    return any(
        blocker == user_id for blocker, _ in await exclusions.blocks_between(tx, user_id, others)
    )


async def _declines(tx: Transaction, user_id: int) -> bool:
    """Return whether a player takes no challenges, or has deleted their data."""
    return user_id <= 0 or not (await of_player(tx, user_id)).challenges


async def decide(tx: Transaction, view: TournamentView, pairing: Pairing, game: Game) -> None:
    """Record the result of a game whose match has ended."""
    match = await matches.get(tx, game.match_id or 0)
    assert match is not None, "a match is never removed"
    points, how = await decided(tx, match, game.seats)
    await tournament_rounds.decide(tx, view.id, pairing, game, points=points, how=how)


async def absent(tx: Transaction, view: TournamentView) -> tuple[int, ...]:
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
    match = await matches.get(tx, match_id)
    assert match is not None
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
    for pairing in view.current:
        for game in pairing.games:
            if game.points is None and game.match_id is not None:
                match = await matches.get(tx, game.match_id)
                assert match is not None
                clock = match.clock
                if clock is not None and not clock.is_paused and await hardly_begun(tx, match):
                    found.append(clock.user_id)
    return tuple(dict.fromkeys(found))
