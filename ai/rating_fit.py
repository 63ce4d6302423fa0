"""Fits ratings to the levels' scores against each other, and writes docs and data from them.

The scale is that of `bot.play.ratings`, with level 3 of each game at 1500. A difference in rating gives
odds of ``exp`` of the difference over `SPREAD`: this is where ratings settle in the model behind
people's ratings once they are certain, with its ``beta`` of 25/6 and 40 points to its unit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ai.ratings import RATINGS, Rating
from ai.strength import GREEDY, RANDOM, REFERENCE, Pair, Setting, label
from ai.tournament import Score
from engine import registry

PAGE: Final = Path(__file__).parents[1] / "docs" / "strength.md"
GAMES: Final = PAGE.with_suffix(".jsonl")
"""The games counted by the page's tables, in parts; those of other sources do not count."""
MIDDLE: Final = 1500
"""The rating of level 3."""
ANCHOR: Final = "3"
SPREAD: Final = 40 * math.sqrt(2) * 25 / 6
PLACE: Final = ("<!-- results: make strength -->", "<!-- end of results -->")
REFERENCE_PLACE: Final = (
    "<!-- results: python -m ai reference -->",
    "<!-- end of results against the reference -->",
)
"""Marks on the page, before and after results."""
_ROUNDS: Final = 20_000
_Z: Final = 1.96


def ratings(scores: Mapping[Pair, Score]) -> dict[str, dict[str, Rating]]:
    """Return the ratings for each two-player rule set in which level 3 has played.

    They maximise the likelihood of all scores of a rule set, with one more drawn game added to
    each pair (Bradley-Terry).
    """
    found: dict[str, dict[str, Rating]] = {}
    for setting in dict.fromkeys(pair.setting for pair in scores):
        duels = {
            (pair.one, pair.other): score
            for pair, score in scores.items()
            if pair.setting == setting and setting.players == 2
        }
        names = _reached(duels)
        if ANCHOR in names:
            found[setting.name] = _fitted(names, duels)
    return found


def _reached(duels: Mapping[tuple[str, str], Score]) -> list[str]:
    """Return the players connected with level 3, directly or through others."""
    reached = [ANCHOR] if any(ANCHOR in duel for duel in duels) else []
    for name in reached:
        for duel in duels:
            if name in duel:
                reached += [other for other in duel if other not in reached]
    return sorted(reached)


def _fitted(names: list[str], duels: Mapping[tuple[str, str], Score]) -> dict[str, Rating]:
    """Fit a logistic model by Newton's method, one player at a time."""
    heights = dict.fromkeys(names, 0.0)
    for _ in range(_ROUNDS):
        largest = 0.0
        for name in names:
            slope, bend = _slope(name, heights, duels)
            step = max(-1.0, min(1.0, slope / bend))
            heights[name] += step
            largest = max(largest, abs(step))
        if largest < 1e-9:
            break
    errors = _errors(names, heights, duels)
    return {
        name: Rating(
            round(MIDDLE + SPREAD * (heights[name] - heights[ANCHOR])),
            round(_Z * SPREAD * errors[name]),
        )
        for name in names
    }


def _slope(
    name: str, heights: Mapping[str, float], duels: Mapping[tuple[str, str], Score]
) -> tuple[float, float]:
    slope, bend = 0.0, 1e-12
    for (one, other), score in duels.items():
        if name not in {one, other}:
            continue
        games, points = score.games + 1, score.points + 0.5
        expected = 1 / (1 + math.exp(heights[other] - heights[one]))
        sign = 1 if name == one else -1
        slope += sign * (points - games * expected)
        bend += games * expected * (1 - expected)
    return slope, bend


def _errors(
    names: list[str], heights: Mapping[str, float], duels: Mapping[tuple[str, str], Score]
) -> dict[str, float]:
    """Return the standard error of each player's distance from level 3."""
    # Distances add up from level to level; the path of least error is a fair bound.
    errors = {name: 0.0 if name == ANCHOR else math.inf for name in names}
    for _ in names:
        for (one, other), score in duels.items():
            expected = 1 / (1 + math.exp(heights[other] - heights[one]))
            variance = 1 / ((score.games + 1) * expected * (1 - expected))
            for near, far in ((one, other), (other, one)):
                if near in errors and far in errors:
                    errors[far] = min(errors[far], math.sqrt(errors[near] ** 2 + variance))
    return errors


def write(
    scores: Mapping[Pair, tuple[Score, float]], page: Path = PAGE, file: Path = RATINGS
) -> None:
    """Write the scores into a page, between its marks, and the ratings into a data file.

    Scores against the reference have their own section. A section without scores stays as it is.

    Args:
        scores: each with the seconds for a move of level 5 and the reference.
        page: the page.
        file: the data file.

    Raises:
        ValueError: there are no scores, or the page lacks the marks.
    """
    if not scores:
        raise ValueError("there are no results to write")
    outside = {pair: told for pair, told in scores.items() if pair.other.startswith(REFERENCE)}
    levels = {pair: told for pair, told in scores.items() if pair not in outside}
    text = page.read_text(encoding="utf-8")
    if outside:
        text = replaced(text, REFERENCE_PLACE, _scores(outside))
    if levels:
        found = ratings({pair: score for pair, (score, _) in levels.items()})
        text = replaced(text, PLACE, [*_scores(levels), "", *_ratings(found)])
        plain = {
            name: {
                player: {"points": rating.points, "margin": rating.margin}
                for player, rating in rated.items()
            }
            for name, rated in found.items()
        }
        file.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    page.write_text(text, encoding="utf-8")


def replaced(text: str, place: tuple[str, str], lines: Sequence[str]) -> str:
    """Return a page with these lines between two marks.

    Raises:
        ValueError: the page lacks the marks.

    """
    begin, end = place
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"the page has no place for results: {begin} … {end}")
    return "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{after}"])


def _scores(scores: Mapping[Pair, tuple[Score, float]]) -> list[str]:
    return [
        (
            "| rules | player | against | points | 95 % interval | without luck "
            "| games | plies a game | seconds a move |"
        ),
        "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
        *(row(pair, score, seconds) for pair, (score, seconds) in scores.items()),
    ]


def row(pair: Pair, score: Score, seconds: float) -> str:
    """Return a pair's row of a table."""
    low, high = score.interval
    many = pair.setting.players - 1
    fair = score.without_luck
    told = "" if fair is None else f"{fair[0]:.1%} ± {100 * fair[1]:.1f}"
    others = label(pair.other) if many == 1 else f"{many} of {label(pair.other)}"
    return (
        f"| {_title(pair.setting)} | {label(pair.one)} | {others} | {score.share:.1%} "
        f"| {low:.1%} – {high:.1%} | {told} | {score.games} | {score.plies / score.games:.0f} "
        f"| {f'{seconds:g}' if seconds else ''} |"
    )


def _ratings(found: Mapping[str, Mapping[str, Rating]]) -> list[str]:
    players = [RANDOM, GREEDY, *(str(level) for level in range(1, 6))]
    return [
        "| rules | " + " | ".join(label(player) for player in players) + " |",
        "| --- |" + " ---: |" * len(players),
        *(
            f"| {name} | "
            + " | ".join(
                f"{rated[player].points} ± {rated[player].margin}" if player in rated else ""
                for player in players
            )
            + " |"
            for name, rated in found.items()
        ),
    ]


def _title(setting: Setting) -> str:
    title = registry.game(setting.slug).title
    return title + setting.name.removeprefix(setting.slug)
