"""A tournament as the project's record: everything its pairings follow from, as JSON.

With the seed included, anyone can recompute each round (`pairing.recomputed`). Ids are kept as
given; names are never included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

from bot.features.tournaments.model import Entrant, Pairing, Plan
from bot.features.tournaments.roster import Roster
from engine.luck import commitment
from engine.phrase import Phrase, say

MAX_LENGTH: Final = 2_000_000
"""Maximum characters of a record or report: 500 players over many rounds need far fewer."""
MAX_ROUNDS: Final = 100
"""Maximum rounds of a tournament, which bound what its standings cost."""


class Unreadable(ValueError):
    """A text isn't a tournament record or report. Says where it fails, and what to do."""

    def __init__(self, sentence: str) -> None:
        """Keep the sentence to show, usually a phrase."""
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Record:
    """A tournament with its rounds so far."""

    plan: Plan
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    unequal_sides: bool = False
    seed: str = ""
    """In hexadecimal; empty until revealed."""
    commitment: str = ""
    """SHA-256 of the seed, fixed from the first day; the seed must match it."""
    title: str = ""
    kind: Literal["old-board-games tournament"] = "old-board-games tournament"
    version: Literal[1] = 1


_ADAPTER: Final = TypeAdapter(Record)


def written(record: Record) -> str:
    """Write a record as JSON."""
    return _ADAPTER.dump_json(record, indent=1).decode()


def read(text: str) -> Record:
    """Parse a record that `written` made.

    Raises:
        Unreadable: it is something else, or its players don't go together.

    """
    if len(text) > MAX_LENGTH:
        raise Unreadable(too_long())
    try:
        record = _ADAPTER.validate_json(text)
        seed = bytes.fromhex(record.seed)
        roster = Roster(record.entrants)
        roster.as_places(record.pairings)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Unreadable(_damaged(f"{where}: {first['msg']}" if where else first["msg"])) from error
    except KeyError as error:
        raise Unreadable(_damaged(f"{error} is paired, but no entrant")) from error
    except ValueError as error:
        raise Unreadable(_damaged(str(error))) from error
    if seed and record.commitment and commitment(seed) != record.commitment:
        raise Unreadable(
            say("The seed in the record doesn't match its commitment, so one of them was changed.")
        )
    return record


def too_long() -> Phrase:
    """Return the error for a text longer than any tournament."""
    return say("The file is too long to be a tournament.")


def too_many_rounds() -> Phrase:
    """Return the error for a tournament with too many rounds."""
    return say("Tournaments here have at most {most} rounds.", most=MAX_ROUNDS)


def _damaged(what: str) -> Phrase:
    # Translators: what is a technical detail in English.
    return say("The record is damaged: {what}. Export it again from where you got it.", what=what)
