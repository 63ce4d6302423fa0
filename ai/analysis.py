"""The door for what is said after a match: equity by ply, mistakes, luck and skill.

*Equity* is what a seat may expect: the mean of 1 for a win, 1/n for a first place shared by n, and
0 else. All seats together have 1. Every entry of the log is looked at once, and that look gives
two equities of one depth:

* for a decision, with the best move and with the one played. The difference is what the mover
  *lost* by it, and what the others gained. It is never negative, and 0 for the best move;
* for a throw, the mean over all throws by their odds, and the equity after the one that fell. The
  difference is *luck*. The same look values all throws, so luck is 0 on average whatever the look
  knows of the game, and nobody can earn it.

The look at the next entry sees further, so the equity that it begins with is not quite the one
that the look before ended with. That difference is nobody's mistake and no luck: it is what was
*not foreseen*, and it has an account of its own. So has what is left when a match *ends early*,
by a draw that was agreed on, by resigning or by being late: nobody played that. Nothing else
changes an equity, so for every seat, in every game::

    result = initial + luck + skill + early
    skill  = gained - lost + unforeseen

Skill is thus all that throws do not explain, and in a game without throws all there is: what
mistakes took and gave, which is told move by move, and what only showed when the game had gone on.
Whoever wins a game without throws in which no look finds a mistake has seen further than the
looks did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ai.looks.pairing import paired
from ai.looks.playing import PlayingLooks
from ai.looks.searching import SearchingLooks
from ai.position import fast, shares
from ai.verdicts import Account, Verdict, verdict
from engine import registry
from engine.game import CHANCE, Outcome
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ai.looks import Looks, Results, Seen
    from engine.registry import AnyGame
    from engine.replay import Played

SECONDS: Final = 20.0
"""About so long may an analysis take on one core, however long the match was."""
MISTAKE: Final = 0.04
"""Who loses less by a move has not made a mistake worth telling, and is not looked at closely."""
_RATE: Final = 20_000
"""Moves made in a second in games without a fast board."""
_MOST: Final = 100_000
"""So many positions are looked at for one entry, at most."""
_SHARE: Final = 8
"""One entry in so many may be looked at closely."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One entry of the log, looked at. Seats are places in turn order, as in ``Outcome.ranks``."""

    ply: int
    """Counted from 1."""
    actor: int | None
    """Who decided; ``None`` for a throw."""
    notation: str
    before: Results
    """For each seat: with the best move, or the mean over all throws."""
    after: Results
    """For each seat: with what was played or thrown, by the same look."""
    best: str
    """The best move, the one played where none is better; empty for a throw."""
    loss: float
    """What the mover lost, never negative; 0 for a throw."""
    luck: Results
    """What the throw was worth to each seat; empty for a decision."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What there is to say about a match."""

    plies: tuple[Ply, ...]
    equity: tuple[Results, ...]
    """For each seat before the first entry and after each: one more than there are entries."""
    accounts: tuple[Account, ...]
    """For each seat the sums."""
    verdicts: tuple[Verdict, ...]
    """For each seat what one would say in a sentence."""
    mistakes: tuple[int, ...]
    """The plies of all decisions that lost `MISTAKE` or more, the worst first."""
    throws: bool
    """Whether there were throws."""
    early: bool
    """Whether the match ended before the rules ended it."""


def analyse(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    *,
    ranks: Sequence[int] | None = None,
    seconds: float = SECONDS,
) -> Analysis:
    """Look back at a match.

    The same match always gets the same analysis: ``seconds`` only says how many positions may be
    looked at, by what one core does in that time.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: the notation of everything played and thrown.
        ranks: how a match ended that the rules did not end: the rank of each seat in turn order;
            ``None`` where it has not ended at all. What the rules say goes before.
        seconds: how long it may take, roughly.

    Raises:
        RulesError: no such game or options, or a log that cannot be replayed.

    """
    game = registry.game(slug)
    played = list(replay(game, log, options, players))
    start = game.initial(options, players)
    last = played[-1].after if played else start
    looks = looks_at(game, players, start, _nodes(game, played, seconds))
    seen = [_look(game, looks, entry) for entry in played]
    _again(game, looks, played, seen)
    plies = tuple(
        _ply(game, players, entry, told) for entry, told in zip(played, seen, strict=True)
    )
    ended = game.outcome(last)
    final = looks.worth(last) if ended is None else shares(ended)
    early = ended is None and ranks is not None
    result = shares(Outcome(tuple(ranks), "")) if ranks is not None and early else final
    equity = (*(told.before for told in seen), final)
    accounts = tuple(_account(plies, equity, place, result[place]) for place in range(players))
    mistakes = sorted(
        (ply.ply for ply in plies if ply.loss >= MISTAKE), key=lambda n: (-plies[n - 1].loss, n)
    )
    throws = any(ply.actor is None for ply in plies)
    return Analysis(
        plies,
        equity,
        accounts,
        tuple(verdict(account, throws=throws, early=early) for account in accounts),
        tuple(mistakes),
        throws,
        early,
    )


