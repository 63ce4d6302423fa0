"""What can go wrong in play.

RulesError
├── BadNotation     not a move of this game at all
├── IllegalMove     a move of this game, but not allowed here: names the rule and the squares
├── UnclearMove     could be several legal moves, which it names
├── GameOver        the game has ended, nothing can be played
├── BadPosition     not a position that can occur
├── BadOption       no such option, value or number of players
└── BadRecord       a log or an exported record that cannot be replayed

Every error carries one sentence for the player, a phrase, whose English is also its ``str``. Only
`BadPosition` is always in English, like the text protocol: nothing else reads positions.
"""

from __future__ import annotations

from typing import Final

from engine.phrase import say
from engine.rule import Rule

_ECHO: Final = 40
"""How much of an unreadable text an answer repeats."""


class RulesError(Exception):
    """The base of every refusal by the engine."""

    def __init__(self, sentence: str) -> None:
        """Keep the sentence for the player."""
        super().__init__(sentence)
        self.sentence = sentence


class BadNotation(RulesError):
    """The text is not a move of this game at all."""


def not_a_move(text: str, how: str) -> BadNotation:
    """Return the error for a text without a move; ``how`` says how a move is typed."""
    typed = " ".join(text.split())[:_ECHO]
    return BadNotation(say("“{text}” is not a move. {help}", text=typed, help=how))


def no_square(name: str, first: str, last: str, how: str) -> BadNotation:
    """Return the error for a square that a board, from its first to its last square, doesn't have."""
    return BadNotation(
        say(
            "There is no square {square}: the board is {first} to {last}. {help}",
            square=name,
            first=first,
            last=last,
            help=how,
        )
    )


class IllegalMove(RulesError):
    """A move of this game that is not allowed here."""

    def __init__(self, rule: Rule, sentence: str, squares: tuple[str, ...] = ()) -> None:
        """Keep the rule that forbids it and the squares concerned.

        Args:
            rule: the rule that is broken; answers quote its name.
            sentence: why this move is illegal, in one sentence.
            squares: the names of the squares concerned, most important first.
        """
        super().__init__(sentence)
        self.rule = rule
        self.squares = squares


class UnclearMove(RulesError):
    """A text that can be several legal moves."""

    def __init__(self, sentence: str, candidates: tuple[str, ...]) -> None:
        """Keep the sentence, and the candidates in notation."""
        super().__init__(sentence)
        self.candidates = candidates


class GameOver(RulesError):
    """The game has ended; nothing can be played."""


class BadPosition(RulesError):
    """The text is not a position that can occur in this game."""


class BadOption(RulesError):
    """No such option, no such value, or not that many players."""


class BadRecord(RulesError):
    """A log or an exported record that cannot be replayed."""

    def __init__(self, sentence: str, ply: int | None = None) -> None:
        """Keep the number of the first faulty entry, counted from 1, if there is one."""
        super().__init__(sentence)
        self.ply = ply
