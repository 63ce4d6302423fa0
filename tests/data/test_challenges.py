"""Challenges: who joined them, and how they are found while they are open."""

from __future__ import annotations

import asyncio

import pytest

from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation, Invited, State
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


async def test_a_challenge_is_read_as_recorded(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, DAN, BEN)
        await challenges.set_message(tx, made.id, 4242)
    async with db.read() as tx:
        assert await challenges.get(tx, made.id) == Challenge(
            id=made.id,
            game="nim",
            options={"heaps": "3"},
            guild_id=SERVER,
            channel_id=CHANNEL,
            message_id=4242,
            challenger_id=ANN,
            seed=SEED,
            seat=None,
            state=State.OPEN,
            match_id=None,
            created_at=NOW,
            closed_at=None,
            invited=(
                Invited(ANN, 0, "word of the challenger"),
                Invited(DAN, None, None),
                Invited(BEN, None, None),
            ),
        )
        assert await challenges.get(tx, made.id + 1) is None
    assert "never to be seen" not in repr(made)


async def test_players_join_in_the_order_they_accept(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN, CAROL, DAN)
        half = await challenges.join(tx, made, DAN, "word of Dan")
        half = await challenges.join(tx, half, BEN, "word of Ben")
        whole = await challenges.join(tx, half, CAROL, "word of Carol")
    assert [(one.user_id, one.joined) for one in half.invited] == [
        (ANN, 0),
        (BEN, 2),
        (CAROL, None),
        (DAN, 1),
    ]
    assert not half.complete
    assert whole.complete
    assert whole.invited[3] == Invited(DAN, 1, "word of Dan")


async def test_unnamed_places_come_after_all_named_ones(tx: Transaction) -> None:
    made = await offer_challenge(tx, DAN, places=3)
    assert (made.free, made.complete, made.days) == (1, False, 5)
    half = await challenges.join(tx, made, CAROL, "c")
    assert (half.free, half.complete) == (0, False)
    whole = await challenges.join(tx, half, DAN, "d")
    assert whole.complete
    assert [(one.user_id, one.named) for one in whole.invited] == [
        (ANN, True),
        (DAN, True),
        (CAROL, False),
    ]


async def test_a_player_who_leaves_can_be_replaced_and_come_back(tx: Transaction) -> None:
    made = await offer_challenge(tx, DAN, places=4)
    for user in (BEN, CAROL):
        made = await challenges.join(tx, made, user, "x")
    left = await challenges.leave(tx, made, BEN)
    assert (left.free, left.of(BEN)) == (1, None)
    named = await challenges.leave(tx, await challenges.join(tx, left, DAN, "d"), DAN)
    assert named.of(DAN) == Invited(DAN, None, None)
    back = await challenges.join(tx, named, BEN, "again")
    whole = await challenges.join(tx, back, DAN, "d")
    assert whole.complete
    assert len({one.joined for one in whole.invited}) == 4


async def test_a_decline_is_recorded_with_its_time(tx: Transaction) -> None:
    made = await offer_challenge(tx, BEN, CAROL)
    await challenges.join(tx, made, CAROL, "c")
    declined = await challenges.decline(tx, made.id, CAROL, people.after(60))
    assert (declined.state, declined.closed_at) == (State.DECLINED, people.after(60))
    assert [one.declined for one in declined.invited] == [False, False, True]


@pytest.mark.parametrize("state", [State.DECLINED, State.WITHDRAWN, State.EXPIRED])
async def test_a_closed_challenge_is_no_longer_locked_to_be_answered(
    tx: Transaction, state: State
) -> None:
    made = await people.challenge(tx, BEN)
    assert await challenges.lock(tx, made.id) == made
    closed = await challenges.close(tx, made.id, state, people.after(60))
    assert (closed.state, closed.closed_at) == (state, people.after(60))
    assert await challenges.lock(tx, made.id) is None
    assert await challenges.lock(tx, made.id + 1) is None


