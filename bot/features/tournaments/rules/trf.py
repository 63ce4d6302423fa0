"""FIDE's tournament report (TRF16, with JaVaFo's TRFx): reads and writes it.

A report has one result per player and round. So it fits tournaments of two at a table with one
game per pairing (`fits`); the rest have the project's own `record`. Other programs can read it and
check the pairings.

Players are numbered in seed order. A place that was taken over is one player. Names are only those
the caller gives; a nameless player is called by number. Lost in a report: a void game becomes a
round without an opponent, and replacements are not shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bot.core.errors import BadImport
from bot.features.tournaments.rules.pairing import MAX_ROUNDS, Record
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.standings import standings
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from engine.phrase import say

_FIRST: Final = 91
"""The column of the first round, from 0."""
_WIDTH: Final = 10
_POINTS: Final = {"1": 1.0, "=": 0.5, "0": 0.0, "W": 1.0, "D": 0.5, "L": 0.0, "+": 1.0, "-": 0.0}
_BYES: Final = {"U": 1.0, "F": 1.0, "Z": 0.0, "": 0.0, "-": 0.0, "+": 1.0}
"""Points for a round without an opponent. Half-point byes aren't supported."""
_ROUND: Final = re.compile(r"([ 0-9]{4}) ([wbWB -]) ([10=+\-WDLUFZwdlufz ])")
MAX_PLAYERS: Final = 1000
_KINDS: Final = {
    Format.SWISS: "Individual: Swiss-System",
    Format.ROUND_ROBIN: "Individual: Round-Robin",
    Format.KNOCKOUT: "Individual: Knockout",
}
_PLAYED: Final = {1.0: "1", 0.5: "=", 0.0: "0"}
_JUDGED: Final = {1.0: "W", 0.5: "D", 0.0: "L"}


@dataclass(frozen=True, slots=True)
class Player:
    """A player's line in a report."""

    line: int
    number: int
    name: str
    rating: int
    points: float
    rounds: list[tuple[int, str, str]]
    """By round: the opponent or 0, the side, and the result."""

    def of(self, turn: int) -> tuple[int, str, str]:
        """Return what the line says of a round."""
        return self.rounds[turn - 1] if turn <= len(self.rounds) else (0, "-", "Z")


def read(text: str) -> tuple[Record, Mapping[int, Player]]:
    """Parse a report; in its record, players are identified by number.

    Raises:
        BadImport: it isn't a report, contradicts itself or uses something unsupported.
    """
    rows = _Rows()
    for at, line in enumerate(text.splitlines(), 1):
        rows.add(at, line)
    return rows.record(), rows.players


