"""Translates between the engine's positions and notation and the fast board's integers."""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.thaayam.fast import (
    ADVANCE,
    AGAIN,
    BEAR_OFF,
    EIGHTS,
    ENTER,
    FOURS,
    LAST,
    MOVE,
    ONES,
    OPENING,
    OUT,
    OVER,
    PHASE,
    PLAYERS,
    SIZE,
    START,
    THROW,
    TURN,
    TWINS,
    advance,
)
from ai.games.thaayam.sides import ABSENT, CODE, packed
from ai.kernels import Board
from engine.games.thaayam import notation as written
from engine.games.thaayam.board import PATHS, PLACES
from engine.games.thaayam.state import (
    ALL_IN_HAND,
    CLOSING,
    PAIR,
    SEATS,
    Act,
    Advance,
    Move,
    Phase,
    State,
)
from engine.games.thaayam.state import OUT as ENGINE_OUT

_PHASES: Final = {Phase.START: START, Phase.THROW: THROW, Phase.MOVE: MOVE, Phase.OVER: OVER}
_ACTS: Final = {ENTER: Act.ENTER, BEAR_OFF: Act.OFF, TWINS: Act.TWINS}


def encode(state: State) -> Board:
    """Return an engine position as a row of integers."""
    row = np.zeros(SIZE, np.int32)
    row[:PLAYERS] = ABSENT
    row[: len(state.sides)] = [packed(side) for side in state.sides]
    throws = tuple(state.throws)
    if state.phase is Phase.THROW and state.side == ALL_IN_HAND:  # rule 7 will strike them
        throws = throws[throws.index(1) :] if 1 in throws else ()
    row[PLAYERS], row[TURN], row[PHASE] = len(state.sides), state.turn, _PHASES[state.phase]
    row[ONES], row[FOURS], row[EIGHTS] = (throws.count(score) for score in (1, 4, 8))
    row[LAST] = next((score for score in throws if score in CLOSING), 0)
    row[AGAIN] = state.again
    for index, score in enumerate(state.opening):
        row[OPENING] |= (OUT if score == ENGINE_OUT else score) << 4 * index
    return row


def notation(state: Board, move: int) -> str:
    """Return a move in the engine's notation."""
    kind = move & 3
    if kind != ADVANCE:
        return str(_ACTS[kind].value)
    code = move >> 2 & CODE
    twins = code >= PAIR
    place = (code - PAIR if twins else code) // 2
    seat = SEATS[int(state[PLAYERS])][int(state[TURN])]
    counts = ((8, move >> 21 & 63), (4, move >> 15 & 63), (move >> 27 & 3, 1), (1, move >> 9 & 63))
    throws = tuple(score for score, n in counts for _ in range(n) if score)
    return "".join(written.steps(Advance(PATHS[seat][place], throws, twins)))


def read(state: Board, text: str) -> int:
    """Return a legal move given in the engine's notation."""
    move: Move = written.read(text)
    if not isinstance(move, Advance):
        return next(kind for kind, act in _ACTS.items() if act is move)
    place = PLACES[SEATS[int(state[PLAYERS])][int(state[TURN])]][move.square]
    ones, fours, eights = (move.throws.count(score) for score in (1, 4, 8))
    last = next((score for score in move.throws if score in CLOSING), 0)
    return advance(2 * place + PAIR * move.twins, ones, fours, eights, last)
