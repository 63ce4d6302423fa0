"""Two games with sides swapped, played as one match with one result.

If a game's sides are unequal, one game proves little. ``Paired(game)`` is the same game with one
more option, ``match``: with ``true`` each player plays both sides, one game after the other, and

* a player who wins both games, or wins one and draws the other, wins the match;
* if the same side won both, the player who won it in fewer moves wins;
* otherwise the match is drawn.

With ``false``, the default, it is the game itself: same positions, same log, same result.

A seat keeps its number throughout: seat 0 plays the first side in the first game and the second
side in the second. `Paired.side` returns the side a seat is playing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Generic

from engine.description import MAX_DESCRIPTION
from engine.errors import BadPosition, IllegalMove
from engine.game import CHANCE, Actor, Entry, Game, M, Option, Outcome, S, Seat
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import lines, plural, say, shortened, word
from engine.scene import Scene, Shape, Text

_LINE: Final = re.compile(
    r"(?P<board>.+) game=(?P<number>[12]) moves=(?P<one>\d+),(?P<two>\d+)"
    r"(?: first=(?P<first>draw|(?P<winner>[01]),(?P<needed>\d+)))?"
)

MATCH: Final = Option(
    word("option", "match"),
    say("two games with sides swapped, one result"),
    (word("option value", "false"), word("option value", "true")),
    "false",
)


@dataclass(frozen=True, slots=True)
class Leg:
    """The result of a match's first game."""

    winner: Seat | None
    """The side that won, as a seat of the single game; ``None`` for a draw."""
    moves: int
    """The winner's number of moves; 0 for a draw."""


@dataclass(frozen=True, slots=True)
class Standing(Generic[S]):
    """A position of a match of one or two games."""

    board: S
    """The position of the game being played."""
    options: tuple[tuple[str, str], ...]
    """All options as settled, to start a second game with."""
    first: Leg | None
    """The result of the first game, once the second is in progress."""
    moves: tuple[int, int]
    """Moves made by each side in the current game; not counted in single games."""

    @property
    def paired(self) -> bool:
        """Whether two games are played."""
        return (MATCH.name, "true") in self.options

    @property
    def swapped(self) -> bool:
        """Whether the second game is in progress."""
        return self.first is not None


