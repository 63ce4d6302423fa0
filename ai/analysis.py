"""The door for what is said of a match after its end: plain data in, plain data out.

A match is a chain of expectations: what each place could expect before the first entry, after
each entry, and at last the result. The steps of the chain that throws made are luck, those that
decisions made are skill, and so luck and skill sum to what came out, exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai import opponents
from ai.position import shares
from engine import registry
from engine.game import CHANCE
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ai.opponents import Thought

LEVEL: Final = 4
"""Who judges each decision: the strongest level would take a second for each."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One entry of the log and what it changed."""

    ply: int
    """Counted from 1."""
    place: int | None
    """Who decided, as a place in turn order; ``None`` for a throw."""
    notation: str
    before: tuple[float, ...]
    """What each place could expect before it, summing to 1."""
    after: tuple[float, ...]
    """What each place could expect after it: what is before the next entry, or the result."""
    best: str | None = None
    """The best move instead, for a decision between several."""
    loss: float = 0.0
    """How much less the decision was worth to who made it than the best one; never negative."""
    margin: float = 0.0
    """How much better the best move was than the second best."""
    choices: int = 1
    """Between how many moves was decided."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What there is to say of a match."""

    plies: tuple[Ply, ...]
    start: tuple[float, ...]
    """What each place could expect before the first entry."""
    result: tuple[float, ...]
    """What each place got: 1 for a win, its part of a shared one."""
    luck: tuple[float, ...]
    """What throws gave to each place, or took."""
    skill: tuple[float, ...]
    """What decisions gave to each place, its own and those of the others."""


def analyse(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    *,
    result: Sequence[float],
    seconds: float,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
) -> Analysis:
    """Look at every decision of a match that has ended.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: everything played and thrown.
        result: what each place got, in turn order, summing to 1; where the rules have ended the
            match they tell it themselves, and this is not looked at.
        seconds: about how long it may take.
        seed: of everything random in it.
        clock: what time is measured with.

    Raises:
        RulesError: no such game or options, or a log that cannot be replayed.

    """
    game = registry.game(slug)
    played = tuple(replay(game, log, options, players))
    seats = game.seats(players)
    until = clock() + seconds
    decided = [
        n
        for n, entry in enumerate(played)
        if game.actor(entry.before) is not CHANCE and len(game.legal_moves(entry.before)) > 1
    ]
    thoughts: dict[int, Thought] = {}
    for done, n in enumerate(decided):
        share = (until - clock()) / (len(decided) - done)
        thoughts[n] = opponents.think(
            slug, options, players, log[:n], level=LEVEL, seed=seed + n, seconds=max(share, 0.01)
        )
    ended = game.outcome(played[-1].after) if played else None
    final = shares(ended) if ended is not None else tuple(result)
    before = _chain(game, played, seats, thoughts, final)
    plies = tuple(
        _ply(game, seats, entry, thoughts.get(n), before[n], before[n + 1])
        for n, entry in enumerate(played)
    )
    return Analysis(plies, before[0], final, *_sums(plies, players))


def _chain(
    game: Any,
    played: Sequence[Any],
    seats: Sequence[Any],
    thoughts: Mapping[int, Thought],
    final: tuple[float, ...],
) -> list[tuple[float, ...]]:
    """Return what each place could expect before each entry, and the result at last.

    Before a throw it is what the decision before it was worth; of what nobody has thought about,
    as of moves without a choice, it is what could be expected next.
    """
    chain = [final]
    for n in range(len(played) - 1, -1, -1):
        thought = thoughts.get(n)
        if thought is not None:
            place = seats.index(game.actor(played[n].before))
            chain.append(_spread(thought, max(value for _, value in thought.others), place))
        elif n and n - 1 in thoughts and game.actor(played[n].before) is CHANCE:
            decision = thoughts[n - 1]
            place = seats.index(game.actor(played[n - 1].before))
            value = dict(decision.others)[game.write(played[n - 1].move)]
            chain.append(_spread(decision, value, place))
        else:
            chain.append(chain[-1] if n else _even(len(seats)))
    chain.reverse()
    return chain


def _even(players: int) -> tuple[float, ...]:
    return (1 / players,) * players


def _spread(thought: Thought, value: float, place: int) -> tuple[float, ...]:
    """Return what each place can expect where one expects so much, the rest shared as thought."""
    value = min(max(value, 0.0), 1.0)
    rest = 1 - thought.equity[place]
    many = len(thought.equity) - 1
    return tuple(
        value
        if other == place
        else (1 - value) * (thought.equity[other] / rest if rest > 0 else 1 / many)
        for other in range(many + 1)
    )


def _ply(  # noqa: PLR0917 - all that is known of an entry
    game: Any,
    seats: Sequence[Any],
    entry: Any,
    thought: Thought | None,
    before: tuple[float, ...],
    after: tuple[float, ...],
) -> Ply:
    actor, notation = game.actor(entry.before), game.write(entry.move)
    place = None if actor is CHANCE else seats.index(actor)
    if thought is None:
        return Ply(entry.ply, place, notation, before, after)
    values = sorted(thought.others, key=lambda pair: -pair[1])
    best = values[0]
    played = dict(values)[notation]
    return Ply(
        entry.ply,
        place,
        notation,
        before,
        after,
        best=best[0],
        loss=max(0.0, best[1] - played),
        margin=best[1] - values[1][1],
        choices=len(values),
    )


def _sums(plies: Sequence[Ply], players: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return what luck and what skill gave to each place."""
    luck, skill = [0.0] * players, [0.0] * players
    for ply in plies:
        sums = luck if ply.place is None else skill
        for place in range(players):
            sums[place] += ply.after[place] - ply.before[place]
    return tuple(luck), tuple(skill)
