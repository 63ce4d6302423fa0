"""Analysis of a whole match: equity by entry, mistakes, luck and skill.

Plain data in, plain data out; it may run in a worker process.

*Equity* is a seat's expected result: a win is 1, a first place shared by n is 1/n, anything else
0. The equities of all seats add up to 1. Each entry of the log is evaluated once, which yields two
equities from the same search:

* for a decision, with the best move and with the move played. The difference is what the mover
  *lost* and the others gained. It is never negative, and 0 for the best move;
* for a throw, the mean over all throws by their odds, and the equity after the actual one. The
  difference is *luck*. All throws are valued by the same search, so luck is 0 on average no matter
  how well the search knows the game, and no seat can earn it.

The search at the next entry sees further, so its equity before that entry differs a little from
the one that this entry ended with. That difference is neither a mistake nor luck but *unforeseen*,
and is booked separately. So is the difference that remains when a match *ends early*, by
agreement, resignation or timeout, or is ranked otherwise than its board, since some had given up:
nobody played for that. Nothing else changes an equity, so for
every seat, in every game::

    result = start + luck + skill + early
    skill  = gained - lost + unforeseen

Skill is thus everything but throws, and in a game without throws it is everything: what mistakes
took and gave, move by move, and what only later searches saw. To win such a game without a
mistake on either side is to see further than the search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ai.evaluators import Evaluation, Evaluator, Results
from ai.evaluators.rollouts import RolloutEvaluator
from ai.evaluators.search import SearchEvaluator
from ai.evaluators.two_games import for_match
from ai.explanations import MIN_LOSS, Breakdown, Explanation, explain
from ai.position import fast, shares
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played, replay

SECONDS: Final = 20.0
"""Computing time on one core, whatever the length of the match."""
MISTAKE: Final = 0.04
"""Losses below this are not evaluated deeply."""
_SEARCH_RATE: Final = 600_000
"""Positions per second of a search."""
_RATE: Final = 20_000
"""Moves per second of playouts, in games without a fast board."""
_MAX_NODES: Final = 100_000
"""Positions for one entry."""
_BROAD: Final = 0.7
"""The approximate share of the work done once every entry has been evaluated."""
_DEEP_SHARE: Final = 8
"""At most one entry in this many is evaluated deeply."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One entry of the log. Results are by place, in turn order, as in `Outcome.ranks`."""

    ply: int
    """Counted from 1."""
    place: int | None
    """The player who decided; ``None`` for a throw."""
    notation: str
    before: Results
    """With the best move, or the mean over all throws."""
    played: Results
    """With the move or throw played, by the same search."""
    after: Results
    """What the next entry begins with, or the final result."""
    best: str | None = None
    """The best move of a decision, the one played if none is better."""
    loss: float = 0.0
    """Its cost for the mover; never negative, 0 for a throw."""
    margin: float = 0.0
    """The most that the best move gained over the second best."""
    choices: int = 1
    """Number of legal moves."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a match; for each place ``result = start + luck + skill + early``."""

    plies: tuple[Ply, ...]
    start: Results
    """Expected results before the first entry."""
    result: Results
    """Actual results: 1 for a win, a fraction for a shared one."""
    luck: Results
    """Gains and losses by throws."""
    skill: Results
    """Everything but throws and an early end: ``gained - lost + unforeseen``."""
    lost: Results
    """Losses by own decisions; never negative."""
    gained: Results
    """Gains by the decisions of others."""
    unforeseen: Results
    """What only later searches showed."""
    early: Results
    """What an early end, or the giving up of others, gave or took."""
    explanations: tuple[Explanation, ...]
    """What decided the match for each place."""


def analyse(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    *,
    result: Sequence[float] | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    report: Callable[[float], None] = lambda _: None,
) -> Analysis:
    """Analyse a match.

    Deterministic however busy the machine is: ``seconds`` is converted to a number of positions
    by the speed of one core.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: all moves and throws.
        result: of each place, in turn order, summing to 1; ``None`` if the match is in progress,
            or ranked as the rules say.
        seconds: computing time, roughly.
        seed: of playouts, for a game without a fast board.
        report: called with the progress of the analysis, from 0 to 1.

    Raises:
        RulesError: no such game or options, or a log that cannot be replayed.

    """
    game = registry.game(slug)
    played = list(replay(game, log, options, players))
    start = game.initial(options, players)
    last = played[-1].after if played else start
    evaluator = evaluator_for(game, players, start, _nodes(game, played, seconds), seed)
    evaluations: list[Evaluation] = []
    for entry in played:
        report(_BROAD * len(evaluations) / len(played))
        evaluations.append(_evaluate(game, evaluator, entry))
    _evaluate_suspects(game, evaluator, played, evaluations, report)
    ended = game.outcome(last)
    end = evaluator.value(last) if ended is None else shares(ended)
    final = end if result is None else tuple(result)
    after = [*(one.before for one in evaluations[1:]), final]
    plies = tuple(
        _ply(game, players, *known) for known in zip(played, evaluations, after, strict=False)
    )
    return _summed(plies, final, end, over=ended is not None)


