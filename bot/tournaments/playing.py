"""The games of a round: how their matches begin, and what their results are."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bot.matches.begun import hardly_begun
from bot.settings.service import of_player
from bot.tournaments import results
from data import blocks, matches, tournament_entrants, tournament_rounds
from data.challenges import Invitation
from data.tournament_rounds import Game, Pairing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bot.challenges.service import Challenges
    from bot.tournaments.view import TournamentView
    from data.store import Transaction

Open: TypeAlias = tuple[Pairing, Game]
"""A game that is not decided, and the pairing that it belongs to."""


async def begin(
    tx: Transaction,
    challenges: Challenges,
    seen: TournamentView,
    pairing: Pairing,
    game: Game,
    *,
    gone: Collection[int],
) -> None:
    """Begin the match of a game, or decide it where too few are there to play."""
    terms = seen.tournament
    for user_id in sorted(set(game.seats) & set(gone)):
        await tournament_entrants.withdraw(tx, seen.id, user_id, after=terms.round, why="gone")
    absent = {
        user for user in game.seats if user in gone or await _stays_away(tx, user, game.seats)
    }
    here = [user for user in game.seats if user not in absent]
    if len(here) not in seen.game.players:
        points, how = results.without(game.seats, absent)
        await tournament_rounds.decide(tx, seen.id, pairing, game, points=points, how=how)
        return
    begun = await challenges.begin(
        tx,
        Invitation(
            game=terms.game,
            options=terms.options,
            guild_id=terms.guild_id,
            channel_id=terms.channel_id,
            challenger_id=here[0],
            opponents=tuple(here[1:]),
            days=terms.days,
            bank=terms.bank,
            casual=terms.casual,
            in_order=True,
        ),
        place=None,
    )
    assert begun.match_id is not None
    await tournament_rounds.set_match(tx, seen.id, pairing, game, begun.match_id)


async def _stays_away(tx: Transaction, user_id: int, seats: Sequence[int]) -> bool:
    """Return whether a player does not play with the others: whoever blocks loses the game.

    So nobody has to play with somebody they have blocked, and nobody wins by blocking.
    """
    if await _declines(tx, user_id):
        return True
    others = [other for other in seats if other != user_id]
    return any(blocker == user_id for blocker, _ in await blocks.concerning(tx, user_id, others))


async def _declines(tx: Transaction, user_id: int) -> bool:
    """Return whether a player takes no challenges, or has deleted their data."""
    return user_id <= 0 or not (await of_player(tx, user_id)).challenges


async def decide(tx: Transaction, seen: TournamentView, pairing: Pairing, game: Game) -> None:
    """Take up the result of a game whose match has ended."""
    match = await matches.get(tx, game.match_id or 0)
    assert match is not None, "a match is never removed"
    points, how = await results.decided(tx, match, game.seats)
    await tournament_rounds.decide(tx, seen.id, pairing, game, points=points, how=how)


async def absent(tx: Transaction, seen: TournamentView) -> tuple[int, ...]:
    """Return who did not come in the present round, in the order of the tables.

    That is who lost by forfeit, and who ran out of time or left at a larger table before they had
    chosen two moves. Whoever was kept out of a game by their own block has lost it, but was there.
    """
    found: dict[int, None] = {}
    for pairing in seen.current:
        for game in pairing.games:
            if game.how == "forfeit" and game.points is not None:
                lost = zip(game.seats, game.points, strict=True)
                losers = [user for user, points in lost if points == 0]
                playing = await _players(tx, game)
                found |= {
                    user: None
                    for user in losers
                    if user in playing or user not in seen.present or await _declines(tx, user)
                }
            if len(game.seats) > 2 and game.match_id is not None:
                found |= dict.fromkeys(await _gave_up_early(tx, game.match_id))
    return tuple(found)


async def _players(tx: Transaction, game: Game) -> set[int]:
    """Return who plays in the match of a game, if it has one."""
    match = None if game.match_id is None else await matches.get(tx, game.match_id)
    return set() if match is None else {player.user_id for player in match.players}


async def _gave_up_early(tx: Transaction, match_id: int) -> list[int]:
    match = await matches.get(tx, match_id)
    assert match is not None
    early = {"forfeited", "left"}
    if not any(one.gave_up_how in early for one in match.players):
        return []
    made = await results.choices(tx, match)
    return [one.user_id for one in match.players if one.gave_up_how in early and made[one.seat] < 2]


async def unmoved(tx: Transaction, seen: TournamentView) -> tuple[int, ...]:
    """Return whose move is awaited in matches of the present round that have hardly begun."""
    found = []
    for pairing in seen.current:
        for game in pairing.games:
            if game.points is None and game.match_id is not None:
                match = await matches.get(tx, game.match_id)
                assert match is not None
                clock = match.clock
                if clock is not None and not clock.stands and await hardly_begun(tx, match):
                    found.append(clock.user_id)
    return tuple(dict.fromkeys(found))
