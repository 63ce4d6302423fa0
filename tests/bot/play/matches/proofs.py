"""Records of matches, as anyone who checks their throws reads them."""

from __future__ import annotations

from bot.play.matches.verification import proof
from engine import record
from tests.bot.conftest import Club


async def record_of(club: Club, number: int = 1) -> record.Record:
    """Return a finished match's record, as anyone can read it."""
    text = (await proof(club.store, number)).record
    assert text is not None
    return record.read(text)
