"""Challenges and the responses to them."""

from __future__ import annotations

import asyncio

import pytest

from data.challenges import challenges
from data.challenges.challenge import (
    AlreadyAnswered,
    Challenge,
    Invited,
    NotInvited,
    NotOpen,
    State,
)
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, CHANNEL, DAN, NOW, SEED, SERVER


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
        await challenges.accept(tx, made.id, DAN, "word of Dan")
        half = await challenges.accept(tx, made.id, BEN, "word of Ben")
        whole = await challenges.accept(tx, made.id, CAROL, "word of Carol")
    assert [(one.user_id, one.joined) for one in half.invited] == [
        (ANN, 0),
        (BEN, 2),
        (CAROL, None),
        (DAN, 1),
    ]
    assert not half.complete
    assert whole.complete
    assert whole.invited[3] == Invited(DAN, 1, "word of Dan")


async def test_concurrent_acceptances_are_handled_one_after_another(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN, CAROL, DAN)

    async def accept(user: int) -> Challenge:
        async with db.write() as tx:
            return await challenges.accept(tx, made.id, user, "word")

    seen = await asyncio.gather(accept(BEN), accept(CAROL), accept(DAN))
    assert [one.complete for one in seen].count(True) == 1, "exactly one is the last to join"
    async with db.read() as tx:
        after = await challenges.get(tx, made.id)
    assert after is not None
    assert sorted(one.joined or 0 for one in after.invited) == [0, 1, 2, 3]


async def test_uninvited_players_cannot_accept(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN)
        with pytest.raises(NotInvited) as refused:
            await challenges.accept(tx, made.id, CAROL, "word")
    assert refused.value.challenge == made


async def test_accepting_twice_is_refused_even_for_the_challenger(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN, CAROL)
        await challenges.accept(tx, made.id, BEN, "first")
        for user in (ANN, BEN):
            with pytest.raises(AlreadyAnswered):
                await challenges.accept(tx, made.id, user, "second")
        after = await challenges.get(tx, made.id)
    assert after is not None
    assert after.invited[1].word == "first"


@pytest.mark.parametrize("state", [State.DECLINED, State.WITHDRAWN, State.EXPIRED])
async def test_a_closed_challenge_cannot_be_answered_closed_or_started(
    tx: Transaction, state: State
) -> None:
    made = await people.challenge(tx, BEN)
    closed = await challenges.close(tx, made.id, state, people.after(60))
    assert closed.state is state
    assert closed.closed_at == people.after(60)
    number = await people.match(tx)
    with pytest.raises(NotOpen) as refused:
        await challenges.accept(tx, made.id, BEN, "word")
    assert state.in_words in refused.value.sentence
    with pytest.raises(NotOpen):
        await challenges.close(tx, made.id, State.DECLINED, NOW)
    with pytest.raises(NotOpen):
        await challenges.mark_started(tx, made.id, number)


async def test_a_challenge_becomes_only_one_match(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN)
        number, other = await people.match(tx), await people.match(tx)
        await challenges.mark_started(tx, made.id, number)
        with pytest.raises(NotOpen):
            await challenges.mark_started(tx, made.id, other)
        after = await challenges.get(tx, made.id)
        assert await challenges.of_match(tx, number) == after
        assert await challenges.of_match(tx, other) is None
    assert after is not None
    assert (after.state, after.match_id) == (State.STARTED, number)


async def test_exactly_one_of_a_concurrent_answer_and_withdrawal_succeeds(db: Store) -> None:
    async with db.write() as tx:
        made = await people.challenge(tx, BEN)
        number = await people.match(tx)

    async def accept() -> None:
        async with db.write() as tx:
            await challenges.accept(tx, made.id, BEN, "word")
            await challenges.mark_started(tx, made.id, number)

    async def withdraw() -> None:
        async with db.write() as tx:
            await challenges.close(tx, made.id, State.WITHDRAWN, NOW)

    done = await asyncio.gather(accept(), withdraw(), return_exceptions=True)
    assert sum(isinstance(one, NotOpen) for one in done) == 1
    assert sum(one is None for one in done) == 1


async def test_an_unknown_challenge_cannot_be_answered(tx: Transaction) -> None:
    with pytest.raises(LookupError):
        await challenges.accept(tx, 5, BEN, "word")
    with pytest.raises(LookupError):
        await challenges.close(tx, 5, State.EXPIRED, NOW)
    with pytest.raises(LookupError):
        await challenges.mark_started(tx, 5, 1)


async def test_open_challenges_are_found_by_server(db: Store) -> None:
    async with db.write() as tx:
        first = await people.challenge(tx, BEN)
        await people.challenge(tx, BEN, guild_id=None, channel_id=9)
        other = await people.challenge(tx, CAROL, channel_id=8)
        closed = await people.challenge(tx, BEN, game="pig")
        await challenges.close(tx, closed.id, State.DECLINED, NOW)
    async with db.read() as tx:
        assert await challenges.open_in(tx, SERVER) == (first, other)


def test_every_refusal_is_one_sentence() -> None:
    refused = StoreError("One sentence.")
    assert str(refused) == refused.sentence
    assert len({state.in_words for state in State}) == len(State)
