"""Charts: pictures of figures. Data become a :class:`engine.scene.Scene`, and that a PNG."""

from render.charts.axis import DayTick, Grain
from render.charts.drawing import painted
from render.charts.equity import MOST_SLIPS, Equity, Slip, equity
from render.charts.history import History, HistoryWords, Point, Record, history
from render.charts.leaderboard import FORM, Leaderboard, LeaderboardWords, Row, leaderboard
from render.charts.signs import Letters, margin

__all__ = [
    "FORM",
    "MOST_SLIPS",
    "DayTick",
    "Equity",
    "Grain",
    "History",
    "HistoryWords",
    "Leaderboard",
    "LeaderboardWords",
    "Letters",
    "Point",
    "Record",
    "Row",
    "Slip",
    "equity",
    "history",
    "leaderboard",
    "margin",
    "painted",
]
