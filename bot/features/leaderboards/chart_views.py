"""Leaderboards and profiles as charts: the picture, and a description that says the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bot.features.leaderboards import text as words
from bot.features.leaderboards.profiles import Profile
from bot.features.leaderboards.service import LeaderboardPage, Placed, SeasonPage
from bot.play.ratings import changes
from bot.play.ratings.skill import Skill, after_pause
from data.ratings.rating import Rating, RatingChange
from engine import registry
from engine.phrase import capital
from render.charts import History, Leaderboard, Point, Record, Row


def of_board(board: LeaderboardPage, reader: int, title: str) -> Leaderboard | None:
    """Return the chart of a page, with the reader's row; ``None`` for an empty page.

    Args:
        board: the page.
        reader: the user whose row is marked.
        title: the headline, the game's title.

    """
    rows = [
        _row(rating, board.now, reader, rank)
        for rank, rating in enumerate(board.ranked, start=board.page.start + 1)
    ]
    rows += [
        _row(rating, board.now, reader, letter=letter)
        for letter, rating in zip(words.LETTERS, board.unranked, strict=False)
    ]
    if not rows:
        return None
    apart = None
    if board.own is not None and not words.shows(board, reader):
        apart = _row(board.own.rating, board.now, reader, board.own.rank)
    return Leaderboard(tuple(rows), apart, title)


def _row(
    rating: Rating, now: datetime, reader: int, rank: int | None = None, letter: str = ""
) -> Row:
    skill = after_pause(rating, now)
    return Row(
        place=rank,
        rating=skill.points,
        margin=skill.margin,
        form=rating.form,
        provisional=not rating.established,
        idle=rating.established and changes.inactive(rating, now),
        own=rating.user_id == reader,
        letter=letter,
    )


def of_season(board: SeasonPage, reader: int, title: str) -> Leaderboard | None:
    """Return the chart of a season page, with the reader's row; ``None`` for an empty page."""
    letters = iter(words.LETTERS)
    rows = [_placed(one, reader, letters) for one in board.placed]
    if not rows:
        return None
    apart = None
    if board.own is not None and not any(row.own for row in rows):
        apart = _placed(board.own, reader, iter([""]))
    return Leaderboard(tuple(rows), apart, title)


def _placed(one: Placed, reader: int, letters: Iterator[str]) -> Row:
    rating = one.rating
    return Row(
        place=one.place,
        rating=rating.points,
        margin=Skill(rating.mu, rating.sigma).margin,
        form=rating.form,
        provisional=one.place is None,
        own=rating.user_id == reader,
        letter=next(letters) if one.place is None else "",
    )


def of_profile(profile: Profile) -> History | None:
    """Return the chart of the chosen game; ``None`` without a rated match in it."""
    chosen = profile.chosen
    if chosen is None or not profile.history:
        return None
    game = registry.games().get(chosen.slug)
    records: tuple[Record, ...] = ()
    if game is not None and len(chosen.sides) > 1:
        records = tuple(
            Record(capital(game.seat_names[seat]), made.won, made.drawn, made.lost)
            for seat, made in chosen.sides
        )
    established = chosen.ranking is not None and chosen.ranking.rating.established
    return History(
        tuple(_point(change, established=established) for change in profile.history),
        records,
        "" if game is None else game.title,
    )


def _point(change: RatingChange, *, established: bool) -> Point:
    skill = Skill(change.mu, change.sigma)
    return Point(
        at=change.at,
        rating=skill.points,
        margin=skill.margin,
        provisional=changes.was_provisional(change, established_now=established),
    )
