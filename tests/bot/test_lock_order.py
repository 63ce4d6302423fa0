"""On PostgreSQL, simultaneous changes to one match wait for each other without deadlock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from bot.core.errors import Refusal
from bot.play.matches.positions import Position
from data import locks, privacy
from data.challenges import challenges
from data.challenges.challenges import Challenge
from data.store.store import Store
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.bot.locks import MODERATOR, STRANGERS, PostgresClub, waits_or_ends
from tests.moves import play

Act = Callable[["PostgresClub", Position], Awaitable[object]]

ROUNDS = 4
"""Simultaneous actions on a match that goes on; a wrong order shows within three."""
ROUNDS_ENDED = 8
"""The same on matches that have ended; a wrong order shows once there are several."""


@pytest.fixture
async def postgres_club(postgresql_url: str) -> AsyncIterator[PostgresClub]:
    """Open a club whose database detects deadlocks within moments."""
    url = make_url(postgresql_url).set(drivername="postgresql")
    admin = await asyncpg.connect(url.render_as_string(hide_password=False))
    name = await admin.fetchval("SELECT current_database()")
    await admin.execute(f"ALTER DATABASE {name} SET deadlock_timeout = '50ms'")
    await admin.close()
    store = await Store.open(postgresql_url)
    yield PostgresClub(store)
    await store.close()


async def void(postgres_club: PostgresClub, position: Position) -> object:
    """Have a moderator void the match."""
    return await postgres_club.moderation.void(position.match.id, MODERATOR)


async def end(postgres_club: PostgresClub, position: Position) -> object:
    """Have a moderator end the match."""
    return await postgres_club.moderation.end(position.match.id, [ANN], MODERATOR)


async def resign(postgres_club: PostgresClub, position: Position) -> object:
    """Have Ann give up."""
    return await postgres_club.matches.resign(position.match.id, ANN)


async def give_up(postgres_club: PostgresClub, position: Position) -> object:
    """Have Ben give up."""
    return await postgres_club.matches.resign(position.match.id, BEN)


async def move(postgres_club: PostgresClub, position: Position) -> object:
    """Have the player to move make a move."""
    assert position.to_move is not None
    text = position.game.write(position.game.legal_moves(position.state)[0])
    return await play(postgres_club.matches, position.match.id, position.to_move.user_id, text)


async def leave(postgres_club: PostgresClub, position: Position) -> object:
    """Send the player to move on vacation, which stops the match's clock."""
    assert position.to_move is not None
    return await postgres_club.vacations.start(position.to_move.user_id, 3)


async def forget_ann(postgres_club: PostgresClub, position: Position) -> None:
    """Delete Ann's data."""
    del position
    await postgres_club.erase(ANN)


async def forget_ben(postgres_club: PostgresClub, position: Position) -> None:
    """Delete Ben's data."""
    del position
    await postgres_club.erase(BEN)


async def delete_ann(postgres_club: PostgresClub, position: Position) -> object:
    """Have Ann resign all her matches and delete her data."""
    del position
    return await postgres_club.privacy.erase(ANN)


async def delete_ben(postgres_club: PostgresClub, position: Position) -> object:
    """Have Ben do so."""
    del position
    return await postgres_club.privacy.erase(BEN)


async def collide(postgres_club: PostgresClub, position: Position, *acts: Act) -> None:
    """Run actions concurrently: each succeeds or is refused with a reason; none gets stuck."""
    done = await asyncio.gather(
        *(act(postgres_club, position) for act in acts), return_exceptions=True
    )
    failed = [one for one in done if isinstance(one, BaseException)]
    assert all(isinstance(one, Refusal) for one in failed), failed
    assert len(failed) < len(acts)


@pytest.mark.parametrize(
    "acts",
    [
        (void, resign),
        (void, resign, give_up),
        (end, resign),
        (void, end),
        (move, resign),
        (move, void),
        (leave, resign),
        (leave, void),
        (delete_ann, move),
        (delete_ann, delete_ben),
        (delete_ann, void, give_up),
    ],
    ids=lambda acts: "-".join(act.__name__ for act in acts),
)
async def test_no_deadlocks_over_an_ongoing_match(
    postgres_club: PostgresClub, acts: tuple[Act, ...]
) -> None:
    for _ in range(ROUNDS):
        position = await postgres_club.begun()
        await collide(postgres_club, position, *acts)
        for user in (ANN, BEN):
            try:
                await postgres_club.vacations.end(user)
            except Refusal:
                continue
        try:
            await postgres_club.matches.resign(position.match.id, ANN)
        except Refusal:  # it is over, or nobody's any more
            continue


