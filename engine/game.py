"""The one interface that every game implements.

A position is a frozen, hashable value and a move makes a new one, so nothing can half-happen.
Luck is an actor like any other: a throw is a move by ``CHANCE``, the rules give its odds, the
draw comes from outside (:mod:`engine.luck`) and the throw stands in the log. A log of notation
therefore replays to the same position with no seed at hand.

Two rules for every implementation:

* A seat that has no legal move never acts. The position after a throw that cannot be used is
  already the next throw, so ``legal_moves`` is never empty while ``outcome`` is ``None``.
* ``outcome`` is the only judge. Everything else asks it.

Whatever is said to players is a phrase (:mod:`engine.phrase`), so that it can be said in their
language: tellings, refusals, reasons, rules, options, names of seats, the words in pictures.
Documents and games keep their own titles, notation is the same everywhere.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, NewType, TypeAlias, TypeVar

from engine.deed import Begun, Deed, Worth
from engine.errors import BadOption, GameOver
from engine.phrase import listed, say

if TYPE_CHECKING:
    from fractions import Fraction

    from engine.errors import IllegalMove
    from engine.lesson import Lesson
    from engine.rule import Document, Rule
    from engine.scene import Scene

Seat = NewType("Seat", int)
"""A place at the board, counted from 0 in the order of ``Game.seat_names``."""


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
    """Something the players may choose before a game."""

    name: str
    """What it is called in commands and records: a word that people see translated."""
    summary: str
    """One line that tells a player what it decides."""
    values: tuple[str, ...]
    """What it can be, in commands and records: words that people see translated."""
    default: str
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """For each value the defaults that it gives to *other* options: a rule set chooses several."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    ranks: tuple[int, ...]
    """One rank a seat in seat order, 1 the best; equal ranks are a tie."""
    reason: str
    """Why it ended, a few words that complete a sentence ("all men taken")."""

    @property
    def drawn(self) -> bool:
        """Whether all seats share the first rank."""
        return set(self.ranks) == {1}


