"""Charts to paint in tests. ``python -m tests.render.charts`` repaints the golden pictures."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from engine.scene import Scene
from render import THEMES
from render.charts import (
    Bracket,
    Cell,
    DayTick,
    Equity,
    EquityWords,
    Grain,
    History,
    HistoryWords,
    Leaderboard,
    LeaderboardWords,
    Letters,
    Mistake,
    Point,
    Record,
    Row,
    Slot,
    TableLine,
    TournamentTable,
    TournamentWords,
    bracket,
    equity,
    history,
    leaderboard,
    painted,
    tournament_table,
)

GOLDEN: Final = Path(__file__).parent / "golden"
WIDTH: Final = 800
BEGUN: Final = datetime(2025, 9, 14, 17, 5, tzinfo=UTC)

LETTERS: Final = Letters("W", "D", "L")
MONTHS: Final = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def tick_label(tick: DayTick) -> str:
    """Return a tick's label in English, without any library."""
    month = MONTHS[tick.day.month - 1]
    year = f"\n{tick.day.year}" if tick.with_year else ""
    match tick.grain:
        case Grain.DAY:
            return f"{tick.day.day} {month}{year}"
        case Grain.MONTH:
            return f"{month}{year}"
        case Grain.YEAR:
            return f"{tick.day.year}"


ON_LEADERBOARD: Final = LeaderboardWords(LETTERS, "Last 5", "provisional", "inactive")
ON_HISTORY: Final = HistoryWords(LETTERS, tick_label, "provisional")
ON_EQUITY: Final = EquityWords("Win chance", "Moves")
ON_TOURNAMENT: Final = TournamentWords("Points", (("w", "won"), ("d", "drawn"), ("l", "lost")))
NAMES: Final = (
    "Olive",
    "山田 太郎",
    "Barthold",
    "محمد علي",
    "🔥🔥",
    "Đặng Hữu Phúc",
    "นารี ใจดี",
    "நா. முத்துக்குமார்",
    "Иван",
    "𝓐𝓵𝓲𝓬𝓮 ✨",
    "אורי כהן",
    "김철수",
    "नरेन्द्र मोदी",
    "x",
)
LONG_NAMES: Final = (
    "Bartholomew the Unready",
    "W" * 32,
    "முத்துக்குமாரசாமி",
    "عبد الرحمن بن محمد بن علي",
)


def name(number: int) -> str:
    """Return the name of a numbered person."""
    return NAMES[number % len(NAMES)]


def rows(number: int, *, seed: int = 3) -> tuple[Row, ...]:
    """Return ranked players, from the first place on."""
    luck = Random(seed)
    made, rating = [], 1892
    for place in range(1, number + 1):
        form = "".join(luck.choices("wdl", (5, 1, 4), k=luck.choice((10, 5, 3))))
        made.append(
            Row(place, rating, luck.choice((58, 62, 74, 81, 95, 120)), form, name=name(place))
        )
        rating -= luck.randint(4, 70)
    return tuple(made)


def points(number: int, *, days: float, seed: int = 5, settled: int = 10) -> tuple[Point, ...]:
    """Return ratings with games this many days apart, sometimes two at once."""
    luck = Random(seed)
    at, mean, unsure = BEGUN, 1500.0, 333.0
    made = []
    for index in range(number):
        unsure = max(64.0, unsure * 0.94)
        mean += luck.gauss(0.04, 0.4) * unsure * 0.5
        made.append(Point(at, round(mean), round(unsure), index < settled))
        at += timedelta(days=luck.expovariate(1 / days)) if days else timedelta()
    return tuple(made)


RECORDS: Final = (Record("White", 61, 12, 30), Record("Black", 40, 3, 54))