def looks_at(game: AnyGame, players: int, start: Any, nodes: int) -> Looks:
    """Return what looks at a match that begins in a position.

    Args:
        game: its game.
        players: how many play.
        start: the position.
        nodes: how many positions may be looked at for each entry.

    """
    board = fast(game.slug)
    if board is None:
        return paired(PlayingLooks(game, players, nodes), start)
    return paired(SearchingLooks(game, board, players, nodes), start)


def _nodes(game: AnyGame, played: Sequence[Played[Any, Any]], seconds: float) -> int:
    """Return how many positions may be looked at for each entry."""
    board = fast(game.slug)
    rate = board.levels[-1].nodes if board is not None else _RATE
    thrown = sum(1 for entry in played if game.actor(entry.before) is CHANCE)
    # A throw is looked at with all that could have come, and twice where that proves too much.
    # Close looks may together take as much as all others.
    looks = 2 * (len(played) - thrown) + 10 * thrown + 10
    return max(200, min(_MOST, int(seconds * rate / looks)))


def _look(game: AnyGame, looks: Looks, entry: Played[Any, Any]) -> Seen:
    if game.actor(entry.before) is CHANCE:
        return looks.thrown(entry.before, entry.move)
    return looks.decided(entry.before, entry.move)


def _again(
    game: AnyGame, looks: Looks, played: Sequence[Played[Any, Any]], seen: list[Seen]
) -> None:
    """Look closely at the decisions that seem to have lost most."""

    def lost(number: int) -> float:
        told = seen[number]
        return max(a - b for a, b in zip(told.before, told.after, strict=True))

    suspects = [
        number
        for number, entry in enumerate(played)
        if game.actor(entry.before) is not CHANCE and lost(number) >= MISTAKE
    ]
    suspects.sort(key=lambda number: (-lost(number), number))
    for number in suspects[: len(played) // _SHARE + 1]:
        entry = played[number]
        seen[number] = looks.decided(entry.before, entry.move, closely=True)


def _ply(game: AnyGame, players: int, entry: Played[Any, Any], seen: Seen) -> Ply:
    actor, notation = game.actor(entry.before), game.write(entry.move)
    change = tuple(b - a for a, b in zip(seen.before, seen.after, strict=True))
    if actor is CHANCE:
        return Ply(entry.ply, None, notation, seen.before, seen.after, "", 0.0, change)
    place = game.seats(players).index(actor)
    loss = max(0.0, -change[place])
    return Ply(entry.ply, place, notation, seen.before, seen.after, seen.best, loss, ())


def _account(plies: Sequence[Ply], equity: Sequence[Results], place: int, result: float) -> Account:
    """Add up everything that changed the equity of one seat."""
    account = Account(initial=equity[0][place], early=result - equity[-1][place], result=result)
    luck, lost, gained, unforeseen, worst = 0.0, 0.0, 0.0, 0.0, 0
    for ply in plies:
        change = ply.after[place] - ply.before[place]
        if ply.actor is None:
            luck += change
        elif ply.actor == place:
            lost -= change
            if ply.loss > (plies[worst - 1].loss if worst else 0):
                worst = ply.ply
        else:
            gained += change
        unforeseen += equity[ply.ply][place] - ply.after[place]
    return replace(
        account,
        luck=luck,
        lost=lost,
        gained=gained,
        unforeseen=unforeseen,
        worst=worst,
        loss=plies[worst - 1].loss if worst else 0.0,
    )
