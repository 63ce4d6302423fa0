"""Dash: throw the die, move one of your two runners that far, and be first to bring one home."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from engine.errors import BadNotation, BadPosition, IllegalMove
from engine.game import CHANCE, Actor, Game, Option, Outcome, Seat
from engine.phrase import capital, listed, say, word
from engine.rule import Document, Rule
from engine.scene import Scene

from .scene import picture

RUNNERS = "ab"
TRACKS = {"short": 8, "long": 14}
SIDES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Track:
    """A position: how far each player's two runners are."""

    length: int
    runners: tuple[tuple[int, int], ...]
    turn: int
    die: int = 0
    """The throw to use; 0 before a throw."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance throws the die."""

    pips: int


@dataclass(frozen=True, slots=True)
class Run:
    """A runner moves."""

    runner: str
    pips: int


DashMove: TypeAlias = Roll | Run


class Dash(Game[Track, DashMove]):
    """A race, with luck, decisions, an option and a varying number of players."""

    slug = "dash"
    title = "Dash"
    summary = say("A race with a die and two runners each.")
    usual_turns = 5
    rules_version = 1
    seat_names: tuple[str, ...] = (word("seat", "red"), word("seat", "green"), word("seat", "blue"))
    players = range(2, 4)
    documents = (Document("", "The rules of Dash"),)
    rules: tuple[Rule, ...] = (
        Rule("", "1", "Everybody throws in turn and moves one runner as far as the die says."),
        Rule("", "2", "A runner comes home by an exact throw; a throw nobody can use is lost."),
        Rule("", "3", "The first to bring a runner home wins, and the others share the rest."),
    )
    options = (
        Option(
            word("option", "track"),
            say("how long the track is"),
            (word("option value", "short"), word("option value", "long")),
            "short",
        ),
    )
    notation_help = say("A move is a runner and what it moves, a+3.")

    def seats(self, players: int) -> tuple[Seat, ...]:
        """Return the first seats."""
        return tuple(Seat(number) for number in range(players))

    def start(self, options: Mapping[str, str], players: int) -> Track:
        """Return all runners at the start."""
        return Track(TRACKS[options["track"]], ((0, 0),) * players, 0)

    def actor(self, state: Track) -> Actor:
        """Return the die or the seat to move."""
        return Seat(state.turn) if state.die else CHANCE

    def turn(self, state: Track) -> Seat | None:
        """Return the seat whose turn it is, which throws."""
        return Seat(state.turn)

    def legal_moves(self, state: Track) -> Sequence[DashMove]:
        """Return the six throws, or the runners that can use the throw."""
        if self.outcome(state) is not None:
            return ()
        if not state.die:
            return tuple(Roll(pips) for pips in SIDES)
        return tuple(
            Run(runner, state.die)
            for runner, far in zip(RUNNERS, state.runners[state.turn], strict=True)
            if far + state.die <= state.length
        )

    def odds(self, state: Track) -> Mapping[DashMove, Fraction]:
        """Return the odds of a fair die."""
        if state.die or self.outcome(state) is not None:
            return {}
        return {Roll(pips): Fraction(1, 6) for pips in SIDES}

    def after(self, state: Track, move: DashMove) -> Track:
        """Return the track after a throw or a run."""
        following = (state.turn + 1) % len(state.runners)
        match move:
            case Roll(pips):
                thrown = replace(state, die=pips)
                return thrown if self.legal_moves(thrown) else replace(state, turn=following)
            case Run(runner, pips):
                a, b = state.runners[state.turn]
                pair = (a + pips, b) if runner == "a" else (a, b + pips)
                before, behind = state.runners[: state.turn], state.runners[state.turn + 1 :]
                return Track(state.length, (*before, pair, *behind), following)

    def outcome(self, state: Track) -> Outcome | None:
        """Return the result once a runner is home."""
        home = [state.length in pair for pair in state.runners]
        if not any(home):
            return None
        return Outcome(tuple(1 if came else 2 for came in home), say("a runner is home"))

    def steps(self, move: DashMove) -> tuple[str, ...]:
        """Return a throw as one step, or a run as two."""
        return (f"*{move.pips}",) if isinstance(move, Roll) else (move.runner, f"+{move.pips}")

    def parse(self, state: Track, text: str) -> DashMove:
        """Return the throw or run that a text means."""
        clean = "".join(text.split()).lower()
        if rolled := re.fullmatch(r"\*([1-6])", clean):
            return Roll(int(rolled[1]))
        if ran := re.fullmatch(r"([ab])\+([1-6])", clean):
            return Run(ran[1], int(ran[2]))
        raise BadNotation(say("“{text}” is not a move. {help}", text=text, help=self.notation_help))

    def tell(self, state: Track, move: DashMove) -> str:
        """Return a description of a throw or run."""
        name = capital(self.seat_names[state.turn])
        if isinstance(move, Run):
            return say("runner {runner} moves {n}", runner=move.runner, n=move.pips)
        if self.after(state, move).die:
            return say("{seat} threw {n}", seat=name, n=move.pips)
        return say("{seat} threw {n}, which cannot be used", seat=name, n=move.pips)

    def refuse(self, state: Track, move: DashMove) -> IllegalMove | None:
        """Return why a throw or run is not legal."""
        if move in self.legal_moves(state):
            return None
        first = self.rule("1")
        if isinstance(move, Roll):
            return IllegalMove(first, say("The {n} must be moved first.", n=state.die))
        if not state.die:
            return IllegalMove(first, say("The die must be thrown first."))
        if move.pips != state.die:
            return IllegalMove(first, say("The die shows {n}.", n=state.die), (move.runner,))
        phrase = say("Runner {runner} overshoots.", runner=move.runner)
        return IllegalMove(self.rule("2"), phrase, (move.runner,))

    def scene(
        self,
        state: Track,
        last: Sequence[tuple[Track, DashMove]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
        result: Outcome | None = None,
    ) -> Scene:
        """Return the lanes with the runners."""
        scene = picture(state.length, state.runners)
        ended = result or self.outcome(state)
        if ended.void if ended is not None else over:
            return scene
        return replace(
            scene, alt=say("{due} {lanes}", due=self._due(state, ended), lanes=scene.alt)
        )

    def _due(self, state: Track, ended: Outcome | None) -> str:
        if ended is not None:
            first = [
                capital(name)
                for name, rank in zip(self.seat_names, ended.ranks, strict=False)
                if rank == 1
            ]
            return say("First: {seats}, {reason}.", seats=listed(first), reason=ended.reason)
        name = capital(self.seat_names[state.turn])
        if state.die:
            return say("{seat} is to move {n}.", seat=name, n=state.die)
        return say("{seat} is to throw.", seat=name)

    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> Track:
        """Read a track such as ``0,3 5,0 red 4``."""
        length = TRACKS[self.settle(options)["track"]]
        text = " ".join(text.split())
        if not re.fullmatch(r"([0-9]{1,2},[0-9]{1,2} ){2,3}(red|green|blue) [-1-6]", text):
            raise BadPosition(f"“{text}” is not a position of Dash.")
        *lanes, name, die = text.split()
        runners = tuple((int(a), int(b)) for a, _, b in (lane.partition(",") for lane in lanes))
        turn = self.seat_names.index(name)
        state = Track(length, runners, turn, 0 if die == "-" else int(die))
        if turn >= len(runners) or max(map(max, runners)) > length:
            raise BadPosition(f"“{text}” cannot occur on a track of {length}.")
        if state.die and not self.legal_moves(state):
            raise BadPosition(f"{name.capitalize()} cannot use the {die}.")
        return state

    def write_position(self, state: Track) -> str:
        """Return the track as a line."""
        lanes = " ".join(f"{a},{b}" for a, b in state.runners)
        return f"{lanes} {self.seat_names[state.turn]} {state.die or '-'}"
