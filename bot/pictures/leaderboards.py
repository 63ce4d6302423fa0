"""Leaderboards and profiles as charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.leaderboards import text as words
from bot.ratings import gate
from engine import registry
from engine.phrase import capital
from render.charts import History, Leaderboard, Point, Record, Row

if TYPE_CHECKING:
    from datetime import datetime

    from bot.leaderboards.profile import Profile
    from bot.leaderboards.service import Board
    from data.leaderboards import Standing


def of_board(board: Board, reader: int) -> Leaderboard | None:
    """Return the chart of a page, with the reader's row; ``None`` where nobody is on it."""
    rows = [
        _row(standing, board.now, reader, place)
        for place, standing in enumerate(board.listed, start=board.first)
    ]
    rows += [_row(standing, board.now, reader) for standing in board.waiting]
    if not rows:
        return None
    apart = None
    if board.own is not None and not words.shows(board, reader):
        apart = _row(board.own.standing, board.now, reader, board.own.place)
    return Leaderboard(tuple(rows), apart)


def _row(standing: Standing, now: datetime, reader: int, place: int | None = None) -> Row:
    skill = gate.skill(standing, now)
    return Row(
        place=place,
        rating=skill.points,
        margin=skill.margin,
        form=standing.form,
        provisional=not standing.settled,
        idle=standing.settled and gate.idle(standing, now),
        own=standing.user_id == reader,
    )


def of_profile(profile: Profile) -> History | None:
    """Return the chart of the chosen game; ``None`` without a rated match of it."""
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
    points = tuple(
        Point(
            at=moment.at,
            rating=moment.skill.points,
            margin=moment.skill.margin,
            provisional=moment.provisional,
        )
        for moment in profile.history
    )
    return History(points, records)
