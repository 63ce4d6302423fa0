"""The door for what is said after a match: equity by ply, mistakes, luck and skill.

Plain data in, plain data out; it may run in a worker process.

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

    result = start + luck + skill + early
    skill  = gained - lost + unforeseen

Skill is thus all that throws do not explain, and in a game without throws all there is: what
mistakes took and gave, which is told move by move, and what only showed when the game had gone on.
Whoever wins a game without throws in which no look finds a mistake has seen further than the
looks did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai.looks.pairing import paired
from ai.looks.playing import PlayingLooks
from ai.looks.searching import SearchingLooks
from ai.position import fast, shares
from ai.verdicts import Account, Verdict, verdict
from engine import registry
from engine.game import CHANCE
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
    """One entry of the log and what it changed. Places are in turn order, as in `Outcome.ranks`."""

    ply: int
    """Counted from 1."""
    place: int | None
    """Who decided; ``None`` for a throw."""
    notation: str
    before: Results
    """For each place: with the best move, or the mean over all throws."""
    seen: Results
    """For each place: with what was played or thrown, by the same look."""
    after: Results
    """For each place: what is before the next entry, or the result."""
    best: str | None = None
    """The best move, for a decision; the one played where none is better."""
    loss: float = 0.0
    """What it cost who made it; never negative, 0 for a throw."""
    margin: float = 0.0
    """At most so much better was the best move than the second best."""
    choices: int = 1
    """How many legal moves there were."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What there is to say of a match; for each place ``result = start + luck + skill + early``."""

    plies: tuple[Ply, ...]
    start: Results
    """What each place could expect before the first entry."""
    result: Results
    """What each place got: 1 for a win, its part of a shared one."""
    luck: Results
    """What throws gave to each place, or took."""
    skill: Results
    """All that neither throws nor an early end explain: ``gained - lost + unforeseen``."""
    lost: Results
    """What each place lost by its own decisions; never negative."""
    gained: Results
    """What it gained by what others lost."""
    unforeseen: Results
    """What only later looks showed: nobody's mistake."""
    early: Results
    """What an early end gave or took; 0 where the rules ended the match."""
    verdicts: tuple[Verdict, ...]
    """For each place what one would say in a sentence."""


def analyse(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    *,
    result: Sequence[float] | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
) -> Analysis:
    """Look at every entry of a match.

    The same match always gets the same analysis, however busy the machine is: ``seconds`` says
    how many positions may be looked at, by what one core does in that time.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: everything played and thrown.
        result: what each place got, in turn order, summing to 1, of a match that the rules did
            not end; what the rules say goes before. ``None`` where it goes on.
        seconds: how long it may take, roughly.
        seed: of random games, where the game has no fast board.

    Raises:
        RulesError: no such game or options, or a log that cannot be replayed.

    """
    game = registry.game(slug)
    played = list(replay(game, log, options, players))
    start = game.initial(options, players)
    last = played[-1].after if played else start
    looks = looks_at(game, players, start, _nodes(game, played, seconds), seed)
    told = [_look(game, looks, entry) for entry in played]
    _again(game, looks, played, told)
    ended = game.outcome(last)
    end = looks.worth(last) if ended is None else shares(ended)
    final = tuple(result) if result is not None and ended is None else end
    after = [*(seen.before for seen in told[1:]), final]
    plies = tuple(_ply(game, players, *known) for known in zip(played, told, after, strict=False))
    return _summed(plies, final, end)


def looks_at(game: AnyGame, players: int, start: Any, nodes: int, seed: int) -> Looks:
    """Return what looks at a match that begins in a position.

    Args:
        game: its game.
        players: how many play.
        start: the position.
        nodes: how many positions may be looked at for each entry.
        seed: of random games.

    """
    board = fast(game.slug)
    if board is None:
        return paired(PlayingLooks(game, players, nodes, seed), start)
    return paired(SearchingLooks(game, board, players, nodes), start)


def rate(slug: str) -> int:
    """Return how many positions of a game one core looks at in a second, or somewhat less."""
    board = fast(slug)
    return board.levels[-1].nodes if board is not None else _RATE


def _nodes(game: AnyGame, played: Sequence[Played[Any, Any]], seconds: float) -> int:
    """Return how many positions may be looked at for each entry."""
    thrown = sum(1 for entry in played if game.actor(entry.before) is CHANCE)
    # A throw is looked at with all that could have come, and twice where that proves too much.
    # Close looks may together take as much as all others.
    looks = 2 * (len(played) - thrown) + 10 * thrown + 10
    return max(200, min(_MOST, int(seconds * rate(game.slug) / looks)))


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


def _ply(game: AnyGame, players: int, entry: Played[Any, Any], seen: Seen, after: Results) -> Ply:
    actor, notation = game.actor(entry.before), game.write(entry.move)
    if actor is CHANCE:
        return Ply(entry.ply, None, notation, seen.before, seen.after, after)
    place = game.seats(players).index(actor)
    loss = max(0.0, seen.before[place] - seen.after[place])
    return Ply(
        entry.ply,
        place,
        notation,
        seen.before,
        seen.after,
        after,
        seen.best,
        loss,
        seen.margin,
        seen.choices,
    )


def _summed(plies: tuple[Ply, ...], final: Results, end: Results) -> Analysis:
    """Add up everything that changed what each place could expect.

    Args:
        plies: every entry.
        final: what each place got.
        end: what each could expect when the match ended.

    """
    throws = any(ply.place is None for ply in plies)
    accounts = [_account(plies, place, final[place], end[place]) for place in range(len(end))]
    early = any(abs(a - b) > 1e-12 for a, b in zip(final, end, strict=True))

    def column(read: Callable[[Account], float]) -> Results:
        return tuple(map(read, accounts))

    return Analysis(
        plies,
        column(lambda account: account.start),
        final,
        column(lambda account: account.luck),
        column(lambda account: account.skill),
        column(lambda account: account.lost),
        column(lambda account: account.gained),
        column(lambda account: account.unforeseen),
        column(lambda account: account.early),
        tuple(verdict(account, throws=throws, early=early) for account in accounts),
    )


def _account(plies: Sequence[Ply], place: int, final: float, end: float) -> Account:
    luck, lost, gained, unforeseen, worst = 0.0, 0.0, 0.0, 0.0, 0
    for ply in plies:
        change = ply.seen[place] - ply.before[place]
        if ply.place is None:
            luck += change
        elif ply.place == place:
            lost -= change
            if ply.loss > (plies[worst - 1].loss if worst else 0):
                worst = ply.ply
        else:
            gained += change
        following = end if ply is plies[-1] else ply.after[place]
        unforeseen += following - ply.seen[place]
    return Account(
        start=plies[0].before[place] if plies else end,
        luck=luck,
        lost=lost,
        gained=gained,
        unforeseen=unforeseen,
        early=final - end,
        result=final,
        worst=worst,
        loss=plies[worst - 1].loss if worst else 0.0,
    )
