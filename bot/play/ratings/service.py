"""Rates a match in the transaction that ends it, says what that changed, and undoes it if voided.

What is said is read from the changes made by the match itself, so later matches do not affect it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Literal

from bot.core.computers import is_practice
from bot.core.hooks import on_match_ended, on_match_voided
from bot.core.i18n.mentions import mention
from bot.play.boards.board_text import Told, about_end
from bot.play.matches.positions import Position
from bot.play.matches.scoring import is_rated
from bot.play.ratings.calculator import FULL, MAX_PER_WEEK, WEEK, Calculator, pairs, unequal
from bot.play.ratings.seasons import MIN_OPPONENTS, Season
from bot.play.ratings.skill import START, Skill, established, was_provisional
from data import locks
from data.matches import match_log
from data.matches.match import Entry, Match
from data.ratings import rating_changes, ratings, results, scores, season_ratings
from data.ratings.rating import EVERYWHERE, Key, Rating, Result, SeasonKey, SeasonRating
from data.ratings.rating_changes import MatchChange
from data.store.store import Store, Transaction
from engine.phrase import Phrase, concat, lines, say


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
        tx, result.game, result.guild_id, user_id, since=season.start, until=season.end, limit=limit
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
                opponents=opponents[key], established=established(rating.games, opponents[key])
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
    calculator.opponents |= dict.fromkeys(met_many)
    if others := set(people) - met_many:
        for user_id, rival_id in await scores.met(tx, game, others):
            calculator.opponents.add(user_id, [rival_id])
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
            calculator.seasons.opponents[key] = None
            continue
        # The query includes this result, whose players meet in any case.
        others = await _met(tx, result, user_id, season, limit=MIN_OPPONENTS)
        calculator.seasons.opponents.add(key, others)


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


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """A match's effect on ratings."""

    kind: Literal["unrated", "uncounted", "often", "later", "changed"]
    """Whether ratings changed, and if not, why.

    unrated: by agreement. uncounted: the match does not count. often: every two of its players had too
    many recent matches. later: ratings are being recomputed, and have not reached this match yet.
    """
    everywhere: bool
    """Whether the ratings are those over all servers, for a match outside servers."""
    changes: tuple[MatchChange, ...] = ()
    """In seat order."""

    @property
    def skipped(self) -> bool:
        """Whether games between some of the players did not count as they meet too often."""
        return any(change.after.skipped for change in self.changes)

    @property
    def partly(self) -> bool:
        """Whether some games counted less because a player has met few others."""
        return any(change.after.rated and change.after.share < 1 for change in self.changes)


async def changes_of(store: Store, position: Position) -> RatingChanges | None:
    """Return how a match changed ratings; ``None`` without a result or for practice."""
    match = position.match
    # In practice, the heading of every board says that no ratings change.
    if (
        is_practice(match)
        or not match.finished
        or any(player.rank is None for player in match.players)
    ):
        return None
    everywhere = match.guild_id is None
    scope = match.guild_id or EVERYWHERE
    if match.unrated:
        return RatingChanges("unrated", everywhere)
    async with store.read() as tx:
        result = await results.of_match(tx, match.id)
        found = await rating_changes.of_match(tx, match.id)
    if result is None or not result.rated:
        return RatingChanges("uncounted", everywhere)
    here = {change.after.user_id: change for change in found if change.after.scope == scope}
    if any(player.user_id not in here for player in match.players):
        return RatingChanges("later", everywhere)
    if not any(change.after.rated for change in here.values()):
        return RatingChanges("often", everywhere)
    changes = tuple(here[player.user_id] for player in match.players)
    return RatingChanges("changed", everywhere, changes)


def changes_line(after: RatingChanges) -> Phrase:
    """Return how a match changed ratings, and why so little, as small lines."""
    parts = [_change_text(after)]
    if after.partly:
        parts.append(say("This game counts for less: some players have met few opponents so far."))
    if after.skipped:
        parts.append(
            say(
                "Once two players have {most} rated games in {days} days, further games "
                "between them don't count.",
                most=MAX_PER_WEEK,
                days=WEEK.days,
            )
        )
    return lines(concat("-# ", part) for part in parts)


def _change_text(after: RatingChanges) -> Phrase:
    if after.kind == "unrated":
        return say("Unrated: no rating changes.")
    if after.kind == "uncounted":
        return say("This game wasn't rated: no rating changes.")
    if after.kind == "later":
        return say("Ratings are being recalculated. This game counts in a moment.")
    if after.kind == "often":
        return say(
            "No rating changes: only {most} games in {days} days count between the same players.",
            days=WEEK.days,
            most=MAX_PER_WEEK,
        )
    moved = lines((_moved(one) for one in after.changes), " · ")
    if "?" in moved:
        # Translators: moved is a list like "@Ann 1500? → 1516? (+16)".
        moved = say("{moved} (with a question mark: a first guess, after few games)", moved=moved)
    if after.everywhere:
        # Translators: moved is a list like "@Ann 1512 → 1530 (+18)".
        return say("Ratings on all servers: {moved}", moved=moved)
    # Translators: moved is a list like "@Ann 1512 → 1530 (+18)".
    return say("Ratings here: {moved}", moved=moved)


def _moved(change: MatchChange) -> Phrase:
    before, after = change.before, change.after
    old = START if before is None else Skill(before.mu, before.sigma)
    new = Skill(after.mu, after.sigma)
    was = before is None or was_provisional(before, established_now=change.established)
    still = was_provisional(after, established_now=change.established)
    points = f" {old.points}{'?' * was} → {new.points}{'?' * still}"
    return concat(mention(after.user_id), points, f" ({difference(new.points - old.points)})")


def difference(points: int) -> str:
    """Return points with a sign."""
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"−{-points}"


@about_end(order=30)
async def _changes(store: Store, position: Position, told: Told) -> str:
    if told == "result":
        return ""
    found = await changes_of(store, position)
    return "" if found is None else changes_line(found)