async def test_a_started_challenge_is_found_by_its_match(tx: Transaction) -> None:
    made = await people.challenge(tx, BEN)
    number, other = await people.match(tx), await people.match(tx)
    after = await challenges.mark_started(tx, made.id, number)
    assert (after.state, after.match_id) == (State.STARTED, number)
    assert await challenges.of_match(tx, number) == after
    assert await challenges.of_match(tx, other) is None


async def test_of_two_who_lock_a_challenge_at_once_the_second_sees_what_the_first_did(
    db: Store,
) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN)

    async def withdraw() -> bool:
        async with db.write() as tx:
            found = await challenges.lock(tx, made.id)
            if found is not None:
                await challenges.close(tx, made.id, State.WITHDRAWN, NOW)
            return found is not None

    assert sorted(await asyncio.gather(withdraw(), withdraw())) == [False, True]


async def test_open_challenges_are_found_by_server(db: Store) -> None:
    async with db.write() as tx:
        first = await people.challenge(tx, BEN)
        await people.challenge(tx, BEN, guild_id=None, channel_id=9)
        other = await people.challenge(tx, CAROL, channel_id=8)
        closed = await people.challenge(tx, BEN, game="pig")
        await challenges.close(tx, closed.id, State.DECLINED, NOW)
    async with db.read() as tx:
        assert await challenges.open_in(tx, SERVER) == (first, other)


async def test_open_challenges_are_found_by_challenger_and_by_pair(db: Store) -> None:
    async with db.write() as tx:
        first = await offer_challenge(tx, BEN)
        second = await offer_challenge(tx, places=2)
        back = await people.challenge(tx, ANN, challenger=BEN)
        closed = await offer_challenge(tx, BEN)
        await challenges.close(tx, closed.id, State.DECLINED, NOW)
    async with db.read() as tx:
        assert await challenges.made_by(tx, ANN) == (first, second)
    async with db.write() as tx:
        assert await challenges.lock_with(tx, ANN, BEN) == (first, back)
        assert await challenges.lock_with(tx, BEN, ANN) == (first, back)
        assert await challenges.lock_with(tx, ANN, CAROL) == ()


async def test_recent_challenges_are_those_made_or_closed_lately(tx: Transaction) -> None:
    made = await offer_challenge(tx, BEN)
    await people.challenge(tx, ANN, challenger=BEN)
    declined = await offer_challenge(tx, DAN)
    declined = await challenges.decline(tx, declined.id, DAN, people.after(60))
    assert await challenges.recent(tx, ANN, people.after(-1)) == (made, declined)
    assert await challenges.recent(tx, ANN, NOW) == (declined,)
    assert await challenges.recent(tx, ANN, people.after(60)) == ()


async def test_a_rematch_is_found_while_open_or_once_accepted(tx: Transaction) -> None:
    number = await people.match(tx)
    declined = await offer_challenge(tx, BEN, rematch_of=number)
    await challenges.close(tx, declined.id, State.DECLINED, NOW)
    made = await offer_challenge(tx, BEN, rematch_of=number)
    assert await challenges.rematches(tx, number) == (made,)
    await challenges.mark_started(tx, made.id, await people.match(tx))
    assert [one.state for one in await challenges.rematches(tx, number)] == [State.STARTED]
    assert await challenges.rematches(tx, number + 1) == ()


async def test_an_expiring_challenge_is_found(db: Store) -> None:
    now = people.after(100)
    async with db.write() as tx:
        assert await challenges.next_end(tx) is None
        short = await offer_challenge(tx, BEN, lasts=100)
        await offer_challenge(tx, CAROL, lasts=200)
        assert await challenges.next_end(tx) == now
        assert await challenges.lock_expired(tx, people.after(99)) == ()
        assert [one.id for one in await challenges.lock_expired(tx, now)] == [short.id]
        await challenges.close(tx, short.id, State.EXPIRED, now)
        assert await challenges.lock_expired(tx, now) == ()
        assert await challenges.next_end(tx) == people.after(200)


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
