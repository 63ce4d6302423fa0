"""Trains the evaluation by self-play alone, with temporal differences.

`python -m ai train thaayam` rewrites `weights.npy`. In self-play each seat ends its turn where its
own win probability is highest. The probabilities at each end of a turn are then pulled towards a
mixture of later ones and the result (TD(λ), forward view), by Adam on cross-entropy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from ai.games.thaayam.evaluation import (
    HIDDEN,
    NETWORK,
    SCORE,
    WEIGHTS,
    network,
    score,
    win_probabilities,
)
from ai.games.thaayam.fast import (
    MOVE,
    OVER,
    PHASE,
    PLAYERS,
    SIZE,
    START,
    THROW,
    TURN,
    begin,
    number,
    result,
    throw,
)
from ai.games.thaayam.features import INPUTS, extract_features
from ai.games.thaayam.turns import POOL, TABLE, best_end, turn_ends
from ai.kernels import Boards, Floats, Ints, Weights, Words, kernel
from ai.terminal import Progress

WEIGHTS_FILE: Final = Path(__file__).with_name("weights.npy")
SEED: Final = 20261121
GAMES: Final = {2: 48_000, 3: 24_000, 4: 20_000}
"""Games by number of players."""
PARTS: Final = 20
"""Progress reports for each number of players."""
FIRST_RATE: Final = 3e-3
"""Adam's initial learning rate; it decays exponentially to `LAST_RATE`."""
LAST_RATE: Final = 1e-4
LATER: Final = 0.8
"""Weight of later values against the next one: λ."""
BATCH: Final = 8
"""Games per step of Adam."""
LONGEST: Final = 2000
"""Turns after which a game is cut short, as untrained players can be slow to finish."""


def train(seed: int = SEED) -> None:
    """Train the weights and write them beside this module."""
    dice = np.random.default_rng(seed)
    weights = np.zeros(WEIGHTS, np.float32)
    with Progress("Training games", sum(GAMES.values())) as progress:
        _train(dice, weights, progress)
    np.save(WEIGHTS_FILE, weights)
    WEIGHTS_FILE.with_suffix(".txt").write_text(
        f"weights.npy: {len(weights)} weights, made by: python -m ai train thaayam\n"
        f"seed {seed}; games for each number of players: {GAMES}\n",
        encoding="utf-8",
    )


def _train(dice: np.random.Generator, weights: Weights, progress: Progress) -> None:
    for players, games in GAMES.items():
        at, units = network(players), INPUTS * HIDDEN
        weights[at : at + units] = dice.normal(0, 0.1, units)
        weights[at + SCORE : at + NETWORK] = dice.normal(0, 0.2, HIDDEN)
        moments = np.zeros((2, NETWORK))
        part = games // PARTS
        for done in range(0, games, part):
            fortune = int(dice.integers(1 << 31))
            loss = run(players, part, fortune, weights, done, games, moments)
            progress.advance(part)
            progress.print(f"{players} players, {done + part} games: loss {loss:.4f}")


@kernel
def throw_sticks() -> int:
    """Return a random throw, as the number of white sides up."""
    fell = np.random.randint(16)  # noqa: NPY002 - numba's own generator
    return int(fell > 0) + int(fell > 4) + int(fell > 10) + int(fell > 14)


@kernel
def self_play(
    players: int,
    w: Weights,
    ends: Boards,
    pool: Boards,
    table: Words,
    found: Ints,
) -> int:
    """Play one game; write the ends of all turns and return their number."""
    state, into = np.empty(SIZE, np.int32), np.empty(SIZE, np.int32)
    begin(players, state)
    count = 0
    while state[PHASE] != OVER and count < LONGEST:
        if state[PHASE] != MOVE:
            opening = state[PHASE] == START
            throw(state, throw_sticks(), into)
            state, into = into, state
            if opening and state[PHASE] == THROW:
                ends[count] = state
                count += 1
            continue
        ways = turn_ends(state, pool, table, found)
        state[:] = pool[best_end(pool, found, ways, number(state, TURN), w)]
        ends[count] = state
        count += 1
    return count


@kernel
def learn(ends: Boards, count: int, w: Weights, slope: Floats) -> float:
    """Add the gradient of one game to ``slope``; return its mean cross-entropy with the result."""
    players = number(ends[0], PLAYERS)
    seen = np.empty((count, 4))
    for index in range(count):
        if ends[index, PHASE] == OVER:
            result(ends[index], seen[index])
        else:
            win_probabilities(ends[index], w, seen[index])
    target = seen[count - 1].copy()
    at = network(players)
    x, hidden = np.empty(INPUTS, np.float32), np.empty(HIDDEN, np.float32)
    loss = 0.0
    for index in range(count - 2, -1, -1):
        target = (1.0 - LATER) * seen[index + 1] + LATER * target
        for seat in range(players):
            loss -= seen[count - 1, seat] * np.log(max(seen[index, seat], 1e-9))
            wrong = seen[index, seat] - target[seat]
            extract_features(ends[index], seat, x)
            score(x, w, at, hidden)
            for unit in range(HIDDEN):
                felt = hidden[unit]
                slope[SCORE + unit] += wrong * (felt if felt > 0.0 else 0.1 * felt)
                back = wrong * w[at + SCORE + unit] * (1.0 if felt > 0.0 else 0.1)
                hidden[unit] = back
                slope[INPUTS * HIDDEN + unit] += back
            for i in range(INPUTS):
                if x[i] != 0.0:
                    for unit in range(HIDDEN):
                        slope[i * HIDDEN + unit] += x[i] * hidden[unit]
    return loss / max(count - 1, 1)


@kernel
def run(
    players: int, games: int, seed: int, w: Weights, done: int, total: int, moments: Floats
) -> float:
    """Play games and learn from them; return the mean loss.

    Args:
        players: number of players.
        games: number of games.
        seed: seed of the throws.
        w: weights, changed in place.
        done: games played before.
        total: games in the whole training.
        moments: Adam's two moments of the gradient, a row each.

    """
    np.random.seed(seed)  # noqa: NPY002 - numba's own generator
    ends = np.empty((LONGEST + 1, SIZE), np.int32)
    pool = np.empty((POOL, SIZE), np.int32)
    table, found = np.empty(TABLE, np.uint64), np.empty(POOL, np.int64)
    slope = np.zeros(NETWORK)
    at = network(players)
    loss, used = 0.0, 0
    for game in range(games):
        count = self_play(players, w, ends, pool, table, found)
        if count > 1:
            loss += learn(ends, count, w, slope)
            used += count
        if (game + 1) % BATCH == 0 and used:
            rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** ((done + game) / total)
            step = (done + game + 1) // BATCH
            for i in range(NETWORK):
                g = slope[i] / used
                moments[0, i] = 0.9 * moments[0, i] + 0.1 * g
                moments[1, i] = 0.999 * moments[1, i] + 0.001 * g * g
                m = moments[0, i] / (1.0 - 0.9**step)
                v = moments[1, i] / (1.0 - 0.999**step)
                w[at + i] -= rate * m / (np.sqrt(v) + 1e-8)
            slope[:] = 0.0
            used = 0
    return loss / games
