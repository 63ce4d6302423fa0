"""The errors of the store.

    StoreError
    ├── Unusable            there is no usable database at this address, or it broke
    │   └── InUse           another program is using it
    ├── TooNew              a newer version of the program has written this database
    ├── Full                no room left on the disk
    ├── Busy                others kept the database occupied for too long
    ├── NotOpen …           of `data.challenges.challenges`
    └── StalePly …          of `data.matches.matches`

Those named here are about the database: ``Store.open``, ``write`` and ``read`` raise them, and so
does any statement. The others are about one row and leave the transaction usable. Every error
has one sentence for the person affected, which is also its ``str``; it never contains an address
or a password.
"""

from __future__ import annotations


class StoreError(Exception):
    """Base class of the store's errors."""

    def __init__(self, sentence: str) -> None:
        """Keep the sentence to show."""
        super().__init__(sentence)
        self.sentence = sentence


class Unusable(StoreError):
    """There is no usable database at this address, or it broke."""


class InUse(Unusable):
    """Another program is using this database."""


class TooNew(StoreError):
    """A newer version of the program has written this database."""


class Full(StoreError):
    """There is no room left where the database lives; nothing was written."""


class Busy(StoreError):
    """Others kept the database occupied for too long; nothing was written."""
