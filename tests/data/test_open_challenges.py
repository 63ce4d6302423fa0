"""Free seats, what rules out a challenge, and which challengers a player refuses."""

from __future__ import annotations

import asyncio

import pytest

from data import locks
from data.challenges import challenges, open_challenges
from data.challenges.challenge import (
    AlreadyAnswered,
    Challenge,
    Invitation,
    NotInvited,
    NotOpen,
    State,
)
from data.people import exclusions
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, CHANNEL, DAN, NOW, SEED, SERVER


async def offer_challenge(
    tx: Transaction,
    *opponents: int,
    places: int | None = None,
    lasts: float = 3600,
    rematch_of: int | None = None,
) -> Challenge:
    """Create a challenge by Ann that stays open for this many seconds."""
    invitation = Invitation(
        game="nim",
        guild_id=SERVER,
        channel_id=CHANNEL,
        challenger_id=ANN,
        opponents=opponents,
        places=places,
        days=5,
        rematch_of=rematch_of,
    )
    expires_at = people.after(lasts)
    return await challenges.add(tx, invitation, seed=SEED, at=NOW, expires_at=expires_at)


async def test_unnamed_places_are_first_come_first_served(tx: Transaction) -> None:
    made = await offer_challenge(tx, DAN, places=3)
    assert (made.free, made.complete, made.days) == (1, False, 5)
    half = await challenges.accept(tx, made.id, CAROL, "c")
    assert (half.free, half.complete) == (0, False)
    with pytest.raises(NotInvited):
        await challenges.accept(tx, made.id, BEN, "b")
    whole = await challenges.accept(tx, made.id, DAN, "d")
    assert whole.complete
    assert [(one.user_id, one.named) for one in whole.invited] == [
        (ANN, True),
        (DAN, True),
        (CAROL, False),
    ]


async def test_a_player_who_leaves_can_be_replaced_and_come_back(tx: Transaction) -> None:
    made = await offer_challenge(tx, DAN, places=4)
    for user in (BEN, CAROL):
        await challenges.accept(tx, made.id, user, "x")
    left = await challenges.leave(tx, made.id, BEN)
    assert (left.free, left.of(BEN)) == (1, None)
    await challenges.accept(tx, made.id, DAN, "d")
    named = await challenges.leave(tx, made.id, DAN)
    dan = named.of(DAN)
    assert dan is not None
    assert (dan.joined, dan.word) == (None, None)
    await challenges.accept(tx, made.id, BEN, "again")
    with pytest.raises(AlreadyAnswered):
        await challenges.accept(tx, made.id, BEN, "and again")
    whole = await challenges.accept(tx, made.id, DAN, "d")
    assert whole.complete
    assert len({one.joined for one in whole.invited}) == 4


async def test_a_player_cannot_leave_what_they_have_not_joined_or_what_is_closed(
    tx: Transaction,
) -> None:
    made = await offer_challenge(tx, DAN, places=3)
    for user in (ANN, DAN, BEN):
        with pytest.raises(NotInvited):
            await challenges.leave(tx, made.id, user)
    await challenges.accept(tx, made.id, BEN, "b")
    await challenges.close(tx, made.id, State.EXPIRED, NOW)
    with pytest.raises(NotOpen):
        await challenges.leave(tx, made.id, BEN)
    with pytest.raises(NotOpen):
        await challenges.accept(tx, made.id, CAROL, "c")


async def test_only_one_of_two_players_gets_the_last_place(db: Store) -> None:
    async with db.write() as tx:
        made = await offer_challenge(tx, places=2)

    async def accept(user: int) -> None:
        async with db.write() as tx:
            await challenges.accept(tx, made.id, user, "x")

    done = await asyncio.gather(accept(BEN), accept(CAROL), return_exceptions=True)
    assert sum(isinstance(one, NotInvited) for one in done) == 1
    async with db.read() as tx:
        after = await challenges.get_existing(tx, made.id)
    assert after.complete
    assert len(after.invited) == 2


async def test_a_decline_is_recorded_with_its_time(tx: Transaction) -> None:
    made = await offer_challenge(tx, BEN, CAROL)
    await challenges.accept(tx, made.id, CAROL, "c")
    declined = await challenges.decline(tx, made.id, CAROL, people.after(60))
    assert declined.state is State.DECLINED
    assert [one.declined for one in declined.invited] == [False, False, True]
    assert declined.closed_at == people.after(60)
    with pytest.raises(NotOpen):
        await challenges.decline(tx, made.id, BEN, NOW)


