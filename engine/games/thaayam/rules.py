"""Thaayam as a `Game`: what happens when the dice fall and when a throw is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from engine.errors import BadNotation, IllegalMove
from engine.game import CHANCE, Actor, Entry, Game, Outcome, Seat
from engine.games.thaayam import (
    move_labels,
    notation,
    position,
    reasons,
    refusals,
    sentences,
    story,
)
from engine.games.thaayam import scene as pictures
from engine.games.thaayam.board import KEEP, OPPOSITE, PATHS, PLACES
from engine.games.thaayam.capture import sent_back
from engine.games.thaayam.documents import DOCUMENTS, RULES
from engine.games.thaayam.lessons import LESSONS
from engine.games.thaayam.packing import most
from engine.games.thaayam.series import (
    advanced,
    borne_off,
    declared,
    entered,
    plays,
    rested,
    struck,
    without,
)
from engine.games.thaayam.state import (
    ALL_OFF,
    CALLED,
    CLOSING,
    NAMES,
    NORTH,
    OUT,
    PAIR,
    SCORES,
    SEATS,
    TO_THROW,
    Act,
    Advance,
    Move,
    Phase,
    Series,
    Side,
    State,
    Throw,
    first,
)
from engine.move_label import MoveLabel, StepsLabel
from engine.phrase import say
from engine.scene import Scene

THROWS: Final[tuple[Move, ...]] = tuple(Throw(white) for white in SCORES)
ODDS: Final[Mapping[Move, Fraction]] = MappingProxyType(
    {throw: Fraction(ways, 16) for throw, ways in zip(THROWS, (1, 4, 6, 4, 1), strict=True)}
)
"""Four two-sided dice, each equally likely to fall either side up."""


class Thaayam(Game[State, Move]):
    """A race round and into a board of five by five squares, from Walker's document."""

    slug = "thaayam"
    title = "Thaayam"
    summary = say(
        "A race game from the south of India for two to four: round the board into the keep."
    )
    usual_turns = 35
    rules_version = 1
    seat_names = NAMES
    players = range(2, 5)
    documents = DOCUMENTS
    rules = RULES
    lessons = LESSONS
    notation_help = notation.HELP
    options = ()

    def seats(self, players: int) -> tuple[Seat, ...]:
        """Return two opposite seats, three, or all four, clockwise from South."""
        return SEATS[players]

    def quarter_turns(self, state: State, seat: Seat) -> int:  # noqa: ARG002 - always the same
        """Return half a turn for North. West and East see the board as South does.

        Their panels stand beside the board and could not lie below it.
        """
        return 2 if seat == NORTH else 0

    def start(self, options: Mapping[str, str], players: int) -> State:  # noqa: ARG002 - has none
        """Return all pieces in hand, South to throw first for the start."""
        return first(players)

    def actor(self, state: State) -> Actor:
        """Return the seat with throws to use, else chance."""
        return state.seat if state.phase is Phase.MOVE else CHANCE

    def turn(self, state: State) -> Seat | None:
        """Return the seat that throws or uses its throws."""
        return None if state.phase is Phase.START else state.seat

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return every throw, or every move that leaves the most throws usable."""
        if state.phase is Phase.MOVE:
            return plays(state.seat, state.side, state.throws)
        return () if state.phase is Phase.OVER else THROWS

    def odds(self, state: State) -> Mapping[Move, Fraction]:
        """Return the chance of each number of white sides."""
        return ODDS if state.phase in {Phase.START, Phase.THROW} else {}

    def outcome(self, state: State) -> Outcome | None:
        """Return the first seat to bear off all pieces as the winner, all others equal second."""
        if state.phase is not Phase.OVER:
            return None
        ranks = tuple(1 if index == state.turn else 2 for index in range(len(state.sides)))
        reason = say("{seat} has brought all four pieces home", seat=CALLED[state.seat])
        return Outcome(ranks, reason)

    def after(self, state: State, move: Move) -> State:
        """Return the position after a legal throw or move."""
        if isinstance(move, Throw):
            score = SCORES[move.white]
            return _opened(state, score) if state.opening else _thrown(state, score)
        throws, again, side = state.throws, state.again, state.sides[state.turn]
        sides = state.sides
        if isinstance(move, Advance):
            seat, twins = state.seat, move.twins
            place = PLACES[seat][move.square]
            squares = sum(move.throws) // 2 if twins else sum(move.throws)
            side = advanced(side, 2 * place + PAIR * twins, squares)
            throws = without(throws, move.throws)
            captured = sent_back(sides, state.turn, place + squares, twins=twins)
            if captured is not None:
                sides, again = captured, True
        elif move is Act.TWINS:
            side = declared(side)
        else:
            side = entered(side) if move is Act.ENTER else borne_off(side)
            throws = without(throws, (1,))
        return _settled(_with_side(sides, state.turn, side), state.turn, throws, again=again)

    def steps(self, move: Move) -> tuple[str, ...]:
        """Return the piece and then each of its throws; any other move is one step."""
        return notation.steps(move)

    def ways(self, state: State, move: Move) -> tuple[tuple[str, ...], ...]:
        """Return a piece's start and end squares, or the one where it enters or leaves."""
        path = PATHS[state.seat]
        match move:
            case Advance():
                return ((move.square, path[min(sentences.landing(state, move), KEEP)]),)
            case Act():
                return ((path[{Act.ENTER: 0, Act.OFF: KEEP, Act.TWINS: OPPOSITE}[move]],),)
            case _:
                return ()

    def routes(self, state: State, move: Move) -> tuple[tuple[str, ...], ...]:
        """Return a piece's squares along its path, or the one where it enters or leaves."""
        if not isinstance(move, Advance):
            return self.ways(state, move)
        end = min(sentences.landing(state, move), KEEP)
        return (PATHS[state.seat][PLACES[state.seat][move.square] : end + 1],)

    def parse(self, state: State, text: str) -> Move:
        """Return the move that the text writes, a piece's throws in any order."""
        try:
            return notation.read(text)
        except BadNotation as error:
            raise refusals.unreadable(state, error) from error

    def tell(self, state: State, move: Move) -> str:
        """Return a sentence: with the thrower for a throw, without the mover for a move."""
        return sentences.sentence(state, move, self.after(state, move))

    def tell_throws(
        self,
        throws: Sequence[tuple[State, Move]],
        *,
        moved: bool,  # noqa: ARG002 - whatever follows
    ) -> tuple[str, ...]:
        """Return one sentence for each series, which its last throw tells."""
        *earlier, last = throws
        ends = [one for one in earlier if not sentences.retold(*one, self.after(*one))]
        return tuple(self.tell(*one) for one in (*ends, last))

    def goal(self, state: State, seat: Seat) -> str:  # noqa: ARG002 - the same for all
        """Return what decides a game: pieces go round into the keep, and home from there."""
        return say(
            "Bring all four pieces round both rings into the keep in the middle, then home from "
            "there with a 1 each, before the others do."
        )

    def move_label(self, state: State, move: Move) -> MoveLabel:
        """Return what a piece does and with which throws, or a throw's meaning."""
        if isinstance(move, Throw):
            return super().move_label(state, move)
        return move_labels.move_label(state, move, self.after(state, move))

    def reason(self, state: State, move: Move) -> str:
        """Return the pieces it brings into play, home or to safety."""
        if isinstance(move, Throw):
            return ""
        return reasons.reason(state, move, self.after(state, move))

    def price(self, state: State, move: Move) -> str:
        """Return whether an enemy close behind could capture it."""
        if isinstance(move, Throw):
            return ""
        return reasons.price(state, move, self.after(state, move))

    def steps_label(self, state: State, steps: tuple[str, ...]) -> StepsLabel:  # noqa: ARG002 - the same in any position
        """Return the chosen piece."""
        return move_labels.steps_label(steps)

    def story(self, log: Sequence[Entry[State, Move]], end: State) -> str:
        """Return who led since when, and who was sent back."""
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
        return pictures.scene(state, last, chosen, over=over, result=result)

    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> State:
        """Return the position that a line describes."""
        self.settle(options)
        return position.read(text)

    def write_position(self, state: State) -> str:
        """Return the position as one line."""
        return position.write(state)

    def equivalence_key(self, state: State) -> str:
        """Return a line with the seats relative to the one to act."""
        return position.equivalence_key(state)


