"""What the bot refuses, each with one kind sentence that says what to do instead.

Refusal
├── NotForYou       another player's button or match
├── NotYourTurn     a player, but not the one to move
├── OldBoard        a button of an earlier turn
├── TooEarly        the time of a turn is not over yet
├── MatchOver       nothing can be played any more
├── NothingToTakeBack   the last entry of the log is no decision of this player
├── BadImport       a record that cannot be taken in
├── NoSuchMatch     no match of that number, or none that fits
├── WhichMatch      several fit
├── NoSuchLesson    of a game, or of this version of it
├── BadOpponent     a bot, oneself, a user without access to the channel
├── NoVacation      too long, none left, or none to come back from
├── ChallengeGone   declined, withdrawn, expired or already a match
├── RematchAsked    another player of the match was first
├── TooMany         more challenges than others should bear
├── Unwelcome       one of the two has blocked the other
├── NotHere         the server wants no challenges in this channel
├── NotAllowed      a permission that this person lacks, or the wrong place
├── BadInput        something typed that cannot be read
├── TryAgain        something that may work in a moment
├── NoSuchPuzzle    none of that number, or none yet
└── CannotPost      permissions that the bot lacks in a channel
"""

from __future__ import annotations


class Refusal(Exception):
    """The root: the sentence is what the player reads."""

    def __init__(
        self, sentence: str, *, match_id: int | None = None, withdrawable: int | None = None
    ) -> None:
        """Keep what the answer shows besides the sentence.

        Args:
            sentence: what the player reads.
            match_id: the match concerned, whose board is shown.
            withdrawable: the challenge that stands in the way, which the player may withdraw.

        """
        super().__init__(sentence)
        self.sentence = sentence
        self.match_id = match_id
        self.withdrawable = withdrawable


class NotForYou(Refusal):
    """Somebody else's button or match."""


class NotYourTurn(Refusal):
    """A player of the match, but not the one to move."""


class OldBoard(Refusal):
    """A button of an earlier turn."""


class TooEarly(Refusal):
    """The time of a turn is not over yet."""


class MatchOver(Refusal):
    """Nothing can be played any more."""


class NothingToTakeBack(Refusal):
    """The last entry of the log is no decision of this player."""


class BadImport(Refusal):
    """A record that cannot be taken in."""


class NoSuchMatch(Refusal):
    """No match of that number, or none that fits."""


class WhichMatch(Refusal):
    """Several matches fit."""


class NoSuchLesson(Refusal):
    """No lesson of that number."""


class BadOpponent(Refusal):
    """A bot, oneself, or a user without access to the channel."""


class NoVacation(Refusal):
    """Too long a vacation, none left, or none to come back from."""


class ChallengeGone(Refusal):
    """Declined, withdrawn, expired or already a match."""


class RematchAsked(Refusal):
    """Another player of the match has asked for a rematch first."""


class TooMany(Refusal):
    """More challenges than others should bear."""


class Unwelcome(Refusal):
    """One of the two has blocked the other."""


class NotHere(Refusal):
    """The server wants no challenges in this channel."""


class CannotPost(Refusal):
    """Permissions that the bot lacks in a channel."""


class NotAllowed(Refusal):
    """A permission that this person lacks, or the wrong place."""


class BadInput(Refusal):
    """Something typed that cannot be read."""


class TryAgain(Refusal):
    """Something that may work in a moment."""


class NoSuchPuzzle(Refusal):
    """No puzzle of that number, or none yet."""
