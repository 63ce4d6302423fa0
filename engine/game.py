"""The interface that every game implements.

A position is a frozen, hashable value and a move makes a new one, so no move can be half made. Luck
is an actor like any other: a throw is a move by ``CHANCE``, the rules give its odds, the draw comes
from outside (:mod:`engine.luck`) and the log records the throw. A log of notation therefore replays
to the same position without a seed.

Two rules for every implementation:

* A seat without a legal move never acts. If a throw cannot be used, the position after it is
  already the next throw, so ``legal_moves`` is never empty while ``outcome`` is ``None``.
* ``outcome`` is the only judge. Everything else asks it.

All text for players is phrases (:mod:`engine.phrase`), so that it can be translated: moves'
sentences, refusals, reasons, rules, options, seat names, the words in pictures. Documents and games keep their
own titles, and notation is the same in every language.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Final, Generic, NamedTuple, NewType, TypeAlias, TypeVar

from engine.errors import BadOption, GameOver, IllegalMove
from engine.lesson import Lesson
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import listed, say
from engine.rule import Document, Rule
from engine.scene import Scene

Seat = NewType("Seat", int)
"""A seat at the board, counted from 0 in the order of ``Game.seat_names``."""


class Chance(Enum):
    """The actor that throws the sticks."""

    CHANCE = "chance"


CHANCE: Final = Chance.CHANCE
Actor: TypeAlias = Seat | Chance

_SQUARE: Final = re.compile(r"[a-z][1-9]\d*")

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the players may make before a game."""

    name: str
    """Its name in commands and records: a word that is translated for display."""
    summary: str
    """One line on what it decides."""
    values: tuple[str, ...]
    """Its values in commands and records: words that are translated for display."""
    default: str
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """For each value, the defaults it gives to *other* options: a rule set sets several."""
    notes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """For values that do not say it themselves, what they mean."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    ranks: tuple[int, ...]
    """One rank per seat in seat order, 1 the best; equal ranks are a tie.

    Empty for a match without a result, never for a game that the rules ended.
    """
    reason: str
    """Why it ended, a few words that complete a sentence ("all men taken")."""

    @property
    def void(self) -> bool:
        """Whether there is no result."""
        return not self.ranks

    @property
    def drawn(self) -> bool:
        """Whether all seats share the first rank."""
        return set(self.ranks) == {1}


class Entry(NamedTuple, Generic[S, M]):
    """An entry of a log, as a story is told of it."""

    before: S
    move: M
    turn: int
    """The number of its turn, as boards count them; see `engine.turns`."""


class Game(ABC, Generic[S, M]):
    """One game: its facts as attributes, its rules as questions about a position.

    ``S`` is the type of its positions, ``M`` that of its moves; both are frozen values. An instance
    is stateless and can be shared.
    """

    slug: str
    """Its name in commands, files and the store: lower-case ASCII letters."""
    title: str
    summary: str
    """One line for newcomers."""
    usual_turns: int
    """Turns per player in a game of usual length."""
    rules_version: int
    """Raised when a rule change makes old logs replay differently."""
    seat_names: tuple[str, ...]
    """Lower case, in turn order; a game for two to four players names four."""
    players: range
    """The allowed numbers of players, fewest first."""
    documents: tuple[Document, ...]
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    notation_help: str
    """How to type a move, with an example: part of every ``BadNotation``."""
    agreed_draw: str | None = None
    """The name of the rule that lets players agree on a draw; ``None`` if there is none."""
    lessons: tuple[Lesson, ...] = ()
    """Small positions for newcomers, in learning order."""
    unequal_sides: bool = False
    """Whether one side is so much stronger that players will want to play both."""

    # ------------------------------------------------------------------ what each game answers

    @abstractmethod
    def seats(self, players: int) -> tuple[Seat, ...]:
        """Return the seats taken in a game of this many players, in turn order."""

    @abstractmethod
    def start(self, options: Mapping[str, str], players: int) -> S:
        """Return the first position. ``options`` is complete and valid; see :meth:`initial`."""

    @abstractmethod
    def actor(self, state: S) -> Actor:
        """Return who acts, a seat or ``CHANCE``. Meaningless once ``outcome`` is not ``None``."""

    @abstractmethod
    def legal_moves(self, state: S) -> Sequence[M]:
        """Return every legal move once; empty exactly when ``outcome`` is not ``None``."""

    @abstractmethod
    def after(self, state: S, move: M) -> S:
        """Return the position after a move known to be legal. Unchecked: see `apply`."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or ``None`` while it is in progress."""

    @abstractmethod
    def steps(self, move: M) -> tuple[str, ...]:
        """Return the move as the player's successive choices.

        Joined they are its notation; one by one they are the levels of a menu. No move's steps are
        the beginning of another's.
        """

    @abstractmethod
    def parse(self, state: S, text: str) -> M:
        """Return the move that the text writes, legal or not; case and spaces are ignored.

        Where a move has several spellings that are legal in ``state``, the canonical one is returned.

        Raises:
            BadNotation: the text is not a move of this game.
        """

    @abstractmethod
    def tell(self, state: S, move: M) -> str:
        """Return one plain sentence for the log, without a full stop ("threw 8: e1 to l2")."""

    def tell_throws(
        self,
        throws: Sequence[tuple[S, M]],
        *,
        moved: bool,  # noqa: ARG002 - of some games
    ) -> tuple[str, ...]:
        """Return sentences for throws in a row, each with the position before it; one may tell several.

        ``moved``: whether the move that they led to is told right after them.
        """
        return tuple(self.tell(before, throw) for before, throw in throws)

    @abstractmethod
    def refuse(self, state: S, move: M) -> IllegalMove | None:
        """Return why a move is illegal: the rule and the squares concerned; ``None`` if it is legal."""

    @abstractmethod
    def scene(
        self,
        state: S,
        last: Sequence[tuple[S, M]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
        result: Outcome | None = None,
    ) -> Scene:
        """Return the picture of a position as data, with alt text to play from.

        Args:
            state: the position.
            last: the moves since the players last saw a picture, each with the position it was
                made in; drawn as the last throw and the last moves.
            chosen: the steps of the next move chosen so far; the possible next steps are marked.
            over: whether play has stopped although the rules do not say so: no seat is to move and
                no choices are marked.
            result: how the match ended, if not as the board says: by resigning, say, ranked
                otherwise since players had given up, or without a result.
        """

    @abstractmethod
    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> S:
        """Return the position that a line of text describes, under these options.

        Raises:
            BadPosition: it cannot occur.
            BadOption: no such option or value.
        """

    @abstractmethod
    def write_position(self, state: S) -> str:
        """Return the position as one line of text; `read_position` reads it back unchanged."""

    # ------------------------------------------------------------ written once for all games

    def equivalence_key(self, state: S) -> str:
        """Return a line shared by positions in which the same advice would help.

        Options are left out, and so is who has which of several equal sides. Merely similar
        positions may share a line; those that differ only by a mirror or in the names of the seats
        should.
        """
        return self.write_position(state)

    def settle(self, options: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return a value for every option: the choice, else the preset, else the default.

        Raises:
            BadOption: no such option or value.
        """
        chosen = dict(options or {})
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                raise BadOption(_no_option(self.title, name, ", ".join(known)))
            if value not in known[name].values:
                # Translators: all three are written as they are typed, in English.
                message = say(
                    "“{option}” can't be “{value}”. It can be: {values}.",
                    option=name,
                    value=value,
                    values=", ".join(known[name].values),
                )
                raise BadOption(message)
        settled = {option.name: chosen.get(option.name, option.default) for option in self.options}
        for option in self.options:
            preset = option.presets.get(settled[option.name], {})
            settled.update({name: v for name, v in preset.items() if name not in chosen})
        return settled

    def initial(self, options: Mapping[str, str] | None = None, players: int | None = None) -> S:
        """Return the first position, for the fewest players unless a number is given.

        Raises:
            BadOption: no such option or value, or not a number of players for this game.
        """
        number = self.players[0] if players is None else players
        if number not in self.players:
            # Translators: numbers is a list such as "2, 3 or 4".
            message = say(
                "{game} is a game for {numbers} players, not {number}.",
                game=self.title,
                numbers=listed([str(n) for n in self.players], either=True),
                number=number,
            )
            raise BadOption(message)
        return self.start(self.settle(options), number)

    def apply(self, state: S, move: M) -> S:
        """Return the position after a move.

        Raises:
            GameOver: the game has ended.
            IllegalMove: the move is not legal here.

        """
        self._still_on(state)
        if move not in self.legal_moves(state):  # refused, or another spelling of a legal one
            move = self.read(state, self.write(move))
        return self.after(state, move)

    def read(self, state: S, text: str) -> M:
        """Return the legal move that the text writes; case and spaces are ignored.

        Raises:
            BadNotation: the text is not a move of this game.
            GameOver: the game has ended.
            IllegalMove: the move is not legal here.

        """
        self._still_on(state)
        move = self.parse(state, text)
        if move not in self.legal_moves(state):
            refused = self.refuse(state, move)
            assert refused is not None, f"{text} is not among the legal moves"
            raise refused
        return move

    def write(self, move: M) -> str:
        """Return the notation of a move."""
        return "".join(self.steps(move))

    def ways(self, state: S, move: M) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002 - of some games
        """Return, for each man a move moves, its first and last square, or its only square.

        A picture's board names these squares; moves off the board have none.
        """
        parts = self.write(move).split(",")
        return tuple(way for part in parts if (way := tuple(_SQUARE.findall(part))))

    def routes(self, state: S, move: M) -> tuple[tuple[str, ...], ...]:
        """Return the same with the squares between, in games whose men don't go straight there."""
        return self.ways(state, move)

    def goal(self, state: S, seat: Seat) -> str:  # noqa: ARG002 - of some games
        """Return in one sentence how a seat wins, for someone who has never played."""
        return self.summary

    def move_label(self, state: S, move: M) -> MoveLabel:
        """Return what a legal move of a seat does, for menus."""
        sentence = self.tell(state, move)
        return MoveLabel(sentence, sentence)

    def risk(self, state: S, move: M) -> str:  # noqa: ARG002 - of some games
        """Return in a few words what a legal move leaves in danger; empty if unknown."""
        return ""

    def reason(self, state: S, move: M) -> str:  # noqa: ARG002 - of some games
        """Return a sentence on what a legal move gains; empty if not obvious."""
        return ""

    def price(self, state: S, move: M) -> str:  # noqa: ARG002 - of some games
        """Return a sentence on what a legal move gives up; empty if not obvious."""
        return ""

    def story(self, log: Sequence[Entry[S, M]], end: S) -> str:  # noqa: ARG002 - of some games
        """Return in about two sentences what decided a game, from its log; empty if that is little.

        Cheap: it searches nothing. The log may end before the rules ended the game.
        """
        return ""

    def steps_label(self, state: S, steps: tuple[str, ...]) -> StepsLabel:  # noqa: ARG002 - of some games
        """Return what the first steps of several legal moves choose, and the next question."""
        typed = "".join(steps)
        # Translators: what was chosen of a move so far, such as "e1"; then its end is chosen.
        return StepsLabel(typed, say("{steps}: where to?", steps=typed))

    def effect(self, state: S, move: M) -> Hashable:  # noqa: ARG002 - of some games
        """Return what tells a legal move from others: of those with one effect a menu offers one."""
        return move

    def ends(self, state: S, move: M) -> Worth | None:
        """Return whether a legal move wins, draws or loses for its player, if it ends the game."""
        outcome = self.outcome(self.after(state, move))
        actor = self.actor(state)
        if outcome is None or actor is CHANCE:
            return None
        if outcome.drawn:
            return Worth.DRAWS
        place = self.seats(len(outcome.ranks)).index(actor)
        return Worth.WINS if outcome.ranks[place] == 1 else Worth.LOSES

    def only_move(self, state: S) -> M | None:
        """Return a seat's only move; ``None`` if it has a choice or chance acts."""
        moves = () if self.actor(state) is CHANCE else self.legal_moves(state)
        return moves[0] if len(moves) == 1 else None

    @property
    def has_luck(self) -> bool:
        """Whether ``CHANCE`` ever acts: a game without luck does not override `odds`."""
        return type(self).odds is not Game.odds

    def odds(self, state: S) -> Mapping[M, Fraction]:  # noqa: ARG002 - used by games with luck
        """Return the chance of each throw, summing to 1; empty unless ``CHANCE`` acts."""
        return {}

    def quarter_turns(self, state: S, seat: Seat) -> int:  # noqa: ARG002 - of some games
        """Return how many quarter turns, counterclockwise, put a seat at the bottom of a picture.

        0 if the game's sides do not lie along edges of the board.
        """
        return 0

    def turn(self, state: S) -> Seat | None:
        """Return whose turn it is, throws included; ``None`` while the seats throw for the start.

        A game with throws must override this and say whose they are.
        """
        actor = self.actor(state)
        return None if actor is CHANCE else actor

    def side(self, state: S, seat: Seat) -> str:  # noqa: ARG002 - used by a match of two games
        """Return a seat's name in this position, in lower case."""
        return self.seat_names[seat]

    def stage(self, state: S) -> str:  # noqa: ARG002 - used by a match of two games
        """Return which part of a match this is and the score so far; empty for a single game."""
        return ""

    def rule(self, name: str) -> Rule:
        """Return the rule quoted by this name, such as ``W13``; case is ignored.

        Raises:
            KeyError: no rule of that name.

        """
        for rule in self.rules:
            if rule.name.lower() == name.strip().lower():
                return rule
        raise KeyError(name)

    def _still_on(self, state: S) -> None:
        ended = self.outcome(state)
        if ended is not None:
            raise GameOver(say("The game is over: {reason}.", reason=ended.reason))


def _no_option(game: str, name: str, known: str) -> str:
    if not known:
        return say("{game} has no option “{option}”. It has: none.", game=game, option=name)
    # Translators: options is a list of names as they are typed, in English.
    return say(
        "{game} has no option “{option}”. It has: {options}.", game=game, option=name, options=known
    )