@dataclass(eq=False, repr=False)
class _Rows:
    """Collects the lines of a report."""

    players: dict[int, Player] = field(default_factory=dict)
    _title: str = ""
    _kind: str = ""
    _rounds: int | None = None
    _gone: set[int] = field(default_factory=set)

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
            raise BadImport(
                say("Line {line}: a number is missing. Check the columns.", line=at)
            ) from error

    def _add_player(self, at: int, line: str) -> None:
        number = int(line[4:8])
        if number in self.players or not 0 < number <= MAX_PLAYERS:
            raise BadImport(
                say(
                    "Line {line}: starting number {number} won't do. Each player needs their own, "
                    "from 1 to {most}.",
                    line=at,
                    number=number,
                    most=MAX_PLAYERS,
                )
            )
        if len(line) > _FIRST + MAX_ROUNDS * _WIDTH:
            raise too_many_rounds()
        rounds = []
        for start in range(_FIRST, len(line), _WIDTH):
            cell = f"{line[start : start + 8]:8s}"
            if not (match := _ROUND.fullmatch(cell)):
                raise BadImport(
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
        self.players[number] = Player(at, number, name, rating, points, rounds)

    def record(self) -> Record:
        if not self.players:
            raise BadImport(say("There are no players in the file: their lines begin with 001."))
        form = Format.SWISS
        if "robin" in self._kind:
            form = Format.ROUND_ROBIN
        elif "knock" in self._kind:
            form = Format.KNOCKOUT
        cycles = 2 if form is Format.ROUND_ROBIN and "double" in self._kind else 1
        rounds = self._rounds if form is Format.SWISS and self._rounds else None
        pairings: list[Pairing] = []
        last = max(len(player.rounds) for player in self.players.values())
        for turn in range(1, last + 1):
            pairings += self._round(turn, form)
        for player in self.players.values():
            self._check(player, form)
        return Record(
            Plan(form, rounds=rounds, cycles=cycles),
            tuple(self._entrant(player, last, form) for player in self.players.values()),
            tuple(pairings),
            title=self._title,
        )

    def _round(self, turn: int, form: Format) -> list[Pairing]:
        made = []
        for player in self.players.values():
            opponent, _, result = player.of(turn)
            if opponent == 0:
                if result not in _BYES:
                    raise BadImport(
                        say(
                            "Line {line}: round {round} has a result without an opponent. Write "
                            "the opponent's number, or U for a bye.",
                            line=player.line,
                            round=turn,
                        )
                    )
                free = form is Format.ROUND_ROBIN and player.number not in self._gone
                if _BYES[result] or free:
                    made.append(Pairing(turn, 0, (player.number,)))
                continue
            other = self.players.get(opponent)
            if other is None or other.of(turn)[0] != player.number or other is player:
                raise _disagree(player, turn, opponent)
            if player.number < opponent:
                made.append(_pairing(turn, player, other))
        met = sorted(made, key=lambda pairing: pairing.bye)
        return [replace(pairing, table=table) for table, pairing in enumerate(met, 1)]

    def _check(self, player: Player, form: Format) -> None:
        points = sum(
            _POINTS.get(result, 0.0) if opponent else _BYES[result]
            for opponent, _, result in player.rounds
        )
        if form is Format.SWISS and abs(points - player.points) > 0.01:
            raise BadImport(
                say(
                    "Line {line}: the rounds add up to {points} points, but the line says {said}. "
                    "Correct whichever is wrong.",
                    line=player.line,
                    points=points,
                    said=player.points,
                )
            )

    def _entrant(self, player: Player, last: int, form: Format) -> Entrant:
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


def _pairing(turn: int, one: Player, other: Player) -> Pairing:
    _, side, result = one.of(turn)
    _, other_side, other_result = other.of(turn)
    if result not in _POINTS or other_result not in _POINTS or side == other_side != "-":
        raise _disagree(one, turn, other.number)
    points = _POINTS[result], _POINTS[other_result]
    forfeit = {result, other_result} & {"+", "-"}
    if (sum(points) != 1 and not forfeit) or (forfeit and not {result, other_result} <= {"+", "-"}):
        raise _disagree(one, turn, other.number)
    game = Game((one.number, other.number), points)
    if side == "b":
        game = Game((other.number, one.number), points[::-1])
    if forfeit:
        game = replace(game, how="forfeit")
    elif result in "WDL":
        game = replace(game, how="adjudicated")
    return Pairing(turn, 0, (one.number, other.number), (game,))


def _disagree(player: Player, turn: int, opponent: int) -> BadImport:
    return BadImport(
        say(
            "Line {line}: its round {round} doesn't match the line of player {number}. Correct one "
            "of the two.",
            line=player.line,
            round=turn,
            number=opponent,
        )
    )


def too_many_rounds() -> BadImport:
    """Return the error for a tournament with too many rounds."""
    return BadImport(say("Tournaments here have at most {most} rounds.", most=MAX_ROUNDS))


def fits(played: Record) -> bool:
    """Return whether a tournament can be written as a report."""
    plan = played.plan
    single = all(len(pairing.games) <= 1 for pairing in played.pairings)
    return plan.seats == 2 and plan.groups == 1 and not plan.both_sides and single


def to_trf(
    played: Record, *, names: Mapping[int, str] | None = None, rounds: int | None = None
) -> str:
    """Write a tournament as a report, after the games that have ended.

    Args:
        played: the tournament.
        names: by user id, the names to include.
        rounds: the planned number of rounds; those played so far if unknown.

    Raises:
        ValueError: it doesn't fit.
    """
    if not fits(played):
        raise ValueError("reports need one two-player game per pairing")
    plan, entrants, pairings = played.plan, played.entrants, played.pairings
    roster = Roster(entrants)
    places = roster.as_places(pairings)
    number = {place: rank + 1 for place, rank in roster.rank.items()}
    last = max((pairing.round for pairing in pairings), default=0)
    ranks = {roster.place(one.user_id): one for one in standings(plan, entrants, pairings)}
    found = {
        (place, pairing.round): pairing
        for pairing in places
        for place in pairing.players
        if not pairing.open
    }
    kind = _KINDS[plan.format]
    lines = [f"012 {_clean(played.title)}", f"062 {len(number)}"]
    lines.append(f"092 {kind.replace('Round', 'Double-Round') if plan.cycles == 2 else kind}")
    strengths = {entrant.user_id: entrant.strength for entrant in entrants}
    for place in roster.places:
        who = roster.latest(place).user_id
        name = _clean((names or {}).get(who, "")) or f"Player {number[place]}"
        standing = ranks.get(place)
        points = standing.points if standing else 0.0
        rating = min(9999, max(0, round(strengths[place])))
        cells = [
            _cell(place, found.get((place, turn)), number, plan) for turn in range(1, last + 1)
        ]
        lines.append(
            f"001 {number[place]:4d}      {name[:33]:33s} {rating:4d}{'':27s} {points:4.1f} "
            f"{standing.rank if standing else len(number):4d}  " + "  ".join(cells)
        )
    lines.append(f"XXR {rounds or max(last, 1)}")
    lines.append("XXC white1")
    departed = [str(number[place]) for place in roster.places if roster.left(place) is not None]
    if departed:
        lines.append(f"XXZ {' '.join(departed)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cell(place: int, pairing: Pairing | None, number: Mapping[int, int], plan: Plan) -> str:
    if pairing is None or (not pairing.bye and pairing.games[0].how == "void"):
        return "0000 - Z"
    if pairing.bye:
        return f"0000 - {'Z' if plan.format is Format.ROUND_ROBIN else 'U'}"
    (game,) = pairing.games
    (other,) = set(pairing.players) - {place}
    points = round(2 * game.of(place)) / 2
    signs = {"forfeit": {1.0: "+"}, "adjudicated": _JUDGED}.get(game.how, _PLAYED)
    side = "wb"[game.seats.index(place)]
    return f"{number[other]:4d} {side} {signs.get(points, '-')}"


def _clean(name: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in name).split())