def evaluator_for(game: AnyGame, players: int, start: Any, nodes: int, seed: int) -> Evaluator:
    """Return the evaluator for a match.

    Args:
        game: its game.
        players: number of players.
        start: its first position.
        nodes: positions to search for each entry.
        seed: of playouts.

    """
    board = fast(game.slug)
    if board is None:
        return for_match(RolloutEvaluator(game, players, nodes, seed), start)
    return for_match(SearchEvaluator(game, board, players, nodes), start)


def rate(slug: str) -> int:
    """Return the positions that one core searches in a second, estimated low."""
    return _SEARCH_RATE if fast(slug) is not None else _RATE


def _nodes(game: AnyGame, played: Sequence[Played[Any, Any]], seconds: float) -> int:
    """Return the number of positions to search for each entry."""
    throws = sum(1 for entry in played if game.actor(entry.before) is CHANCE)
    # A throw is evaluated with all possible throws, twice if that exceeds the budget. Deep
    # evaluations together may take as much as all others.
    searches = 2 * (len(played) - throws) + 10 * throws + 10
    return max(200, min(_MAX_NODES, int(seconds * rate(game.slug) / searches)))


def _evaluate(game: AnyGame, evaluator: Evaluator, entry: Played[Any, Any]) -> Evaluation:
    if game.actor(entry.before) is CHANCE:
        return evaluator.throw(entry.before, entry.move)
    return evaluator.decision(entry.before, entry.move)


def _evaluate_suspects(
    game: AnyGame,
    evaluator: Evaluator,
    played: Sequence[Played[Any, Any]],
    evaluations: list[Evaluation],
    report: Callable[[float], None],
) -> None:
    """Evaluate deeply the decisions that seem to have lost the most."""

    def lost(number: int) -> float:
        one = evaluations[number]
        return max(a - b for a, b in zip(one.before, one.after, strict=True))

    suspects = [
        number
        for number, entry in enumerate(played)
        if game.actor(entry.before) is not CHANCE and lost(number) >= MISTAKE
    ]
    suspects.sort(key=lambda number: (-lost(number), number))
    chosen = suspects[: len(played) // _DEEP_SHARE + 1]
    for done, number in enumerate(chosen):
        report(_BROAD + (1 - _BROAD) * done / len(chosen))
        entry = played[number]
        evaluations[number] = evaluator.decision(entry.before, entry.move, deep=True)


def _ply(
    game: AnyGame, players: int, entry: Played[Any, Any], evaluation: Evaluation, after: Results
) -> Ply:
    actor, notation = game.actor(entry.before), game.write(entry.move)
    if actor is CHANCE:
        return Ply(entry.ply, None, notation, evaluation.before, evaluation.after, after)
    place = game.seats(players).index(actor)
    loss = max(0.0, evaluation.before[place] - evaluation.after[place])
    return Ply(
        entry.ply,
        place,
        notation,
        evaluation.before,
        evaluation.after,
        after,
        evaluation.best,
        loss,
        evaluation.margin,
        evaluation.choices,
    )


def _summed(plies: tuple[Ply, ...], final: Results, end: Results, *, over: bool) -> Analysis:
    """Sum up the changes of all equities.

    Args:
        plies: all entries.
        final: the actual results.
        end: the expected results when the match ended.
        over: whether the rules ended it.

    """
    throws = any(ply.place is None for ply in plies)
    breakdowns = [_breakdown(plies, place, final[place], end[place]) for place in range(len(end))]
    early = not over and any(abs(a - b) > 1e-12 for a, b in zip(final, end, strict=True))

    def column(read: Callable[[Breakdown], float]) -> Results:
        return tuple(map(read, breakdowns))

    return Analysis(
        plies,
        column(lambda breakdown: breakdown.start),
        final,
        column(lambda breakdown: breakdown.luck),
        column(lambda breakdown: breakdown.skill),
        column(lambda breakdown: breakdown.lost),
        column(lambda breakdown: breakdown.gained),
        column(lambda breakdown: breakdown.unforeseen),
        column(lambda breakdown: breakdown.early),
        tuple(explain(breakdown, throws=throws, early=early) for breakdown in breakdowns),
    )


def _breakdown(plies: Sequence[Ply], place: int, final: float, end: float) -> Breakdown:
    luck, lost, gained, unforeseen, mistakes, worst = 0.0, 0.0, 0.0, 0.0, 0, 0
    for ply in plies:
        change = ply.played[place] - ply.before[place]
        if ply.place is None:
            luck += change
        elif ply.place == place:
            lost -= change
            mistakes += ply.loss >= MIN_LOSS
            if ply.loss > (plies[worst - 1].loss if worst else 0):
                worst = ply.ply
        else:
            gained += change
        following = end if ply is plies[-1] else ply.after[place]
        unforeseen += following - ply.played[place]
    return Breakdown(
        start=plies[0].before[place] if plies else end,
        luck=luck,
        lost=lost,
        gained=gained,
        mistakes=mistakes,
        unforeseen=unforeseen,
        early=final - end,
        result=final,
        worst=worst,
        loss=plies[worst - 1].loss if worst else 0.0,
    )