async def test_open_challenges_are_found_by_challenger_and_by_pair(db: Store) -> None:
    async with db.write() as tx:
        first = await offer_challenge(tx, BEN)
        second = await offer_challenge(tx, places=2)
        back = await people.challenge(tx, ANN, challenger=BEN)
        closed = await offer_challenge(tx, BEN)
        await challenges.close(tx, closed.id, State.DECLINED, NOW)
    async with db.read() as tx:
        assert await open_challenges.made_by(tx, ANN) == (first, second)
        assert await open_challenges.between(tx, ANN, BEN) == (first, back)
        assert await open_challenges.between(tx, BEN, ANN) == (first, back)
        assert await open_challenges.between(tx, ANN, CAROL) == ()


async def test_recent_challenges_are_those_made_or_closed_lately(tx: Transaction) -> None:
    made = await offer_challenge(tx, BEN)
    await people.challenge(tx, ANN, challenger=BEN)
    declined = await offer_challenge(tx, DAN)
    declined = await challenges.decline(tx, declined.id, DAN, people.after(60))
    assert await open_challenges.recent(tx, ANN, people.after(-1)) == (made, declined)
    assert await open_challenges.recent(tx, ANN, NOW) == (declined,)
    assert await open_challenges.recent(tx, ANN, people.after(60)) == ()


async def test_a_rematch_is_found_while_open_or_once_accepted(tx: Transaction) -> None:
    number = await people.match(tx)
    declined = await offer_challenge(tx, BEN, rematch_of=number)
    await challenges.close(tx, declined.id, State.DECLINED, NOW)
    made = await offer_challenge(tx, BEN, rematch_of=number)
    assert await open_challenges.rematches(tx, number) == (made,)
    await challenges.mark_started(tx, made.id, await people.match(tx))
    assert [one.state for one in await open_challenges.rematches(tx, number)] == [State.STARTED]
    assert await open_challenges.rematches(tx, number + 1) == ()


async def test_an_expiring_challenge_is_found(db: Store) -> None:
    now = people.after(100)
    async with db.write() as tx:
        assert await open_challenges.next_end(tx) is None
        short = await offer_challenge(tx, BEN, lasts=100)
        await offer_challenge(tx, CAROL, lasts=200)
        assert await open_challenges.next_end(tx) == now
        assert await open_challenges.expired(tx, people.after(99)) == ()
        assert [one.id for one in await open_challenges.expired(tx, now)] == [short.id]
        await challenges.close(tx, short.id, State.EXPIRED, now)
        assert await open_challenges.expired(tx, now) == ()
        assert await open_challenges.next_end(tx) == people.after(200)


async def test_one_persons_challenges_are_created_one_after_another(db: Store) -> None:
    async def make() -> int:
        async with db.write() as tx:
            await locks.lock_id(tx, ANN)
            known = len(await open_challenges.made_by(tx, ANN))
            await offer_challenge(tx, BEN)
            return known

    assert sorted(await asyncio.gather(*(make() for _ in range(4)))) == [0, 1, 2, 3]


async def test_blocks_are_stored_in_order_once_and_can_be_removed(tx: Transaction) -> None:
    await exclusions.block(tx, ANN, CAROL, NOW)
    await exclusions.block(tx, ANN, BEN, people.after(5))
    await exclusions.block(tx, ANN, BEN, people.after(6))
    await exclusions.block(tx, DAN, ANN, NOW)
    assert await exclusions.blocked_by(tx, ANN) == (CAROL, BEN)
    assert set(await exclusions.blocks_between(tx, ANN)) == {(ANN, CAROL), (ANN, BEN), (DAN, ANN)}
    assert await exclusions.blocks_between(tx, ANN, [DAN]) == ((DAN, ANN),)
    assert await exclusions.blocks_between(tx, CAROL, [ANN]) == ((ANN, CAROL),)
    assert await exclusions.blocks_between(tx, BEN, [CAROL, DAN]) == ()
    assert await exclusions.blocks_between(tx, BEN, []) == ()
    assert await exclusions.unblock(tx, ANN, CAROL)
    assert not await exclusions.unblock(tx, ANN, CAROL)
    assert await exclusions.blocked_by(tx, ANN) == (BEN,)
