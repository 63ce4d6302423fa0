"""Charts: data become a :class:`engine.scene.Scene`, and that a PNG."""

from render.charts.axis import DayTick, Grain
from render.charts.drawing import painted
from render.charts.equity import MAX_MISTAKES, Equity, EquityWords, Mistake, equity
from render.charts.history import History, HistoryWords, Point, Record, history
from render.charts.leaderboard import FORM, Leaderboard, LeaderboardWords, Row, leaderboard
from render.charts.signs import Letters, margin
from render.charts.tournament import (
    Bracket,
    Cell,
    Slot,
    TableLine,
    TournamentTable,
    TournamentWords,
    bracket,
    tournament_table,
)

__all__ = [
    "FORM",
    "MAX_MISTAKES",
    "Bracket",
    "Cell",
    "DayTick",
    "Equity",
    "EquityWords",
    "Grain",
    "History",
    "HistoryWords",
    "Leaderboard",
    "LeaderboardWords",
    "Letters",
    "Mistake",
    "Point",
    "Record",
    "Row",
    "Slot",
    "TableLine",
    "TournamentTable",
    "TournamentWords",
    "bracket",
    "equity",
    "history",
    "leaderboard",
    "margin",
    "painted",
    "tournament_table",
]
