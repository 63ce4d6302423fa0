"""Anyone can prove that the throws were not chosen, but only after the match."""

from __future__ import annotations

import pytest

from bot.core.errors import NoSuchMatch
from bot.features.moderation.service import Moderation, Moderator
from bot.features.records.import_export import ImportExport
from bot.play.matches import match_text
from bot.play.matches.verification import proof
from bot.play.replays.replay import Replays
from engine import record
from engine.verification import verify
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club, thinking
from tests.end_to_end.thread_workers import ThreadPool
from tests.moves import play_on


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_a_match_proves_its_throws_and_its_seats_once_it_is_over(
    club: Club, seat: int | None
) -> None:
    position = await club.start(seat=seat)
    found = await proof(club.store, position.match.id)
    assert found.record is None
    assert position.match.commitment in found.words
    assert position.match.seed.hex() not in found.words
    await club.matches.resign(position.match.id, ANN)
    found = await proof(club.store, position.match.id)
    assert found.record is not None
    assert verify(record.read(found.record)) == ()
    assert position.match.seed.hex() in found.words
    assert "✓" in found.words
    last = position.tail[-1]
    forged = found.record.replace(f"{last.ply}. *1", f"{last.ply}. *4")
    assert forged != found.record
    assert verify(record.read(forged)) != ()
    with pytest.raises(NoSuchMatch, match="#99"):
        await proof(club.store, 99)


async def test_the_seats_of_a_rematch_are_not_called_random(club: Club) -> None:
    for _ in range(4):  # each with its own seed, which would draw other seats
        first = await club.start()
        await club.matches.resign(first.match.id, ANN)
        over = (await club.matches.position(first.match.id)).match
        await club.challenges.ask_rematch(over, ANN)
        again = (await club.challenges.ask_rematch(over, BEN)).match_id
        assert again is not None
        await club.matches.resign(again, ANN)
        found = await proof(club.store, again)
        assert found.record is not None
        assert record.read(found.record).drawn == ()
        assert verify(record.read(found.record)) == ()
        assert "⚠" not in found.words


async def test_a_completed_and_voided_match_has_fair_throws_and_no_result(
    club: Club,
) -> None:
    position = await club.start()
    while position.to_move is not None:
        text = position.game.write(position.game.legal_moves(position.state)[0])
        position = await play_on(club.matches, position, text)
    decided = Moderation(club.store, club.matches, clock=club.clock)
    moderator = Moderator(CAROL, GUILD, "a bet")
    await decided.void(position.match.id, moderator)
    output = match_text.result(await club.matches.position(position.match.id))
    assert "No result" in output
    assert "decided by a moderator (a bet)" in output
    found = await proof(club.store, position.match.id)
    assert found.record is not None
    assert "⚠" not in found.words
    async with thinking(club, records=ThreadPool("bot.features.records.checking:TASKS")) as tasks:
        imports = ImportExport(club.store, tasks, clock=club.clock)
        imported = await imports.add(ANN, found.record.encode())
    assert "✓" in imported.luck
    replay = await Replays(club.store).of_import(imported.number, ANN)
    assert replay.position.to_move is None
    assert [player.rank for player in replay.position.match.players] == [None, None]