class Game(ABC, Generic[S, M]):
    """One game: its facts as attributes, its rules as questions about a position.

    ``S`` is the type of its positions, ``M`` that of its moves; both are frozen values. An
    instance holds no state and may be shared by everybody.
    """

    slug: str
    """Its name in commands, files and the store: lower case ASCII letters."""
    title: str
    summary: str
    """One line for people who never heard of it."""
    usual_turns: int
    """How many turns each player has in a game of usual length."""
    rules_version: int
    """Raised when a change of the rules makes old logs replay differently."""
    seat_names: tuple[str, ...]
    """Lower case, in turn order; a game for two to four players names four."""
    players: range
    """The numbers of players that may play, fewest first."""
    documents: tuple[Document, ...]
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    notation_help: str
    """How a move is typed, with an example: part of every ``BadNotation``."""
    agreed_draw: str | None = None
    """The name of the rule by which players may agree on a draw; ``None`` where none does."""
    lessons: tuple[Lesson, ...] = ()
    """Small positions for newcomers, in the order to learn them."""
    unequal_sides: bool = False
    """Whether one side is so much stronger that players will want to play both."""

    # ------------------------------------------------------------------ what each game answers

    @abstractmethod
    def seats(self, players: int) -> tuple[Seat, ...]:
        """Return the seats taken in a game of so many players, in turn order."""

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
        """Return the position after a move that is known to be legal. Unchecked: see `apply`."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""

    @abstractmethod
    def steps(self, move: M) -> tuple[str, ...]:
        """Return the move as the choices a player makes one after the other.

        Joined they are its notation, and one by one they are the levels of a menu. No move's
        steps are the beginning of another's.
        """

    @abstractmethod
    def parse(self, state: S, text: str) -> M:
        """Return the move that the text writes, legal or not.

        ``text`` comes stripped and in lower case. Where a move can be written in more than one
        way that is legal in ``state``, the canonical move comes back.

        Raises:
            BadNotation: the text is not a move of this game.

        """

    @abstractmethod
    def tell(self, state: S, move: M) -> str:
        """Return one plain sentence for the log, without a full stop ("threw 8: e1 to l2")."""

    @abstractmethod
    def refuse(self, state: S, text: str) -> IllegalMove:
        """Return why a move is not legal: the rule and the squares concerned.

        Raises:
            BadNotation: the text is not a move of this game.
            ValueError: the move is legal.

        """

    @abstractmethod
    def scene(
        self,
        state: S,
        last: Sequence[tuple[S, M]] = (),
        chosen: tuple[str, ...] = (),
        *,
        over: bool = False,
    ) -> Scene:
        """Return the picture of a position as data, with alt text to play from.

        Args:
            state: the position.
            last: what was played since the players last saw a picture, each move with the
                position it was made in; drawn as the last throw and the last moves.
            chosen: the steps of the next move that its player has chosen so far; what may come
                next is marked.
            over: whether nothing more is played, though the rules do not say so: nobody is to
                move, and nothing that may be chosen is marked.

        """

    @abstractmethod
    def read_position(self, text: str, options: Mapping[str, str] | None = None) -> S:
        """Return the position that a line of text describes, under these options.

        Raises:
            BadPosition: not a position that can occur.
            BadOption: no such option or value.

        """

    @abstractmethod
    def write_position(self, state: S) -> str:
        """Return the position as one line of text; `read_position` reads it back unchanged."""

    # ------------------------------------------------------------ written once for all games

    def likeness(self, state: S) -> str:
        """Return a line that positions share in which the same advice would help.

        Options are no part of it, and neither is which of several like sides is whose. What is
        merely alike may share a line; positions that differ only by a mirror or in the names of
        the seats should.
        """
        return self.write_position(state)

    def settle(self, options: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return a value for every option: what was chosen, else presets, else defaults.

        Raises:
            BadOption: no such option, or no such value of it.

        """
        chosen = dict(options or {})
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                raise BadOption(_no_option(self.title, name, ", ".join(known)))
            if value not in known[name].values:
                # Translators: all three are written as they are typed, in English.
                told = say(
                    "“{option}” can't be “{value}”. It can be: {values}.",
                    option=name,
                    value=value,
                    values=", ".join(known[name].values),
                )
                raise BadOption(told)
        settled = {option.name: chosen.get(option.name, option.default) for option in self.options}
        for option in self.options:
            preset = option.presets.get(settled[option.name], {})
            settled.update({name: v for name, v in preset.items() if name not in chosen})
        return settled

    def initial(self, options: Mapping[str, str] | None = None, players: int | None = None) -> S:
        """Return the first position, for the fewest players where no number is said.

        Raises:
            BadOption: no such option or value, or not a number of players for this game.

        """
        number = self.players[0] if players is None else players
        if number not in self.players:
            # Translators: numbers is a list such as "2, 3 or 4".
            told = say(
                "{game} is a game for {numbers} players, not {number}.",
                game=self.title,
                numbers=listed([str(n) for n in self.players], either=True),
                number=number,
            )
            raise BadOption(told)
        return self.start(self.settle(options), number)

    def apply(self, state: S, move: M) -> S:
        """Return the position after a move.

        Raises:
            GameOver: the game has ended.
            IllegalMove: the move is not legal here.

        """
        self._still_on(state)
        if move not in self.legal_moves(state):  # refused, or another way to write a legal one
            move = self.read(state, self.write(move))
        return self.after(state, move)

    def read(self, state: S, text: str) -> M:
        """Return the legal move that the text writes; capitals and spaces do not matter.

        Raises:
            BadNotation: the text is not a move of this game.
            GameOver: the game has ended.
            IllegalMove: the move is not legal here.

        """
        self._still_on(state)
        clean = "".join(text.split()).lower()
        move = self.parse(state, clean)
        if move not in self.legal_moves(state):
            raise self.refuse(state, clean)
        return move

    def write(self, move: M) -> str:
        """Return the notation of a move."""
        return "".join(self.steps(move))

    def ways(self, state: S, move: M) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002 - of most games
        """Return for each man that a move moves the squares where it starts and ends, else one.

        They are those that the board of a picture names; nothing for what happens off the board.
        """
        parts = self.write(move).split(",")
        return tuple(way for part in parts if (way := tuple(_SQUARE.findall(part))))

    def deed(self, state: S, move: M) -> Deed:
        """Return what a legal move of a seat does, for menus."""
        told = self.tell(state, move)
        return Deed(told, told)

    def risk(self, state: S, move: M) -> str:  # noqa: ARG002 - of most games
        """Return what a legal move leaves in danger, a few words; nothing where that is not known."""
        return ""

    def reason(self, state: S, move: M) -> str:  # noqa: ARG002 - of most games
        """Return what a legal move is good for, a sentence; nothing where that is not seen at once."""
        return ""

    def price(self, state: S, move: M) -> str:  # noqa: ARG002 - of most games
        """Return what a legal move gives up, a sentence; nothing where that is not seen at once."""
        return ""

    def begun(self, state: S, steps: tuple[str, ...]) -> Begun:  # noqa: ARG002 - of most games
        """Return what the first steps of several legal moves choose, and what is asked next."""
        typed = "".join(steps)
        # Translators: what was chosen of a move so far, such as "e1"; then its end is chosen.
        return Begun(typed, say("{steps}: where to?", steps=typed))

    def ends(self, state: S, move: M) -> Worth | None:
        """Return whether a legal move wins, draws or loses the game for who makes it, if it ends it."""
        outcome = self.outcome(self.after(state, move))
        actor = self.actor(state)
        if outcome is None or actor is CHANCE:
            return None
        if outcome.drawn:
            return Worth.DRAWS
        place = self.seats(len(outcome.ranks)).index(actor)
        return Worth.WINS if outcome.ranks[place] == 1 else Worth.LOSES

    def only_move(self, state: S) -> M | None:
        """Return the move of a seat that has no other; ``None`` where there is a choice, or luck."""
        moves = () if self.actor(state) is CHANCE else self.legal_moves(state)
        return moves[0] if len(moves) == 1 else None

    @property
    def has_luck(self) -> bool:
        """Whether ``CHANCE`` ever acts: a game without luck leaves `odds` as it is."""
        return type(self).odds is not Game.odds

    def odds(self, state: S) -> Mapping[M, Fraction]:  # noqa: ARG002 - of games without luck
        """Return the chance of each throw, summing to 1; empty unless ``CHANCE`` acts."""
        return {}

    def quarters(self, state: S, seat: Seat) -> int:  # noqa: ARG002 - of most games
        """Return how many quarters a picture is turned, counterclockwise, to have a seat below.

        0 where the sides of the game do not lie along edges of the board.
        """
        return 0

    def turn(self, state: S) -> Seat | None:
        """Return whose turn it is, throws included; ``None`` where it is nobody's.

        That is so while the seats throw for the start. A game with throws has to say whose they are.
        """
        actor = self.actor(state)
        return None if actor is CHANCE else actor

    def side(self, state: S, seat: Seat) -> str:  # noqa: ARG002 - a match of two games needs it
        """Return what a seat is called in this position, in lower case."""
        return self.seat_names[seat]

    def stage(self, state: S) -> str:  # noqa: ARG002 - a match of two games needs it
        """Return which part of a match this position is in and how it stands, or nothing."""
        return ""

    def rule(self, name: str) -> Rule:
        """Return the rule that is quoted by this name, such as ``W13``; capitals do not matter.

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
