"""Finds puzzles in games that computers play against each other, and grades them.

Levels that slip now and then play, so that there is something to find. If a quick look says that
one move is clearly best, a search and a much deeper one have to agree. A puzzle's grade is the
lowest level that usually finds its move; if the strongest does not, it is discarded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from ai.analysis import evaluator_for
from ai.evaluators import Evaluator
from ai.levels import LEVELS, Level
from ai.position import Fast, fast, inner
from ai.puzzle_sets import ShippedPuzzle
from ai.puzzles import MIN_CHOICES, MIN_EXPECTED, MIN_MARGIN, reread
from ai.search import searchers
from ai.search.searcher import Searcher
from ai.strength import Setting, settings
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame

NUMBER: Final = 60
"""Puzzles per game."""
_PLAYING: Final = (2, 2, 3, 3, 4)
"""The playing levels, in proportion to their frequency here."""
_GLANCE: Final = Level(2, 10_000, broad=2)
"""The first look at a position."""
_GLANCE_AT_THROWS: Final = Level(0, 10_000)
"""The same with throws: there, looking ahead is slow and tells little."""
_MARGIN_WITH_THROWS: Final = 0.08
"""The best move's margin with throws: later throws even much out."""
_NODES: Final = 40_000
"""Positions of the next search; the deep one takes up to eight times as many."""
_MAX_NODES: Final = 600_000
"""Positions of a level otherwise limited by time: the same on any machine."""
_TRIES: Final = 5
"""Tries of each level at a puzzle: they do not always find the same move."""
_MAX_TURNS: Final = 300
"""A game is abandoned after this many moves and throws."""
_OPENING: Final = 3
"""Decisions of each player before the first puzzle of a game."""
_APART: Final = 8
"""Decisions between two puzzles of a game."""
_MAX_OF_GAME: Final = 3
_SURPLUS: Final = 3.0
"""How many times the wanted number is found, to choose from."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The players and evaluators of a rule set."""

    setting: Setting
    game: AnyGame
    board: Fast
    searcher: Searcher
    evaluator: Evaluator

    @property
    def options(self) -> dict[str, str]:
        return dict(self.setting.options)


def make(
    slug: str, number: int = NUMBER, *, seed: int, report: Callable[[], None] = lambda: None
) -> list[ShippedPuzzle]:
    """Return puzzles of a game, over all its rule sets and as many levels as possible.

    Args:
        slug: a game with a fast board.
        number: how many.
        seed: of all randomness.
        report: is called for each puzzle found.
    """
    found: list[ShippedPuzzle] = []
    rule_sets = settings([slug])
    for place, setting in enumerate(rule_sets):
        wanted = number // len(rule_sets) + (place < number % len(rule_sets))
        found += _of_setting(setting, wanted, seed, report)
    random.Random(seed).shuffle(found)  # noqa: S311 - a game
    return found


def _of_setting(
    setting: Setting, wanted: int, seed: int, report: Callable[[], None]
) -> list[ShippedPuzzle]:
    """Return the wanted number of puzzles of a rule set, chosen from more to vary the levels."""
    table = _table(setting)
    found: dict[str, ShippedPuzzle] = {}
    number = 0
    while len(found) < round(_SURPLUS * wanted):
        number += 1
        dice = random.Random(f"{seed} {setting.name} {number}")  # noqa: S311 - a game
        for one in _of_game(table, dice):
            if one.position not in found:
                found[one.position] = one
                if len(found) <= wanted:
                    report()
    return _mixed(list(found.values()), wanted)


def _mixed(found: Sequence[ShippedPuzzle], wanted: int) -> list[ShippedPuzzle]:
    """Return the wanted number of puzzles, spread evenly over levels, the clearest first."""
    clear = sorted(found, key=lambda one: -one.margin)
    piles = [[one for one in clear if one.level == level] for level in LEVELS]
    dealt = [one for row in zip_longest(*piles) for one in row if one is not None]
    return dealt[:wanted]