@pytest.mark.parametrize(
    "acts",
    [(void, forget_ann), (void, forget_ann, forget_ben), (forget_ann, forget_ben)],
    ids=lambda acts: "-".join(act.__name__ for act in acts),
)
async def test_no_deadlocks_over_finished_matches(
    postgres_club: PostgresClub, acts: tuple[Act, ...]
) -> None:
    for _ in range(ROUNDS_ENDED):
        position = await postgres_club.begun()
        await postgres_club.matches.resign(position.match.id, ANN)
        await collide(postgres_club, position, *acts)


async def test_a_matchs_last_move_and_a_moderator_do_not_deadlock(
    postgres_club: PostgresClub,
) -> None:
    """A move that ends the match locks its row before it needs the game's results."""
    for _ in range(2):
        position = await postgres_club.start()
        while position.to_move is not None:
            text = position.game.write(position.game.legal_moves(position.state)[0])
            ahead = position.game.after(position.state, position.game.read(position.state, text))
            if position.game.outcome(ahead) is not None:
                await collide(postgres_club, position, move, void)
                break
            position = await play(
                postgres_club.matches, position.match.id, position.to_move.user_id, text
            )


async def deleted_meanwhile(
    club: Club, act: str, wait: Callable[[asyncio.Task[Challenge]], Awaitable[None]]
) -> None:
    """Let Ben delete his data; once it has closed what names him, another transaction comes."""
    position = await club.play_a_while(await club.start())
    await club.matches.resign(position.match.id, BEN)
    match = (await club.matches.position(position.match.id)).match
    places = 3 if act == "join" else 2
    invitation = replace(club.invitation(), game="thaayam", places=places, challenger_id=CAROL)
    offered = await club.challenges.offer(invitation)
    async with club.store.write() as tx:
        await locks.lock_id(tx, BEN)
        await privacy.close_challenges(tx, BEN, club.clock())
        assert await privacy.open_matches(tx, BEN) == ()
        coming: Coroutine[Any, Any, Challenge]
        if act == "offer":
            coming = club.challenges.offer(club.invitation(BEN))
        elif act == "rematch":
            coming = club.challenges.ask_rematch(match, ANN)
        else:
            coming = club.challenges.accept(offered.id, BEN)
        other = asyncio.create_task(coming)
        await wait(other)
        await privacy.erase(tx, BEN, -next(STRANGERS))
    made = await other
    assert await club.challenges.get(made.id) == made
    assert BEN in {one.user_id for one in made.invited}
    assert min(one.user_id for one in made.invited) > 0
    if act == "start":
        assert made.match_id is not None
        begun = (await club.matches.position(made.match_id)).match
        assert {player.user_id for player in begun.players} == {BEN, CAROL}


ACTS = ["offer", "rematch", "join", "start"]


@pytest.mark.parametrize("act", ACTS)
async def test_nothing_open_names_a_player_deleted_meanwhile(
    postgres_club: PostgresClub, act: str
) -> None:
    await deleted_meanwhile(postgres_club, act, lambda other: waits_or_ends(postgres_club, other))


@pytest.mark.parametrize("act", ACTS)
async def test_on_sqlite_nothing_open_names_a_player_deleted_meanwhile(
    club: Club, act: str
) -> None:
    await deleted_meanwhile(club, act, lambda _: asyncio.sleep(0))


async def test_a_player_deleted_during_the_last_acceptance_is_in_the_match(
    postgres_club: PostgresClub,
) -> None:
    invitation = replace(postgres_club.invitation(), game="thaayam", places=3)
    offered = await postgres_club.challenges.offer(invitation)
    await postgres_club.challenges.accept(offered.id, BEN)

    async def close() -> None:
        async with postgres_club.store.write() as tx:
            assert await privacy.close_challenges(tx, BEN, postgres_club.clock()) == ()

    async with postgres_club.store.write() as tx:
        locked = await challenges.lock(tx, offered.id)
        assert locked is not None
        whole = await challenges.join(tx, locked, CAROL)
        await postgres_club.challenges.start(tx, whole, channel_kind=None)
        deleting = asyncio.create_task(close())
        await waits_or_ends(postgres_club, deleting)
    await deleting
    begun = await postgres_club.challenges.get(offered.id)
    assert begun.match_id is not None
    assert {one.user_id for one in begun.invited} == {ANN, BEN, CAROL}
    assert await postgres_club.read(privacy.open_matches, BEN) == (begun.match_id,)