class Paired(Game[Standing[S], M]):
    """A two-player game that can also be played as a match of two games."""

    def __init__(self, game: Game[S, M]) -> None:
        """Offer matches of this game, which has two seats and always starts the same way."""
        self._game = game
        self.slug = game.slug
        self.title = game.title
        self.summary = game.summary
        self.usual_turns = game.usual_turns
        self.rules_version = game.rules_version
        self.seat_names = game.seat_names
        self.players = game.players
        self.documents = game.documents
        self.options = (*game.options, MATCH)
        self.rules = game.rules
        self.lessons = game.lessons
        self.notation_help = game.notation_help
        self.agreed_draw = game.agreed_draw
        self.unequal_sides = game.unequal_sides

    def seats(self, players: int) -> tuple[Seat, ...]:
        """Return the seats of the game."""
        return self._game.seats(players)

    def side(self, state: Standing[S], seat: Seat) -> str:
        """Return the side that a seat plays in the current game."""
        return self.seat_names[_other(seat) if state.swapped else seat]

    def quarter_turns(self, state: Standing[S], seat: Seat) -> int:
        """Return how far the current game is turned for the side that a seat is playing."""
        return self._game.quarter_turns(state.board, _other(seat) if state.swapped else seat)

    def stage(self, state: Standing[S]) -> str:
        """Return which game of a match is in progress, and how the first one ended."""
        if not state.paired:
            return ""
        if state.first is None:
            return say("First game of two")
        if state.first.winner is None:
            return say("Second game of two, the first was drawn")
        # Translators: side is the name of a side such as "swedes"; it is a plural.
        return plural(
            "Second game of two, the {side} won the first in {n} move",
            "Second game of two, the {side} won the first in {n} moves",
            state.first.moves,
            side=self.seat_names[state.first.winner],
        )

    def start(self, options: Mapping[str, str], players: int) -> Standing[S]:
        """Return the first position of the first game."""
        board = self._game.start(options, players)
        return Standing(board, tuple(sorted(options.items())), None, (0, 0))

    def actor(self, state: Standing[S]) -> Actor:
        """Return who acts, by seat of the match."""
        actor = self._game.actor(state.board)
        return _other(actor) if state.swapped and actor is not CHANCE else actor

    def turn(self, state: Standing[S]) -> Seat | None:
        """Return whose turn it is, by seat of the match."""
        turn = self._game.turn(state.board)
        return _other(turn) if state.swapped and turn is not None else turn

    def legal_moves(self, state: Standing[S]) -> Sequence[M]:
        """Return the legal moves of the current game."""
        return self._game.legal_moves(state.board)

    @property
    def has_luck(self) -> bool:
        """Whether the game, played once or twice, has luck."""
        return self._game.has_luck

    def odds(self, state: Standing[S]) -> Mapping[M, Fraction]:
        """Return the odds of the current game."""
        return self._game.odds(state.board)

    def after(self, state: Standing[S], move: M) -> Standing[S]:
        """Return the position after a move; the end of a first game starts the second."""
        board = self._game.after(state.board, move)
        if not state.paired:
            return Standing(board, state.options, None, state.moves)
        moves = self._counted(state)
        ended = None if state.swapped else self._game.outcome(board)
        if ended is None:
            return Standing(board, state.options, state.first, moves)
        fresh = self._game.start(dict(state.options), len(self.seat_names))
        return Standing(fresh, state.options, _leg(ended, moves), (0, 0))

    def outcome(self, state: Standing[S]) -> Outcome | None:
        """Return how the match ended: by its one game, or by both together."""
        ended = self._game.outcome(state.board)
        if ended is None or state.first is None:
            return ended
        return self._together(state.first, _leg(ended, state.moves))

    def steps(self, move: M) -> tuple[str, ...]:
        """Return the steps of a move of the game."""
        return self._game.steps(move)

    def ways(self, state: Standing[S], move: M) -> tuple[tuple[str, ...], ...]:
        """Return where the men of a move start and end."""
        return self._game.ways(state.board, move)

    def routes(self, state: Standing[S], move: M) -> tuple[tuple[str, ...], ...]:
        """Return how the men of a move go there."""
        return self._game.routes(state.board, move)

    def goal(self, state: Standing[S], seat: Seat) -> str:
        """Return how the side wins that a seat has in the current game."""
        return self._game.goal(state.board, _other(seat) if state.swapped else seat)

    def move_label(self, state: Standing[S], move: M) -> MoveLabel:
        """Return what a move does in the current game."""
        return self._game.move_label(state.board, move)

    def risk(self, state: Standing[S], move: M) -> str:
        """Return what a move leaves in danger."""
        return self._game.risk(state.board, move)

    def reason(self, state: Standing[S], move: M) -> str:
        """Return what a move gains in the current game."""
        return self._game.reason(state.board, move)

    def price(self, state: Standing[S], move: M) -> str:
        """Return what a move gives up in the current game."""
        return self._game.price(state.board, move)

    def story(self, log: Sequence[Entry[Standing[S], M]], end: Standing[S]) -> str:
        """Return the story of the only game, or of the second, if it had begun."""
        same = [
            Entry(entry.before.board, entry.move, entry.turn)
            for entry in log
            if entry.before.first == end.first
        ]
        told = self._game.story(same, end.board)
        # Translators: story is a sentence or two, on the second of two games.
        return say("In the second game: {story}", story=told) if told and end.swapped else told

    def steps_label(self, state: Standing[S], steps: tuple[str, ...]) -> StepsLabel:
        """Return what the first steps of a move choose."""
        return self._game.steps_label(state.board, steps)

    def ends(self, state: Standing[S], move: M) -> Worth | None:
        """Return how a move ends the current game, which may be the first of two."""
        return self._game.ends(state.board, move)

    def parse(self, state: Standing[S], text: str) -> M:
        """Return the move that the text writes. Raises what the game raises."""
        return self._game.parse(state.board, text)

    def tell_throws(
        self, throws: Sequence[tuple[Standing[S], M]], *, moved: bool
    ) -> tuple[str, ...]:
        """Return the game's sentences for throws in a row."""
        return self._game.tell_throws([(one.board, throw) for one, throw in throws], moved=moved)

    def tell(self, state: Standing[S], move: M) -> str:
        """Return the game's sentence, with the result of a first game if this move ends it."""
        text = self._game.tell(state.board, move)
        if not state.paired or state.swapped:
            return text
        ended = self._game.outcome(self._game.after(state.board, move))
        if ended is None:
            return text
        leg = _leg(ended, self._counted(state))
        if leg.winner is None:
            return say(
                "{move}. The first game is drawn: {reason}. The sides are swapped",
                move=text,
                reason=ended.reason,
            )
        return say(
            "{move}. The {side} win the first game: {reason}. The sides are swapped",
            move=text,
            side=self.seat_names[leg.winner],
            reason=ended.reason,
        )

    def refuse(self, state: Standing[S], move: M) -> IllegalMove | None:
        """Return why the game refuses a move."""
        return self._game.refuse(state.board, move)

    def scene(
        self,
        state: Standing[S],
        last: Sequence[tuple[Standing[S], M]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
        result: Outcome | None = None,
    ) -> Scene:
        """Return the picture of the current game; its alt text says which one it is.

        Once both games are over, it shows who won the match.
        """
        if state.swapped:
            result = result or self.outcome(state)
            if result is not None:
                result = Outcome(result.ranks[::-1], result.reason)
        same_game = [(then.board, move) for then, move in last if then.first == state.first]
        scene = self._game.scene(state.board, same_game, chosen, over=over, result=result)
        if not state.paired:
            return scene
        if state.swapped:
            scene = replace(scene, above=tuple(map(_swapped, scene.above)))
        stage = self.stage(state)
        # Translators: stage is "First game of two"; the picture of the board is described after it.
        alt = say("{stage}. {description}", stage=stage, description=scene.alt)
        return replace(scene, alt=shortened(alt, MAX_DESCRIPTION), text=lines((stage, scene.text)))

    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> Standing[S]:
        """Return the position that a line describes.

        In a match of two games the line of the game is followed by ``game=1 moves=3,2`` or ``game=2
        moves=3,2 first=0,34``: the moves of each side, and the first game's result (the winning
        seat and its moves, or ``draw``).

        Raises:
            BadPosition: it cannot occur.
            BadOption: no such option or value.
        """
        settled = self.settle(options)
        kept = tuple(sorted(settled.items()))
        inner = {name: value for name, value in settled.items() if name != MATCH.name}
        if settled[MATCH.name] != "true":
            return Standing(self._game.read_position(text, inner), kept, None, (0, 0))
        found = _LINE.fullmatch(text.strip())
        if found is None or (found["number"] == "2") != (found["first"] is not None):
            raise BadPosition(
                "A position of a match of two games ends in “game=1 moves=3,2” or "
                "“game=2 moves=3,2 first=0,34”."
            )
        board = self._game.read_position(found["board"], inner)
        moves = (int(found["one"]), int(found["two"]))
        first = None
        if found["first"] is not None:
            drawn = found["first"] == "draw"
            winner = None if drawn else Seat(int(found["winner"]))
            first = Leg(winner, 0 if drawn else int(found["needed"]))
        elif self._game.outcome(board) is not None:
            raise BadPosition("The first game is over here, so the second has begun.")
        return Standing(board, kept, first, moves)

    def write_position(self, state: Standing[S]) -> str:
        """Return the position as one line; see `read_position`."""
        line = self._game.write_position(state.board)
        if not state.paired:
            return line
        line += f" game={2 if state.swapped else 1} moves={state.moves[0]},{state.moves[1]}"
        if state.first is None:
            return line
        if state.first.winner is None:
            return f"{line} first=draw"
        return f"{line} first={state.first.winner},{state.first.moves}"

    def equivalence_key(self, state: Standing[S]) -> str:
        """Return the line of the current game, whichever of a match it is."""
        return self._game.equivalence_key(state.board)

    def _counted(self, state: Standing[S]) -> tuple[int, int]:
        actor = self._game.actor(state.board)
        one, two = state.moves
        return (one + (actor == 0), two + (actor == 1))

    def _together(self, first: Leg, second: Leg) -> Outcome:
        """Judge two games. In the second, seats and sides are swapped."""
        winners = [first.winner, None if second.winner is None else _other(second.winner)]
        decided = [winner for winner in winners if winner is not None]
        if not decided:
            return Outcome((1, 1), say("both games are drawn"))
        if len(set(decided)) == 1:
            if len(decided) == 2:
                return _won_by(decided[0], say("won both games"))
            return _won_by(decided[0], say("won one game and drew the other"))
        assert first.winner is not None
        needed = say(
            "the {side} won both games, in {first} and {second} moves",
            side=self.seat_names[first.winner],
            first=first.moves,
            second=second.moves,
        )
        if first.moves == second.moves:
            return Outcome((1, 1), needed)
        faster = first.winner if first.moves < second.moves else _other(first.winner)
        return _won_by(faster, needed)


def _other(seat: Seat) -> Seat:
    return Seat(1 - seat)


def _swapped(shape: Shape) -> Shape:
    """Return a shape of the single game in a match whose sides are swapped."""
    if isinstance(shape, Text) and shape.seat is not None:
        return replace(shape, seat=1 - shape.seat)
    return shape


def _leg(ended: Outcome, moves: tuple[int, int]) -> Leg:
    if ended.drawn:
        return Leg(None, 0)
    winner = Seat(ended.ranks.index(1))
    return Leg(winner, moves[winner])


def _won_by(seat: Seat, reason: str) -> Outcome:
    return Outcome((1, 2) if seat == 0 else (2, 1), reason)