LEADERBOARDS: Final = {
    "full": Leaderboard(rows(10), Row(27, 1388, 66, "lwdlw", own=True, name=name(27)), "Tablan"),
    "mixed": Leaderboard(
        (
            *rows(5),
            Row(None, 1702, 188, "wwl", provisional=True, letter="a", name="Ben"),
            Row(
                None,
                1533,
                290,
                "l",
                provisional=True,
                own=True,
                letter="b",
                name="Carla Bruni Tedeschi",
            ),
            Row(None, 1810, 140, "wwwdl", idle=True, letter="c", name="ქართული"),
        ),
        title="Thaayam",
    ),
    "busy": Leaderboard(
        (
            *(replace(row, form="wldlw") for row in rows(7)),
            Row(None, 1499, 140, "wwldl", idle=True),
            Row(None, 1600, 220, "lwlwd", provisional=True),
            Row(None, 1400, 250, "dwlwl", provisional=True, idle=True),
        ),
        Row(None, 1510, 300, "wdlwl", provisional=True, own=True),
    ),
    "one row": Leaderboard((Row(1, 1500, 60, "w"),)),
    "nobody listed": Leaderboard((Row(None, 1500, 333, provisional=True),)),
    "late page": Leaderboard(
        tuple(Row(123_451 + index, 900 - index, 80, "wdl") for index in range(10)),
        Row(1_000_000, -120, 75, "lllll", own=True),
    ),
    "all alike": Leaderboard(tuple(Row(place, 1500, 0, "ddddd") for place in range(1, 11))),
    "enormous": Leaderboard((Row(10**12, 10**15, 10**14, "w" * 50), Row(1, -(10**15), 0, "l"))),
}
HISTORIES: Final = {
    "long": History(points(200, days=1.4), RECORDS, "Tablan"),
    "short": History(points(14, days=4, seed=2), (*RECORDS, Record("", 0, 0, 0))),
    "one point": History(points(1, days=1), (Record("White", 1, 0, 0),)),
    "two points": History(points(2, days=3)),
    "one day": History(points(18, days=0.01, seed=7), RECORDS),
    "one moment": History(points(5, days=0), RECORDS),
    "over midnight": History(points(4, days=0.15, seed=4)),
    "three weeks": History(points(12, days=2, seed=8)),
    "a year": History(points(60, days=6, seed=9)),
    "many years": History(points(180, days=90, seed=9)),
    "settled": History(points(30, days=2, settled=0)),
    "always the same": History(
        tuple(Point(BEGUN + timedelta(days=day), 1500, 0) for day in range(9))
    ),
    "enormous": History(
        (
            Point(datetime(1, 1, 2, tzinfo=UTC), -(10**9), 10**12),
            Point(datetime(9999, 12, 30, tzinfo=UTC), 10**9, 10**12, provisional=True),
        ),
        (Record("A side with quite a long name of its own", 10**9, 10**9, 1),),
    ),
}


def expectations(number: int, sides: int, *, seed: int = 6) -> tuple[tuple[float, ...], ...]:
    """Return the win chances of a number of sides at the beginning and after each move."""
    luck = Random(seed)
    heights, made = [0.0] * sides, [(1 / sides,) * sides]
    for _ in range(number):
        heights = [height + luck.gauss(0, 0.15) for height in heights]
        parts = [2.0**height for height in heights]
        made.append(tuple(part / sum(parts) for part in parts))
    won = luck.randrange(sides)
    return (*made[:-1], tuple(float(side == won) for side in range(sides)))


SIDES: Final = ("South", "West", "North", "East")
EQUITIES: Final = {
    "two": Equity(
        ("Swedes", "Muscovites"),
        expectations(47, 2),
        tuple(Mistake(n, at, at % 2) for n, at in enumerate((31, 12, 46, 3, 20), 1)),
    ),
    "mistakes in a row": Equity(
        ("White", "Black"),
        expectations(205, 2),
        tuple(Mistake(n, at, 1) for n, at in enumerate((147, 141, 149, 155, 145, 203, 205), 1)),
    ),
    "four": Equity(
        SIDES, expectations(240, 4), (Mistake(1, 80, 2), Mistake(2, 84, 0), Mistake(3, 84, 1))
    ),
    "three": Equity(SIDES[:3], expectations(30, 3)),
    "ended early": Equity(SIDES, (*expectations(30, 4)[:-1], (1 / 3, 1 / 3, 0.0, 1 / 3))),
    "one entry": Equity(("Red", "Green"), expectations(1, 2), (Mistake(1, 1, 0),)),
    "nothing": Equity(("Red", "Green"), ((0.5, 0.5),)),
    "all in one place": Equity(
        ("Red", "Green"), expectations(900, 2), tuple(Mistake(n, 899, 0) for n in range(1, 7))
    ),
}


def lines(number: int, rounds: int, *, first: int = 1, seed: int = 5) -> tuple[TableLine, ...]:
    """Return lines of a table with ``rounds`` rounds; the third is the reader's."""
    luck = Random(seed)
    made = []
    for place in range(1, number + 1):
        cells = [Cell(first + luck.randrange(number), luck.choice("wwdl")) for _ in range(rounds)]
        half = "½" if sum(cell.ending == "d" for cell in cells) % 2 else ""
        points = f"{max(0, rounds - place // 2) or ('' if half else 0)}{half}"
        own = first + place * 7 % number
        made.append(TableLine(place, own, tuple(cells), points, place == 3, name=name(own)))
    return tuple(made)


