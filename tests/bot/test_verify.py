"""Anyone can prove that nobody chose the throws; nobody can before the match is over."""

from __future__ import annotations

import pytest

from bot.play.verify import proof
from bot.words.refusals import NoSuchMatch
from engine import record
from engine.verification import verify
from tests.bot.conftest import ANN, Club


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_a_finished_match_proves_its_throws_and_its_seats(
    club: Club, seat: int | None
) -> None:
    view = await club.start(seat=seat)
    await club.matches.resign(view.match.id, ANN)
    found = await proof(club.store, view.match.id)
    assert found.record is not None
    assert verify(record.read(found.record)) == ()
    assert view.match.seed.hex() in found.words
    assert "✓" in found.words


async def test_the_seed_stays_sealed_while_the_match_goes_on(club: Club) -> None:
    view = await club.start()
    found = await proof(club.store, view.match.id)
    assert found.record is None
    assert view.match.commitment in found.words
    assert view.match.seed.hex() not in found.words


async def test_a_forged_throw_is_found(club: Club) -> None:
    view = await club.start()
    await club.matches.resign(view.match.id, ANN)
    text = (await proof(club.store, view.match.id)).record
    assert text is not None
    last = view.tail[-1]
    forged = text.replace(f"{last.ply}. *1", f"{last.ply}. *4")
    assert forged != text
    assert verify(record.read(forged)) != ()


async def test_there_is_no_match_of_that_number(club: Club) -> None:
    with pytest.raises(NoSuchMatch, match="#99"):
        await proof(club.store, 99)
