"""Rates a match in the transaction that ends it, and undoes that if the match is voided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import product

from bot.core.hooks import on_match_ended, on_match_voided
from bot.play.boards.board_text import Told, about_end
from bot.play.matches.positions import MatchView
from bot.play.ratings import changes
from bot.play.ratings.calculator import FULL, WEEK, Calculator, pairs, unequal
from bot.play.ratings.eligibility import is_rated
from bot.play.ratings.seasons import MIN_OPPONENTS, Season
from bot.play.ratings.skill import established
from data import locks
from data.matches import match_log
from data.matches.match import Entry, Match
from data.ratings import rating_changes, ratings, results, scores, season_ratings
from data.ratings.rating import EVERYWHERE, Key, Rating, Result, SeasonKey, SeasonRating
from data.store.store import Store, Transaction


@on_match_ended(order=10)
async def rate(tx: Transaction, match: Match, at: datetime) -> bool:
    """Count and rate a match ended by this transaction; return whether it is rated.

    A match in which a computer played below its level counts nowhere: every statistic and milestone
    comes from the results stored here.
    """
    if match.eased or any(player.rank is None for player in match.players):
        return False
    await locks.lock_results(tx, match.game)
    # Moves a computer made for someone who gave up are not that player's.
    until = {p.seat: p.gave_up_ply for p in match.players if p.gave_up_ply is not None}
    log = await match_log.read(tx, match.id)
    times = _move_times(log, match.created_at, until)
    rated = await is_rated(tx, match)
    result = await results.add(tx, match, at=at, rated=rated, times=times)
    calculator = await _calculator(tx, result) if rated else None
    await scores.add(tx, result)
    if calculator is not None:
        await rating_changes.put(tx, calculator.rate(result))
        await put(tx, result.game, calculator.ratings)
        await ratings.put_sides(tx, list(calculator.sides.values()))
        await season_ratings.put(tx, result.game, dict(calculator.seasons.ratings))
    return rated


@on_match_voided(order=10)
async def take_back(tx: Transaction, match: Match, _: datetime) -> None:
    """Take back the scores of a match to be voided, and mark the ratings that depend on it."""
    await locks.lock_results(tx, match.game)
    result = await results.of_match(tx, match.id)
    if result is None:
        return
    await scores.add(tx, result, -1)
    await results.remove(tx, match.id)
    if result.rated:
        await ratings.outdate(tx, result.game, result.id)
        people = [player.user_id for player in result.players]
        await ratings.remove_unfounded(tx, result.game, product(result.scopes, people))
        await _remove_unfounded_seasons(tx, result)


@about_end(order=30)
async def _changes(store: Store, view: MatchView, told: Told) -> str:
    if told == "result":
        return ""
    found = await changes.of_match(store, view)
    return "" if found is None else changes.changes_line(found)


async def _remove_unfounded_seasons(tx: Transaction, removed: Result) -> None:
    """Remove season ratings left without any result after one was removed."""
    season = Season.at(removed.at)
    gone: dict[SeasonKey, SeasonRating | None] = {
        (season.number, removed.guild_id, player.user_id): None
        for player in removed.players
        if removed.guild_id is not None
        and not await _met(tx, removed, player.user_id, season, limit=1)
    }
    await season_ratings.put(tx, removed.game, gone)


async def _met(
    tx: Transaction, result: Result, user_id: int, season: Season, *, limit: int
) -> tuple[int, ...]:
    """Return a player's opponents in the season, server and game of a result."""
    assert result.guild_id is not None
    return await season_ratings.met(
        tx,
        result.game,
        result.guild_id,
        user_id,
        since=season.start,
        until=season.end,
        limit=limit,
    )


async def put(tx: Transaction, game: str, computed: Mapping[Key, Rating | None]) -> None:
    """Store computed ratings, and whether they are now established."""
    opponents = await scores.opponents(tx, game, {user_id for _, user_id in computed})
    await ratings.put(
        tx,
        game,
        {
            key: rating
            and rating._replace(
                opponents=opponents[key],
                established=established(rating.games, opponents[key]),
            )
            for key, rating in computed.items()
        },
    )


async def _calculator(tx: Transaction, result: Result) -> Calculator:
    """Return a calculator with all data needed to rate a game's newest result, not yet counted."""
    calculator = Calculator()
    game, people = result.game, [player.user_id for player in result.players]
    known = await ratings.of_players(tx, game, people)
    calculator.ratings |= {key: known[key] for key in known if key[0] in result.scopes}
    met_many = {
        user_id
        for user_id in people
        if (own := known.get((EVERYWHERE, user_id))) is not None and own.opponents >= FULL
    }
    calculator.add_well_known(met_many)
    if others := set(people) - met_many:
        for user_id, rival_id in await scores.met(tx, game, others):
            calculator.add_opponents(user_id, [rival_id])
    since = result.at - WEEK
    for pair in pairs(result):
        times = await rating_changes.meetings(tx, game, pair, since=since, before=result.id)
        calculator.add_meetings(pair, *times)
    if unequal(result):
        for scope in result.scopes:
            for side in await ratings.sides(tx, game, scope):
                calculator.sides[scope, side.seat] = side
    await _add_season(tx, calculator, result)
    return calculator


async def _add_season(tx: Transaction, calculator: Calculator, result: Result) -> None:
    """Add the data needed to rate a result in its season."""
    if result.guild_id is None:
        return
    season, scope = Season.at(result.at), result.guild_id
    people = [player.user_id for player in result.players]
    known = await season_ratings.of_players(tx, result.game, season.number, scope, people)
    calculator.seasons.ratings |= known
    for user_id in people:
        key = season.number, scope, user_id
        if key in known and known[key].opponents >= MIN_OPPONENTS:
            calculator.seasons.add_enough(key)
            continue
        # The query includes this result, whose players meet in any case.
        others = await _met(tx, result, user_id, season, limit=MIN_OPPONENTS)
        calculator.seasons.add_met(key, others)


def _move_times(
    log: Iterable[Entry], begun: datetime, until: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """Return the number of turns of each seat in a log, and the seconds they took.

    For seats in ``until``, only moves up to that entry count.

    A turn lasts from the entry before it to its first decision; consecutive decisions of a seat,
    even with luck in between, are one turn.
    """
    times: dict[int, tuple[int, float]] = {}
    mover, since = None, begun
    for entry in log:
        if entry.actor is not None and entry.actor != mover:
            mover = entry.actor
            if entry.ply > until.get(mover, entry.ply):
                since = entry.made_at
                continue
            turns, seconds = times.get(mover, (0, 0.0))
            elapsed = (entry.made_at - since).total_seconds()
            times[mover] = (turns + 1, seconds + max(0.0, elapsed))
        since = entry.made_at
    return {seat: (turns, round(seconds)) for seat, (turns, seconds) in times.items()}