def encounters(size: int, *, decided: int, score: str = "1") -> Bracket:
    """Return a bracket with its first ``decided`` columns decided; lower numbers win."""
    column: list[int | None] = list(range(1, size + 1))
    columns: list[tuple[tuple[Slot, Slot], ...]] = []
    while len(column) > 1:
        over = len(columns) < decided
        columns.append(
            tuple(
                (
                    Slot(one, score if over else "", over, name(one or 0)),
                    Slot(other, "0" if over else "", name=name(other or 0)),
                )
                for one, other in zip(column[::2], column[1::2], strict=True)
            )
        )
        column = [one if over else None for one in column[::2]]
    headings = ("Round 1", "Round 2", "Quarter-final", "Semi-final", "Final")[-len(columns) :]
    return Bracket(tuple(columns), headings, "Spring cup")


TABLES: Final = {
    "swiss": TournamentTable(lines(8, 3), "Spring"),
    "full": TournamentTable(lines(10, 12, first=11), "Thaayam, in autumn"),
    "begun": TournamentTable(
        (
            TableLine(1, 404, (Cell(402, "w"), Cell(401)), "1"),
            TableLine(1, 403, (Cell(None, "w"), Cell(402)), "1", own=True),
            TableLine(3, 401, (Cell(), Cell(404)), "0"),
            TableLine(3, 402, (Cell(404, "l"), Cell(403)), "0"),
        ),
        "Spring",
    ),
    "one": TournamentTable((TableLine(1, 1, (), "0"),)),
    "one with a name": TournamentTable((TableLine(1, 1, (), "0", name="Ann"),)),
    **{
        f"long names in {rounds} rounds": TournamentTable(
            tuple(
                TableLine(
                    place,
                    place,
                    tuple(
                        Cell(turn + 1, "wdl "[(place + turn) % 4].strip(), LONG_NAMES[turn])
                        for turn in range(rounds)
                    ),
                    "10½",
                    own=place == 2,
                    name=LONG_NAMES[place - 1],
                )
                for place in range(1, 5)
            ),
            "Spring",
        )
        for rounds in range(1, 5)
    },
}
BRACKETS: Final = {
    "eight": encounters(8, decided=2),
    "sixteen": encounters(16, decided=4, score="2½"),
    "thirty-two": encounters(32, decided=1),
    "two": encounters(2, decided=0),
}
TABLES["long names"] = TournamentTable(
    tuple(replace(one, name=name) for one, name in zip(lines(4, 9), LONG_NAMES, strict=True))
)
BRACKETS["long names"] = Bracket(
    (
        (
            (Slot(1, "10½", won=True, name=LONG_NAMES[0]), Slot(4, "9½", name=LONG_NAMES[1])),
            (Slot(2, "9½", name=LONG_NAMES[2]), Slot(3, "10½", won=True, name=LONG_NAMES[3])),
        ),
        ((Slot(1, "0", name=LONG_NAMES[0]), Slot(3, "10", won=True, name=LONG_NAMES[3])),),
    ),
    ("Semi-final", "Final"),
)
LEADERBOARDS["long names"] = Leaderboard(
    tuple(replace(one, name=name) for one, name in zip(rows(4), LONG_NAMES, strict=True))
)
SCENES: Final[dict[str, Scene]] = {
    **{f"leaderboard, {n}": leaderboard(c, ON_LEADERBOARD) for n, c in LEADERBOARDS.items()},
    **{f"history, {n}": history(c, ON_HISTORY) for n, c in HISTORIES.items()},
    **{f"equity, {n}": equity(c, ON_EQUITY) for n, c in EQUITIES.items()},
    **{f"table, {n}": tournament_table(c, ON_TOURNAMENT) for n, c in TABLES.items()},
    **{f"bracket, {n}": bracket(c) for n, c in BRACKETS.items()},
}
KEPT: Final = (
    "leaderboard, full",
    "leaderboard, mixed",
    "history, long",
    "history, one day",
    "equity, mistakes in a row",
    "equity, four",
    "table, swiss",
    "bracket, eight",
)
"""The charts with golden pictures."""


def golden(name: str, theme: str) -> Path:
    """Return the path of a chart's golden picture."""
    return GOLDEN / f"{name.replace(', ', '-').replace(' ', '-')}-{theme}.png"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for kept in KEPT:
        for theme in THEMES:
            png = painted(SCENES[kept], theme=theme, width=WIDTH)
            golden(kept, theme).write_bytes(png)
