"""The bot's refusals, each with one kind sentence that says what to do instead.

Only refusals that code distinguishes have their own class.
"""

from __future__ import annotations

from collections.abc import Mapping


class Refusal(Exception):
    """The base class: the sentence is what the player reads."""

    def __init__(
        self, sentence: str, *, match_id: int | None = None, withdrawable: int | None = None
    ) -> None:
        """Keep what the answer shows.

        Args:
            sentence: what the player reads.
            match_id: the match whose board is shown.
            withdrawable: the challenge in the way, which the player may withdraw.

        """
        super().__init__(sentence)
        self.sentence = sentence
        self.match_id = match_id
        self.withdrawable = withdrawable


class NotForYou(Refusal):
    """Another player's button or match."""


class NotYourTurn(Refusal):
    """A player of the match, but not their turn."""


class OldBoard(Refusal):
    """A button of an earlier turn."""


class MatchOver(Refusal):
    """The match is over."""


class BadImport(Refusal):
    """A record that cannot be imported."""


class NoSuchMatch(Refusal):
    """No match with that number, or none that fits."""


class SeveralMatches(Refusal):
    """More than one match fits; the answer lets the player choose."""

    def __init__(self, sentence: str, choices: Mapping[str, str]) -> None:
        """Keep the labels of the matches, by number or name."""
        super().__init__(sentence)
        self.choices = choices


class BadOpponent(Refusal):
    """A bot, oneself, or a user without access to the channel."""


class ChallengedBot(BadOpponent):
    """The bot itself; the answer offers the computer."""

    def __init__(self, sentence: str, game: str) -> None:
        """Keep the game to play, empty for any."""
        super().__init__(sentence)
        self.game = game


class ChallengeGone(Refusal):
    """Declined, withdrawn, expired or already a match."""


class TooMany(Refusal):
    """More at once, or within an hour, than a user may have."""


class Unwelcome(Refusal):
    """One of the two has blocked the other."""


class NotAllowed(Refusal):
    """A missing permission, or the wrong place."""


class BadInput(Refusal):
    """Typed input that cannot be read."""
