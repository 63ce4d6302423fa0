"""Measures the levels against each other, a random and a greedy player.

``make strength`` writes ``docs/strength.md`` for people and ``ai/strength.json`` for the program.
It takes hours: level 5 thinks about as long as it may.
"""

from __future__ import annotations

import json
import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ai.levels import LEVELS
from ai.position import fast
from ai.search import searchers
from ai.tournament import Score, at_random, greedy, searching, tournament
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ai.tournament import Player

PAGE: Final = Path(__file__).parents[1] / "docs" / "strength.md"
RATINGS: Final = Path(__file__).with_name("strength.json")
RANDOM: Final = "random"
GREEDY: Final = "greedy"
MIDDLE: Final = 1500
"""The rating of level 3."""
BEGIN: Final = "<!-- results: make strength -->"
END: Final = "<!-- end of results -->"
_CHUNK: Final = 20
"""How many games one process plays at a time."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players of a game."""

    slug: str
    one: str
    other: str

    def __str__(self) -> str:
        """Say who plays whom."""
        return f"{self.slug}: {_called(self.one)} against {_called(self.other)}"


def pairs(slug: str) -> list[Pair]:
    """Return who is to play whom: each level the one below, the best also those who do not think."""
    levels = [str(level) for level in LEVELS]
    steps = [Pair(slug, upper, lower) for lower, upper in pairwise(levels)]
    return [
        *steps,
        Pair(slug, levels[0], RANDOM),
        *(Pair(slug, levels[-1], other) for other in (RANDOM, GREEDY)),
    ]


def measure(
    slugs: Iterable[str], games: int, jobs: int = 1, chosen: Sequence[str] = ()
) -> dict[Pair, Score]:
    """Let every pair play, in so many processes, and return the scores; they are printed too.

    Args:
        slugs: of which games.
        games: of each pair.
        jobs: how many processes.
        chosen: only pairs in which one of these plays first, such as ``5``; all if empty.

    """
    wanted = [pair for slug in slugs for pair in pairs(slug) if not chosen or pair.one in chosen]
    tasks = [(pair, chunk) for pair in wanted for chunk in range(-(-games // _CHUNK))]
    size = min(games, _CHUNK)
    found: dict[Pair, Score] = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        scores = pool.map(partial(_chunk, size=size), tasks)
        for pair, parts in groupby(zip(tasks, scores, strict=True), key=lambda part: part[0][0]):
            found[pair] = _together([score for _, score in parts])
            print(f"{pair}: {told(found[pair])}", flush=True)  # noqa: T201 - a command
    return found


def told(score: Score) -> str:
    """Return a score in words and figures."""
    low, high = score.interval
    return f"{score.share:.1%} ({low:.1%} to {high:.1%}, {score.games} games)"


def ratings(scores: dict[Pair, Score]) -> dict[str, dict[str, int]]:
    """Return a rating for each level of each game, by the levels' scores against each other."""
    found: dict[str, dict[str, int]] = {}
    for slug in dict.fromkeys(pair.slug for pair in scores):
        steps = {
            pair.one: _difference(score)
            for pair, score in scores.items()
            if pair.slug == slug and pair.other.isdigit()
        }
        total, heights = 0.0, {}
        for level in map(str, LEVELS):
            total += steps.get(level, 0.0)
            heights[level] = total
        found[slug] = {level: round(MIDDLE + h - heights["3"]) for level, h in heights.items()}
    return found


def write(scores: dict[Pair, Score], page: Path = PAGE, file: Path = RATINGS) -> None:
    """Put the scores into the page for people, between its marks, and the ratings into a file."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page.name} has no place for results: {BEGIN} … {END}")
    lines = [
        "| game | player | against | points | 95 % interval | games | plies a game |",
        "| --- | --- | --- | ---: | --- | ---: | ---: |",
        *(_row(pair, score) for pair, score in scores.items()),
    ]
    page.write_text("\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"]))
    file.write_text(json.dumps(ratings(scores), indent=1) + "\n", encoding="utf-8")


def _row(pair: Pair, score: Score) -> str:
    low, high = score.interval
    title = registry.game(pair.slug).title
    return (
        f"| {title} | {_called(pair.one)} | {_called(pair.other)} | {score.share:.1%} "
        f"| {low:.1%} – {high:.1%} | {score.games} | {score.plies / score.games:.0f} |"
    )


def _called(player: str) -> str:
    return f"level {player}" if player.isdigit() else player


def _difference(score: Score) -> float:
    """Return the difference of ratings that a score stands for."""
    share = (score.points + 0.5) / (score.games + 1)
    return 400 * math.log10(share / (1 - share))


def _together(scores: Sequence[Score]) -> Score:
    return Score(
        sum(score.games for score in scores),
        sum(score.points for score in scores),
        sum(score.plies for score in scores),
    )


def _chunk(task: tuple[Pair, int], size: int) -> Score:
    pair, number = task
    board = fast(pair.slug)
    if board is None:
        raise ValueError(f"{pair.slug} has no fast board to play on")
    searchers.load(pair.slug)
    one, other = _player(pair.slug, pair.one), _player(pair.slug, pair.other)
    return tournament(board, one, other, size, seed=number)


def _player(slug: str, name: str) -> Player:
    searcher = searchers.ready(slug, 2, 0)
    assert searcher is not None
    if name == RANDOM:
        return at_random(searcher.fast)
    if name == GREEDY:
        return greedy(searcher.fast)
    return searching(searcher, searcher.fast.levels[int(name) - 1])
