"""Compares the stated worth of positions with the games' results.

In each game, played by level 5 with few positions on both sides, one decision is drawn. The value
that hints and analyses would give after it is noted for the seat that decided, and so is that
seat's result. In games with throws the result is the mean of many games played on from there by the
evaluation alone. One decision per game, so that all are independent.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from ai.calibration.rollouts import Rollouts
from ai.kernels import Board
from ai.levels import LEVELS
from ai.position import inner
from ai.rating_fit import PAGE, replaced
from ai.search import searchers
from ai.search.searcher import Searcher
from ai.strength import SETTINGS, Setting
from ai.terminal import Progress
from ai.tournament import Player, play
from engine import registry

PLACE: Final = (
    "<!-- results: python -m ai calibration -->",
    "<!-- end of results of calibration -->",
)
"""Marks on the page, before and after the tables."""
PLAYED: Final = 1_500
"""Maximum positions per move in these games."""
LOOKED: Final = 60_000
"""Maximum positions for the drawn decision, about what a second allows an analysis."""
PLAYED_ON: Final = 60
"""Games played on from a decision, if there are throws."""
BINS: Final = 5
HEAD: Final = (
    "| rules | said, or decisions left | decisions | said | made | made more than said |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
)
LEFT: Final = ((0, 5), (5, 15), (15, 40), (40, 10_000))
"""Ranges of decisions by all seats until the end: from, and below."""
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class Told:
    """A decision: the stated value and the result."""

    expected: float
    """The stated expectation of the seat that decided."""
    made: float
    """Its actual result."""
    left: int
    """The number of later decisions."""


def tell(
    settings: Sequence[Setting], games: int, *, write: bool = False, page: Path = PAGE
) -> None:
    """Measure rule sets and print their tables; put them on the page as well if asked to.

    The page's tables of other rule sets stay.
    """
    rows = [row for setting in settings for row in table(setting, measure(setting, games))]
    lines = [*HEAD, *rows]
    print(*lines, sep="\n")  # noqa: T201 - of a command
    if write:
        text = page.read_text("utf-8")
        page.write_text(replaced(text, PLACE, _merged(text, settings, rows)), "utf-8")


def _merged(text: str, settings: Sequence[Setting], rows: Sequence[str]) -> list[str]:
    """Return a page's rows with those of some rule sets replaced."""
    measured = [setting.name for setting in settings]
    told = text.partition(PLACE[0])[2].partition(PLACE[1])[0].splitlines()
    known = dict.fromkeys((*(one.name for one in SETTINGS), *measured))
    found = list(HEAD)
    for name in known:
        of_name = f"| {name} | "
        found += [row for row in (rows if name in measured else told) if row.startswith(of_name)]
    return found


def measure(setting: Setting, games: int, *, seed: int = 1) -> list[Told]:
    """Play games of a rule set; return one decision of each."""
    searchers.load(setting.slug)
    searcher = searchers.ready(setting.slug, setting.players, 0)
    assert searcher is not None
    board = searcher.fast
    options = dict(setting.options)
    start = board.encode(inner(registry.game(board.slug).initial(options, setting.players)))
    found = []
    rollouts = Rollouts(board) if board.throws else None
    with Progress(setting.name, games) as progress:
        for number in range(games):
            dice = random.Random(f"drawn {seed} {number}")  # noqa: S311 - no secret
            drawn = _Drawn(searcher, dice, rollouts)
            players = [drawn.player] * setting.players
            played = play(board, start, players, f"calibration {seed} {number}")
            found += drawn.told(played.results)
            progress.advance()
    return found


class _Drawn:
    """One decision of a game, drawn uniformly."""

    def __init__(self, searcher: Searcher, dice: random.Random, rollouts: Rollouts | None) -> None:
        self._searcher = searcher
        self._rollouts = rollouts
        self._dice = dice
        self._level = searcher.fast.levels[LEVELS[-1] - 1]
        self._decisions = 0
        self._at = 0
        self._state: tuple[Board, list[Board]] | None = None

    @property
    def player(self) -> Player:
        level = replace(self._level, nodes=PLAYED, broad=1)

        def choose(state: Board, past: Sequence[Board], dice: random.Random) -> int:
            self._decisions += 1
            if self._dice.random() * self._decisions < 1:
                self._state, self._at = (state, list(past)), self._decisions
            found = self._searcher.search(state, past, level, dice)
            return found.moves[found.best]

        return choose

    def told(self, results: Sequence[float]) -> list[Told]:
        """Return it, evaluated; empty if no decision had a choice."""
        if self._state is None:
            return []
        state, past = self._state
        seat = self._searcher.fast.kernels.actor(state)
        level = replace(self._level, nodes=LOOKED)
        found = self._searcher.search(state, past, level, self._dice)
        made = results[seat]
        if self._rollouts is not None:
            after = self._searcher.fast.board()
            self._searcher.fast.kernels.play(state, found.moves[found.best], after)
            made = self._rollouts.results(after, PLAYED_ON, self._dice.getrandbits(63))[seat]
        return [Told(found.equity[seat], made, self._decisions - self._at)]


@dataclass(frozen=True, slots=True)
class Mean:
    """Some decisions together."""

    number: int
    expected: float
    made: float
    margin: float
    """Half the 95 % interval of the result minus the expectation."""


def mean(found: Iterable[Told]) -> Mean | None:
    """Return the mean of some decisions, or ``None`` for too few."""
    told = list(found)
    if len(told) < 2:
        return None
    more = np.array([one.made - one.expected for one in told])
    return Mean(
        len(told),
        float(np.mean([one.expected for one in told])),
        float(np.mean([one.made for one in told])),
        _Z * float(more.std(ddof=1)) / math.sqrt(len(told)),
    )


def by_value(found: Sequence[Told]) -> list[Mean | None]:
    """Return the curve: decisions by stated value, in equal steps from 0 to 1."""
    places = [min(BINS - 1, max(0, int(one.expected * BINS))) for one in found]
    return [
        mean(one for one, place in zip(found, places, strict=True) if place == part)
        for part in range(BINS)
    ]


def by_distance(found: Sequence[Told]) -> list[Mean | None]:
    """Return decisions by distance from the end."""
    return [mean(one for one in found if low <= one.left < high) for low, high in LEFT]


def table(setting: Setting, found: Sequence[Told]) -> list[str]:
    """Return the rows of a rule set: the curve, then by distance from the end."""
    names = [f"{100 * n // BINS} to {100 * (n + 1) // BINS}" for n in range(BINS)]
    names += [
        f"{low} to {high - 1} left" if high < 1000 else f"{low} and more left" for low, high in LEFT
    ]
    return [
        f"| {setting.name} | {name} | {one.number} | {100 * one.expected:.1f} | {100 * one.made:.1f} "
        f"| {100 * (one.made - one.expected):+.1f} ± {100 * one.margin:.1f} |"
        for name, one in zip(names, [*by_value(found), *by_distance(found)], strict=True)
        if one is not None
    ]
