"""Tablaaza as a `Game`: two sides, no luck, one stone a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.errors import IllegalMove
from engine.game import Actor, Entry, Game, Outcome, Seat
from engine.games.tablaaza import building, notation, position, reasons, refusals, sentences, story
from engine.games.tablaaza.board import GREEN, NAMES, OF, RED
from engine.games.tablaaza.documents import DOCUMENTS, RULES
from engine.games.tablaaza.lessons import LESSONS
from engine.games.tablaaza.scene import scene as picture
from engine.games.tablaaza.state import START, Move, State
from engine.games.tablaaza.words import NO_SPACE
from engine.move_label import MoveLabel
from engine.phrase import say
from engine.scene import Scene

_LOST: Final = (
    Outcome((2, 1), NO_SPACE[RED]),
    Outcome((1, 2), NO_SPACE[GREEN]),
)
"""Why the game ended when a seat cannot play, in seat order."""


class Tablaaza(Game[State, Move]):
    """A game for space on a checkered board round two lakes; the last able to play wins."""

    slug = "tablaaza"
    title = "Tablaaza"
    summary = say(
        "Found a city round two lakes: turn the other tribe's plots to pavilions, be last to build."
    )
    usual_turns = 22
    rules_version = 1
    seat_names = NAMES
    players = range(2, 3)
    documents = DOCUMENTS
    rules = RULES
    lessons = LESSONS
    notation_help = notation.HELP
    options = ()

    def seats(self, players: int) -> tuple[Seat, ...]:  # noqa: ARG002 - always two
        """Return both seats."""
        return (RED, GREEN)

    def start(self, options: Mapping[str, str], players: int) -> State:  # noqa: ARG002 - always two
        """Return the empty board, Red to play."""
        return START

    def actor(self, state: State) -> Actor:
        """Return the seat that plays next."""
        return state.seat

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return a move for every plot the seat may play on."""
        return building.moves(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return the loss of the seat to play if it has no vacant plot."""
        return None if state.vacant & OF[state.seat] else _LOST[state.seat]

    def after(self, state: State, move: Move) -> State:
        """Return the position after a legal move, with the pavilions it raises."""
        return building.after(state, move)

    def steps(self, move: Move) -> tuple[str, ...]:
        """Return the square, the only step."""
        return (move.square,)

    def parse(self, state: State, text: str) -> Move:  # noqa: ARG002 - the same in any position
        """Return the move on the square that the text names."""
        return notation.read(text)

    def tell(self, state: State, move: Move) -> str:
        """Return where the stone goes and the pavilions it raises."""
        return sentences.sentence(state, move)

    def goal(self, state: State, seat: Seat) -> str:  # noqa: ARG002 - the same for both
        """Return what decides a game, and how plots are lost (Pavilion, Objective)."""
        goal = say(
            "Put a stone on a plot of your colour each turn: if you can't, you've lost. Fill all "
            "your plots in the row and column of an enemy plot, and a pavilion takes it away."
        )
        if not state.opening:
            return goal
        # Translators: goal is a sentence or two.
        return say(
            "{goal} Green's first stone goes beside Red's, or a knight's move away.", goal=goal
        )

    def move_label(self, state: State, move: Move) -> MoveLabel:
        """Return where the stone goes and which pavilions rise."""
        return sentences.move_label(state, move)

    def reason(self, state: State, move: Move) -> str:
        """Return which plots it saves, and the space it leaves."""
        return reasons.reason(state, move)

    def price(self, state: State, move: Move) -> str:
        """Return the plots it leaves to the other side."""
        return reasons.price(state, move)

    def story(self, log: Sequence[Entry[State, Move]], end: State) -> str:
        """Return who had room left, and which move closed the most."""
        return story.story(log, end)

    def refuse(self, state: State, move: Move) -> IllegalMove | None:
        """Return the rule that forbids a move."""
        return refusals.reason(state, move)

    def scene(
        self,
        state: State,
        last: Sequence[tuple[State, Move]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
        result: Outcome | None = None,
    ) -> Scene:
        """Return the picture of a position."""
        return picture(state, last, chosen, over=over, result=result)

    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> State:
        """Return the position that a line describes."""
        self.settle(options)
        return position.read(text)

    def write_position(self, state: State) -> str:
        """Return the position as one line."""
        return position.write(state)

    def equivalence_key(self, state: State) -> str:
        """Return the position's line, shared with its mirror image from top to bottom."""
        return position.equivalence_key(state)
