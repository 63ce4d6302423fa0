"""Reads FIDE's tournament report (TRF16, with JaVaFo's TRFx), which `trf_writing` and others write."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from bot.features.tournaments.model import Entrant, Format, Game, Pairing, Plan
from bot.features.tournaments.record import (
    MAX_LENGTH,
    MAX_ROUNDS,
    Unreadable,
    too_long,
    too_many_rounds,
)
from engine.phrase import Phrase, say

_FIRST: Final = 91
"""The column of the first round, from 0."""
_WIDTH: Final = 10
_POINTS: Final = {"1": 1.0, "=": 0.5, "0": 0.0, "W": 1.0, "D": 0.5, "L": 0.0, "+": 1.0, "-": 0.0}
_BYES: Final = {"U": 1.0, "F": 1.0, "Z": 0.0, "": 0.0, "-": 0.0, "+": 1.0}
"""Points for a round without an opponent. Half-point byes aren't supported."""
_ROUND: Final = re.compile(r"([ 0-9]{4}) ([wbWB -]) ([10=+\-WDLUFZwdlufz ])")
MAX_PLAYERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of a report. Players are identified by number."""

    plan: Plan
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    title: str = ""
    names: dict[int, str] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    """By player, the line about them."""


def read(text: str) -> Report:
    """Parse a report.

    Raises:
        Unreadable: it isn't a report, contradicts itself or uses something unsupported.

    """
    if len(text) > MAX_LENGTH:
        raise Unreadable(too_long())
    rows = _Rows()
    for at, line in enumerate(text.splitlines(), 1):
        rows.add(at, line)
    return rows.report()


@dataclass(slots=True)
class _Player:
    at: int
    number: int
    name: str
    rating: int
    points: float
    rounds: list[tuple[int, str, str]]
    """By round: the opponent or 0, the side, and the result."""


@dataclass(eq=False, repr=False)
class _Rows:
    """Collects the lines of a report."""

    _players: dict[int, _Player] = field(default_factory=dict, init=False)
    _title: str = field(default="", init=False)
    _kind: str = field(default="", init=False)
    _rounds: int | None = field(default=None, init=False)
    _gone: set[int] = field(default_factory=set, init=False)

    def add(self, at: int, line: str) -> None:
        code, rest = line[:3], line[4:].rstrip()
        try:
            if code == "001":
                self._add_player(at, line.rstrip())
            elif code == "012":
                self._title = rest
            elif code == "092":
                self._kind = rest.lower()
            elif code == "XXR":
                self._rounds = int(rest)
            elif code == "XXZ":
                self._gone |= set(map(int, rest.split()))
        except ValueError as error:
            if isinstance(error, Unreadable):
                raise
            raise Unreadable(
                say("Line {line}: a number is missing. Check the columns.", line=at)
            ) from error

    def _add_player(self, at: int, line: str) -> None:
        number = int(line[4:8])
        if number in self._players or not 0 < number <= MAX_PLAYERS:
            raise Unreadable(
                say(
                    "Line {line}: starting number {number} won't do. Each player needs their own, "
                    "from 1 to {most}.",
                    line=at,
                    number=number,
                    most=MAX_PLAYERS,
                )
            )
        if len(line) > _FIRST + MAX_ROUNDS * _WIDTH:
            raise Unreadable(too_many_rounds())
        rounds = []
        for start in range(_FIRST, len(line), _WIDTH):
            cell = f"{line[start : start + 8]:8s}"
            if not (match := _ROUND.fullmatch(cell)):
                raise Unreadable(
                    say(
                        "Line {line}: “{cell}” isn't a result I know. Write the opponent's "
                        "number, w or b, and 1, = or 0, or U for a bye, each in its column.",
                        line=at,
                        cell=cell.strip(),
                    )
                )
            opponent, side, result = match.groups()
            rounds.append((int(opponent.strip() or 0), side.lower(), result.strip().upper()))
        rating = int(line[48:52].strip() or 0)
        points = float(line[80:84])
        name = line[14:47].strip()
        self._players[number] = _Player(at, number, name, rating, points, rounds)

    def report(self) -> Report:
        if not self._players:
            raise Unreadable(say("There are no players in the file: their lines begin with 001."))
        form = Format.SWISS
        if "robin" in self._kind:
            form = Format.ROUND_ROBIN
        elif "knock" in self._kind:
            form = Format.KNOCKOUT
        cycles = 2 if form is Format.ROUND_ROBIN and "double" in self._kind else 1
        rounds = self._rounds if form is Format.SWISS and self._rounds else None
        pairings: list[Pairing] = []
        last = max(len(player.rounds) for player in self._players.values())
        for turn in range(1, last + 1):
            pairings += self._round(turn, form)
        for player in self._players.values():
            self._check(player, form)
        return Report(
            Plan(form, rounds=rounds, cycles=cycles),
            tuple(self._entrant(player, last, form) for player in self._players.values()),
            tuple(pairings),
            self._title,
            {number: player.name for number, player in self._players.items() if player.name},
            {number: player.at for number, player in self._players.items()},
        )

    def _round(self, turn: int, form: Format) -> list[Pairing]:
        made = []
        for player in self._players.values():
            opponent, side, result = self._of(player, turn)
            if opponent == 0:
                if result not in _BYES:
                    raise Unreadable(
                        say(
                            "Line {line}: round {round} has a result without an opponent. Write "
                            "the opponent's number, or U for a bye.",
                            line=player.at,
                            round=turn,
                        )
                    )
                free = form is Format.ROUND_ROBIN and player.number not in self._gone
                if _BYES[result] or free:
                    made.append(Pairing(turn, 0, (player.number,)))
                continue
            other = self._players.get(opponent)
            if other is None or self._of(other, turn)[0] != player.number or other is player:
                raise Unreadable(_disagree(player, turn, opponent))
            if player.number < opponent:
                made.append(_pairing(turn, player, other, (side, result), self._of(other, turn)))
        met = sorted(made, key=lambda pairing: pairing.bye)
        return [replace(pairing, table=table) for table, pairing in enumerate(met, 1)]

    def _of(self, player: _Player, turn: int) -> tuple[int, str, str]:
        return player.rounds[turn - 1] if turn <= len(player.rounds) else (0, "-", "Z")

    def _check(self, player: _Player, form: Format) -> None:
        points = sum(
            _POINTS.get(result, 0.0) if opponent else _BYES[result]
            for opponent, _, result in player.rounds
        )
        if form is Format.SWISS and abs(points - player.points) > 0.01:
            raise Unreadable(
                say(
                    "Line {line}: the rounds add up to {points} points, but the line says {said}. "
                    "Correct whichever is wrong.",
                    line=player.at,
                    points=points,
                    said=player.points,
                )
            )

    def _entrant(self, player: _Player, last: int, form: Format) -> Entrant:
        there = [
            turn
            for turn, (opponent, _, result) in enumerate(player.rounds, 1)
            if opponent or _BYES[result]
        ]
        joined = 1
        if form is Format.SWISS and last:
            joined = there[0] if there else last + 1
        left = None
        if player.number in self._gone:
            left = there[-1] if there else 0
        return Entrant(player.number, float(player.rating), joined, left)


def _pairing(
    turn: int,
    one: _Player,
    other: _Player,
    mine: tuple[str, str],
    theirs: tuple[int, str, str],
) -> Pairing:
    side, result = mine
    _, other_side, other_result = theirs
    if result not in _POINTS or other_result not in _POINTS or side == other_side != "-":
        raise Unreadable(_disagree(one, turn, other.number))
    points = _POINTS[result], _POINTS[other_result]
    forfeit = {result, other_result} & {"+", "-"}
    if (sum(points) != 1 and not forfeit) or (forfeit and not {result, other_result} <= {"+", "-"}):
        raise Unreadable(_disagree(one, turn, other.number))
    game = Game((one.number, other.number), points)
    if side == "b":
        game = Game((other.number, one.number), points[::-1])
    if forfeit:
        game = replace(game, how="forfeit")
    elif result in "WDL":
        game = replace(game, how="adjudicated")
    return Pairing(turn, 0, (one.number, other.number), (game,))


def _disagree(player: _Player, turn: int, opponent: int) -> Phrase:
    return say(
        "Line {line}: its round {round} doesn't match the line of player {number}. Correct one of "
        "the two.",
        line=player.at,
        round=turn,
        number=opponent,
    )
