"""Tablut as a `Game`: two unequal sides, no luck, one move a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import IllegalMove
from engine.game import Actor, Entry, Game, Outcome, Seat
from engine.games.tablut import (
    move_labels,
    notation,
    playing,
    position,
    reasons,
    refusals,
    sentences,
    story,
)
from engine.games.tablut.board import MUSCOVITES, NAMES, SWEDES
from engine.games.tablut.documents import DOCUMENTS, DRAWS, RULES
from engine.games.tablut.lessons import LESSONS
from engine.games.tablut.scene import scene as picture
from engine.games.tablut.state import Move, State
from engine.move_label import MoveLabel, StepsLabel
from engine.pair import Paired
from engine.phrase import say
from engine.scene import Scene


class Tablut(Game[State, Move]):
    """A king tries to break out of a ring of attackers."""

    slug = "tablut"
    title = "Tablut"
    summary = say("Bring the Swedish king to the edge of the board, or surround him on the way.")
    usual_turns = 20
    rules_version = 1
    seat_names = NAMES
    players = range(2, 3)
    documents = DOCUMENTS
    rules = RULES
    lessons = LESSONS
    notation_help = notation.HELP
    options = ()
    agreed_draw = DRAWS.name
    unequal_sides = True

    def seats(self, players: int) -> tuple[Seat, ...]:  # noqa: ARG002 - always two
        """Return both seats."""
        return (SWEDES, MUSCOVITES)

    def start(self, options: Mapping[str, str], players: int) -> State:  # noqa: ARG002 - always two
        """Return the set-up of rule 2, the Swedes to move."""
        return playing.START

    def actor(self, state: State) -> Actor:
        """Return the side to move."""
        return state.seat

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return every move of the side's men."""
        return playing.legal(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, if it has."""
        return playing.outcome(state)

    def after(self, state: State, move: Move) -> State:
        """Return the position after a legal move, with its captures."""
        return playing.after(state, move)

    def steps(self, move: Move) -> tuple[str, ...]:
        """Return the man's square, then his target."""
        return move.steps

    def parse(self, state: State, text: str) -> Move:  # noqa: ARG002 - the same in any position
        """Return the move between the two squares that the text names."""
        return notation.read(text)

    def tell(self, state: State, move: Move) -> str:
        """Return the move, its captures, and the Swedes' call."""
        return sentences.sentence(state, move)

    def goal(self, state: State, seat: Seat) -> str:  # noqa: ARG002 - always the same
        """Return how the king escapes, or how he is taken (rules 7, 8, 11 and 13)."""
        if seat == SWEDES:
            return say("Bring your king to any square on the edge of the board.")
        return say(
            "Take the king before he reaches the edge: stand on all four sides of him, or on the "
            "other three beside his empty castle."
        )

    def move_label(self, state: State, move: Move) -> MoveLabel:
        """Return who goes where, and whom that takes."""
        return move_labels.move_label(state, move)

    def risk(self, state: State, move: Move) -> str:
        """Return whether the man or king that moves could be taken."""
        return move_labels.risk(state, move)

    def reason(self, state: State, move: Move) -> str:
        """Return what it stops, threatens or saves."""
        return reasons.reason(state, move)

    def price(self, state: State, move: Move) -> str:
        """Return which men could be taken then, or whether the king could."""
        return reasons.price(state, move)

    def steps_label(self, state: State, steps: tuple[str, ...]) -> StepsLabel:
        """Return the chosen man or king."""
        return move_labels.steps_label(state, steps)

    def story(self, log: Sequence[Entry[State, Move]], end: State) -> str:
        """Return how the king got out or was taken, and when his way opened."""
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
        """Return the position that a line describes, without a history."""
        self.settle(options)
        return position.read(text)

    def write_position(self, state: State) -> str:
        """Return the position as one line, without its history."""
        return position.write(state)

    def equivalence_key(self, state: State) -> str:
        """Return the position's line, the same for all rotations and reflections of the board."""
        return position.equivalence_key(state)


class Tabluts(Paired[State, Move]):
    """Tablut, as one game or as a match of two with sides swapped."""