def _with_side(sides: tuple[Side, ...], turn: int, side: Side) -> tuple[Side, ...]:
    return (*sides[:turn], side, *sides[turn + 1 :])


def _opened(state: State, score: int) -> State:
    """Return what follows a throw for the start: the next, a round for those tied, or a turn."""
    opening = (*state.opening[: state.turn], score, *state.opening[state.turn + 1 :])
    if TO_THROW not in opening:
        highest = max(opening)
        if opening.count(highest) == 1:
            return State(state.sides, opening.index(highest), Phase.THROW)
        opening = tuple(TO_THROW if thrown == highest else OUT for thrown in opening)
    return State(state.sides, opening.index(TO_THROW), Phase.START, opening=opening)


def _thrown(state: State, score: int) -> State:
    throws = state.throws.and_then(score)
    if score not in CLOSING:
        return State(state.sides, state.turn, Phase.THROW, throws)
    return _settled(state.sides, state.turn, struck(state.side, throws), again=False)


def _settled(sides: tuple[Side, ...], turn: int, throws: Series, *, again: bool) -> State:
    """Return what follows with these throws left: the end, more moves, or a next turn."""
    side = sides[turn]
    if throws and most(side, throws):
        return State(sides, turn, Phase.MOVE, throws, again)
    sides = _with_side(sides, turn, rested(side))
    if sides[turn] == ALL_OFF:
        return State(sides, turn, Phase.OVER)
    return State(sides, turn if again else (turn + 1) % len(sides), Phase.THROW)
