"""What can go wrong with the store.

    StoreError
    ├── Unusable            no database can be had from this address, or it broke
    │   └── InUse           another program works on it
    ├── TooNew              a newer version of the program has written this database
    ├── Full                no room left on the disk
    ├── Busy                others kept the database occupied for too long
    ├── NotOpen             the challenge has been answered, withdrawn or has expired
    ├── NotInvited          the challenge is for somebody else
    ├── AlreadyAnswered     this player has accepted the challenge before
    ├── StalePly            somebody else's press was first
    └── Finished            the match has ended

The first four are about the database and may come out of ``Store.open``, ``write`` and ``read``
or of any statement in them; the others are about one row and leave the transaction usable.
Every error carries one sentence for the person concerned, which is also its ``str``. No address
and no password is ever part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from data.challenges import Challenge
    from data.matches import Match


class StoreError(Exception):
    """The root: whatever the store refuses, it refuses with one of these."""

    def __init__(self, sentence: str) -> None:
        """Keep the sentence that the person concerned is told."""
        super().__init__(sentence)
        self.sentence = sentence


class Unusable(StoreError):
    """No database can be had from this address, or it broke."""


class InUse(Unusable):
    """Another program works on this database."""


class TooNew(StoreError):
    """A newer version of the program has written this database."""


class Full(StoreError):
    """There is no room left where the database lives; nothing was written."""


class Busy(StoreError):
    """Others kept the database occupied for too long; nothing was written."""


class NotOpen(StoreError):
    """The challenge has been answered, withdrawn or has expired."""

    def __init__(self, challenge: Challenge) -> None:
        """Keep the challenge as it stands."""
        super().__init__(f"This challenge is no longer open: {challenge.state.told}.")
        self.challenge = challenge


class NotInvited(StoreError):
    """The challenge is for somebody else."""

    def __init__(self, challenge: Challenge) -> None:
        """Keep the challenge as it stands."""
        super().__init__("This challenge is for somebody else.")
        self.challenge = challenge


class AlreadyAnswered(StoreError):
    """This player has accepted the challenge before."""

    def __init__(self, challenge: Challenge) -> None:
        """Keep the challenge as it stands."""
        super().__init__("You have accepted this challenge already.")
        self.challenge = challenge


class StalePly(StoreError):
    """Somebody else's press was first; the log has grown since."""

    def __init__(self, match: Match) -> None:
        """Keep the match as it stands now."""
        super().__init__("Another move was first: the board has changed since.")
        self.match = match


class Finished(StoreError):
    """The match has ended."""

    def __init__(self, match: Match) -> None:
        """Keep the match as it stands."""
        super().__init__("This match is over.")
        self.match = match
