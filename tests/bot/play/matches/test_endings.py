"""How a match ends depends on what has happened to it by that moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.core.errors import MatchOver
from bot.core.settings.service import SettingsStore
from bot.features.moderation.service import Moderation
from bot.features.watching.service import Watching
from bot.play.matches import endings, scoring
from bot.play.matches.positions import Position
from data import locks
from data.matches import match_log, matches
from data.matches.match import Entry
from data.store.store import Store
from engine.replay import Played
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.bot.locks import MODERATOR, waits_or_ends
from tests.moves import play_on


@pytest.fixture
async def crowd(postgresql_url: str) -> AsyncIterator[Club]:
    """A club over PostgreSQL, where several transactions write at once."""
    store = await Store.open(postgresql_url)
    yield Club(store)
    await store.close()


async def before_the_last_of_two_turns(club: Club) -> Position:
    """Play until everyone has had two turns except the player to move, whose second this is."""
    position = await club.start()
    game, seats = position.game, {player.seat for player in position.match.players}
    while position.to_move is not None:
        move = game.legal_moves(position.state)[0]
        entry = Played(position.ply + 1, position.state, move, game.after(position.state, move))
        if scoring.all_had_turns(game, [*position.tail, entry], seats):
            return position
        position = await play_on(club.matches, position, game.write(move))
    raise AssertionError("the match was over before that")


async def test_a_move_just_before_a_resignation_makes_it_count(crowd: Club) -> None:
    position = await before_the_last_of_two_turns(crowd)
    mover = position.to_move
    assert mover is not None
    move = position.game.write(position.game.legal_moves(position.state)[0])
    entry = Entry(ply=position.ply + 1, actor=mover.seat, notation=move, made_at=crowd.clock())
    loser = BEN if mover.user_id == ANN else ANN
    async with crowd.store.write() as tx:
        await match_log.append(tx, position.match.id, [entry])
        resigning = asyncio.create_task(crowd.matches.resign(position.match.id, loser))
        await waits_or_ends(crowd, resigning)
    ended = (await resigning).match
    assert ended.ending == "resigned"
    assert {p.user_id: p.rank for p in ended.players} == {loser: 2, mover.user_id: 1}


async def test_who_gave_up_just_before_a_moderator_ends_the_match_comes_last(crowd: Club) -> None:
    position = await crowd.begin_match(BEN, CAROL, game="thaayam", places=3)
    [carol] = [player for player in position.match.players if player.user_id == CAROL]
    moderation = Moderation(crowd.store, crowd.matches, clock=crowd.clock)
    async with crowd.store.write() as tx:
        await locks.lock_match(tx, position.match.id)
        await matches.give_up(tx, position.match.id, carol.seat, how="resigned", at=crowd.clock())
        ending = asyncio.create_task(
            moderation.end(position.match.id, [ANN, BEN, CAROL], MODERATOR)
        )
        await waits_or_ends(crowd, ending)
    await ending
    ended = (await crowd.matches.position(position.match.id)).match
    assert {p.user_id: p.rank for p in ended.players} == {ANN: 1, BEN: 1, CAROL: 2}


async def test_a_match_that_ends_just_before_a_moderator_voids_it_is_void(crowd: Club) -> None:
    position = await crowd.play_a_while(await crowd.start())
    moderation = Moderation(crowd.store, crowd.matches, clock=crowd.clock)
    async with crowd.store.write() as tx:
        await endings.end(tx, position, endings.agreed(position), by=ANN, at=crowd.clock())
        voiding = asyncio.create_task(moderation.void(position.match.id, MODERATOR))
        await waits_or_ends(crowd, voiding)
    await voiding
    ended = (await crowd.matches.position(position.match.id)).match
    assert (ended.ending, {player.rank for player in ended.players}) == ("voided", {None})


async def test_no_one_follows_a_match_that_ends_at_that_moment(crowd: Club) -> None:
    position = await crowd.play_a_while(await crowd.start())
    settings = SettingsStore(crowd.store, clock=crowd.clock)
    watching = Watching(crowd.store, crowd.matches, settings, crowd.clock)
    async with crowd.store.write() as tx:
        await endings.end(tx, position, endings.agreed(position), by=ANN, at=crowd.clock())
        following = asyncio.create_task(watching.follow_match(position, CAROL))
        await waits_or_ends(crowd, following)
    with pytest.raises(MatchOver):  # she is not told that she follows it, and then nothing
        await following