def _table(setting: Setting) -> _Table:
    game, board = registry.game(setting.slug), fast(setting.slug)
    assert board is not None, setting
    searchers.load(setting.slug)
    searcher = searchers.ready(setting.slug, setting.players, 0.0)
    assert searcher is not None
    start = game.initial(dict(setting.options), setting.players)
    evaluator = evaluator_for(game, setting.players, start, _NODES, seed=0)
    return _Table(setting, game, board, searcher, evaluator)


def _of_game(table: _Table, dice: random.Random) -> Iterator[ShippedPuzzle]:
    """Play a game, and yield its puzzles."""
    game, players = table.game, table.setting.players
    state: Any = game.initial(table.options, players)
    levels = [dice.choice(_PLAYING) for _ in range(players)]
    decisions, last, number = 0, -_APART, 0
    for _ in range(_MAX_TURNS):
        if game.outcome(state) is not None or number == _MAX_OF_GAME:
            return
        actor = game.actor(state)
        if actor is CHANCE:
            odds = game.odds(state)
            [throw] = dice.choices(list(odds), [float(odds[one]) for one in odds])
            state = game.after(state, throw)
            continue
        decisions += 1
        if decisions > _OPENING * players and decisions - last >= _APART:
            puzzle = _puzzle(table, state, dice)
            if puzzle is not None:
                last, number = decisions, number + 1
                yield puzzle
        place = game.seats(players).index(actor)
        state = game.after(state, game.read(state, _choice(table, state, levels[place], dice)))


def _puzzle(table: _Table, state: Any, dice: random.Random) -> ShippedPuzzle | None:
    """Return a position's puzzle, or ``None`` if it makes none."""
    game = table.game
    if len(game.legal_moves(state)) < MIN_CHOICES or not _glance(table, state):
        return None
    found = []
    for look in (table.evaluator.best_move, partial(table.evaluator.best_move, deep=True)):
        best = look(state)
        if best.margin < _margin(table) or best.expected < MIN_EXPECTED:
            return None
        found.append(best)
    shallow, deep = found
    position = reread(game, state, table.options)
    if shallow.move != deep.move or position is None:
        return None
    right = {level: _right(table, state, level, deep.move, dice) for level in LEVELS}
    # A move that the weakest level nearly always finds is no puzzle; one the strongest misses is
    # wrong.
    if right[LEVELS[-1]] < 1 or right[LEVELS[0]] >= 0.9:
        return None
    level = next(level for level in LEVELS if right[level] > 0.5)
    margin = min(shallow.margin, deep.margin)
    return ShippedPuzzle(level, deep.expected, margin, table.setting.options, position, deep.move)


def _glance(table: _Table, state: Any) -> bool:
    """Return whether one move looks clearly best at first sight."""
    board, past = _encoded(table, state)
    level = _GLANCE_AT_THROWS if table.board.throws else _GLANCE
    found = table.searcher.search(board, past, level, random.Random(0))  # noqa: S311 - a game
    second, best = sorted(found.values)[-2:]
    return best - second >= _margin(table) / 2 and best >= MIN_EXPECTED


def _margin(table: _Table) -> float:
    """Return the minimum margin of the best move over the second best."""
    return _MARGIN_WITH_THROWS if table.board.throws else MIN_MARGIN


def _right(table: _Table, state: Any, level: int, solution: str, dice: random.Random) -> float:
    """Return the share of tries in which a level finds the solution."""
    tries = 1 if level == LEVELS[-1] else _TRIES
    return sum(_choice(table, state, level, dice) == solution for _ in range(tries)) / tries


def _choice(table: _Table, state: Any, level: int, dice: random.Random) -> str:
    """Return the move of a level."""
    board, past = _encoded(table, state)
    limited = table.board.levels[level - 1]
    limited = replace(limited, nodes=min(limited.nodes, _MAX_NODES))
    found = table.searcher.search(board, past, limited, dice)
    return table.board.notation(board, found.moves[found.best])


def _encoded(table: _Table, state: Any) -> tuple[Any, Any]:
    position = inner(state)
    return table.board.encode(position), table.board.past(position)
