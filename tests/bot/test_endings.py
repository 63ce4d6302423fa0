"""Whether a match had hardly begun depends on its log at the moment it ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from bot.matches import begun
from data import matches
from data.matches import Entry
from data.store import Store
from engine.replay import Played
from tests.bot.conftest import ANN, BEN, Club
from tests.moves import play

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.matches.positions import MatchView


@pytest.fixture
async def crowd(postgresql_url: str) -> AsyncIterator[Club]:
    """A club over PostgreSQL, where several transactions write at once."""
    store = await Store.open(postgresql_url)
    yield Club(store)
    await store.close()


async def before_the_last_of_two_turns(club: Club) -> MatchView:
    """Play until everyone has had two turns except the player to move, whose second this is."""
    view = await club.start()
    game, seats = view.game, {player.seat for player in view.match.players}
    while view.to_move is not None:
        move = game.legal_moves(view.state)[0]
        entry = Played(view.ply + 1, view.state, move, game.after(view.state, move))
        if begun.all_had_turns(game, [*view.tail, entry], seats):
            return view
        view = await play(club.matches, view.match.id, view.to_move.user_id, game.write(move))
    raise AssertionError("the match was over before that")


async def test_a_move_just_before_a_resignation_makes_it_count(crowd: Club) -> None:
    view = await before_the_last_of_two_turns(crowd)
    mover = view.to_move
    assert mover is not None
    move = view.game.write(view.game.legal_moves(view.state)[0])
    entry = Entry(ply=view.ply + 1, actor=mover.seat, notation=move, made_at=crowd.clock())
    loser = BEN if mover.user_id == ANN else ANN
    async with crowd.store.write() as tx:
        await matches.append(tx, view.match.id, [entry])
        resigning = asyncio.create_task(crowd.matches.resign(view.match.id, loser))
        waiting = None
        while waiting is None and not resigning.done():
            async with crowd.store.read() as look:
                waiting = await look.row(text("SELECT 1 FROM pg_locks WHERE NOT granted"))
    ended = (await resigning).match
    assert ended.ending == "resigned"
    assert {p.user_id: p.rank for p in ended.players} == {loser: 2, mover.user_id: 1}
