"""Posts on both databases: wanted once, due until shown, tried again by the clock."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import delete

from data import posts
from data.matches import match_log, matches, offers
from data.posts import Post
from data.posts import posts as posts_table
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, NOW, SERVER, after


async def due(tx: Transaction, minutes: float = 0) -> tuple[Post, ...]:
    return await posts.due(tx, after(minutes), limit=9)


async def want(tx: Transaction, subject: int = 1) -> Post:
    await posts.want(tx, "kind", subject, at=NOW, guild_id=SERVER)
    found = await posts.find(tx, "kind", subject)
    assert found is not None
    return found


async def test_what_is_wanted_twice_is_one_post_and_due_until_shown(tx: Transaction) -> None:
    await want(tx)
    post = await want(tx)
    assert await due(tx) == (post,)
    await posts.record(tx, post, channel_id=7, message_id=70, try_at=None)
    assert await due(tx, 999) == ()
    again = await want(tx)
    assert await due(tx) == (again,)
    assert (again.message_id, again.wanted, again.done) == (70, 3, 2)


async def test_what_is_wanted_while_it_is_posted_stays_due(tx: Transaction) -> None:
    read = await want(tx)
    await want(tx)
    await posts.record(tx, read, channel_id=7, message_id=70, try_at=None)
    [post] = await due(tx)
    assert (post.message_id, post.done) == (70, 1)
    assert not await posts.remove(tx, read), "it says something new"
    assert await posts.remove(tx, post)
    assert await posts.get(tx, post.id) is None


async def test_asking_again_does_not_hasten_a_post_that_has_failed(tx: Transaction) -> None:
    post = await want(tx)
    await posts.postpone(tx, post, after(60))
    await want(tx)
    assert await due(tx, 59) == ()
    [post] = await due(tx, 60)
    assert post.failures == 1
    await posts.retry_in(tx, SERVER - 1, after(1))
    assert await due(tx, 59) == ()
    await posts.retry_in(tx, SERVER, after(1))
    assert [one.id for one in await due(tx, 1)] == [post.id]


async def test_a_message_that_is_gone_makes_room_for_a_new_one(tx: Transaction) -> None:
    post = await want(tx)
    await posts.record(tx, post, channel_id=7, message_id=70, try_at=None)
    post = await want(tx)
    await posts.postpone(tx, post, NOW, copies=1)
    await posts.record(tx, post, channel_id=7, message_id=70, try_at=None)  # a late reply
    [post] = await due(tx)
    assert (post.message_id, post.copies) == (None, 1)


async def test_each_recipient_has_a_post_of_their_own_due_when_it_says(tx: Transaction) -> None:
    await want(tx)
    await posts.want(tx, "kind", 1, at=NOW, guild_id=None, user_id=ANN, not_before=after(5))
    assert len(await due(tx)) == 1
    assert await posts.next_due(tx, NOW) == after(5)
    first, second = await due(tx, 5)
    assert {first.user_id, second.user_id} == {0, ANN}
    [other] = await posts.due(tx, after(5), limit=9, without=[first.id])
    assert other == replace(second)


async def test_what_is_wanted_again_is_due_at_once_even_after_failures(tx: Transaction) -> None:
    for part in (1, 2):
        await posts.want(tx, "kind", 1, part=part, at=NOW, guild_id=SERVER)
        post = await posts.find(tx, "kind", 1, part=part)
        assert post is not None
        await posts.postpone(tx, post, after(60))
    await posts.want_again(tx, "kind", 1, at=after(1), parts=[2, 3])
    assert [(post.part, post.wanted) for post in await due(tx, 1)] == [(2, 2)]
    await posts.want_again(tx, "kind", 1, at=after(1))
    assert [post.part for post in await due(tx, 1)] == [1, 2]
    await posts.want_again(tx, "kind", 2, at=after(1))
    assert await posts.find(tx, "kind", 2) is None, "nobody asked for it"


async def test_a_message_that_is_there_is_edited_and_given_up_for_a_new_one(
    tx: Transaction,
) -> None:
    await posts.want(tx, "kind", 1, at=NOW, guild_id=SERVER, message=(7, 70))
    [post] = await due(tx)
    assert (post.channel_id, post.message_id) == (7, 70)
    await posts.schedule(tx, post, after(1), copies=1)
    [again] = await due(tx, 1)
    assert (again.message_id, again.copies, again.failures) == (None, 1, 0)


async def test_putting_a_post_off_does_not_undo_a_request_made_meanwhile(tx: Transaction) -> None:
    read = await want(tx)
    again = await want(tx)
    await posts.put_off(tx, read, after(60))
    assert await due(tx) == (again,)
    await posts.put_off(tx, again, after(60))
    assert await due(tx) == ()


async def in_line(tx: Transaction) -> tuple[Post, Post]:
    """Want two posts in a channel about the same thing, and a letter about it."""
    for part, user_id in ((1, 0), (2, ANN), (3, 0)):
        await posts.want(tx, "kind", 1, part=part, user_id=user_id, at=NOW, guild_id=SERVER)
    older, newer = await posts.find(tx, "kind", 1, part=1), await posts.find(tx, "kind", 1, part=3)
    assert older is not None
    assert newer is not None
    return older, newer


async def test_a_post_comes_after_older_ones_unless_one_takes_long(tx: Transaction) -> None:
    older, newer = await in_line(tx)
    assert await posts.waits(tx, newer, ["kind"], after(1))
    assert not await posts.waits(tx, older, ["kind"], after(1))
    assert not await posts.waits(tx, newer, ["another"], after(1))
    await posts.postpone(tx, older, after(2))
    assert not await posts.waits(tx, newer, ["kind"], after(1))
    await posts.schedule(tx, newer, after(3))
    await posts.hasten(tx, older, ["kind"], NOW, after(1))
    assert newer.id not in {post.id for post in await due(tx)}
    await posts.hasten(tx, older, ["kind"], NOW, after(3))
    assert newer.id in {post.id for post in await due(tx)}


async def test_a_post_does_not_wait_for_an_older_one_that_is_being_recorded(db: Store) -> None:
    async with db.write() as tx:
        older, newer = await in_line(tx)
    recorded = asyncio.Event()

    async def ask() -> bool:
        await recorded.wait()
        async with db.write() as tx:
            return await posts.waits(tx, newer, ["kind"], after(1), lock=True)

    asking = asyncio.create_task(ask())
    async with db.write() as tx:
        await posts.record(tx, older, channel_id=7, message_id=70, try_at=None)
        recorded.set()
        await asyncio.sleep(0.05)
    assert not await asking


async def test_what_failed_about_a_match_is_due_at_once_and_what_is_for_later_is_not(
    tx: Transaction,
) -> None:
    failed, later = await in_line(tx)
    await posts.postpone(tx, failed, after(60))
    await posts.schedule(tx, later, after(60))
    await posts.retry_about(tx, "kind", 1, after(30))
    found = await due(tx, 30)
    assert failed.id in {post.id for post in found}
    assert later.id not in {post.id for post in found}


async def offered(tx: Transaction, seat: int) -> tuple[int, int]:
    """Begin a match in which a seat offers a draw; return the numbers of both."""
    number = await people.match(tx, (ANN, people.BEN))
    match = await matches.get(tx, number)
    assert match is not None
    return number, (await offers.put(tx, match, "draw", seat, refused=0)).id


@pytest.mark.parametrize("how", ["a move", "a takeback", "a player leaves", "the end"])
async def test_any_change_of_a_match_wants_its_open_offers_closed_and_no_others(
    tx: Transaction, how: str
) -> None:
    await offered(tx, 1)
    number, mine = await offered(tx, 0)
    if how != "a move":
        await match_log.append(tx, number, people.entries(1))
        match = await matches.get(tx, number)
        assert match is not None
        mine = (await offers.put(tx, match, "draw", 1, refused=0)).id
        await tx.run(delete(posts_table))
    if how == "a move":
        await match_log.append(tx, number, people.entries(1))
    elif how == "a takeback":
        await match_log.remove_last(tx, number, ply=1, takebacks=0, actor=0, at=NOW)
    elif how == "a player leaves":
        await matches.give_up(tx, number, 0, how="left", at=NOW)
    else:
        await matches.finish(tx, number, ranks={}, reason="over", at=NOW)
    [post] = await due(tx, 60)
    assert (post.kind, post.subject, post.guild_id) == (offers.CLOSED, mine, SERVER)
    closed = await offers.get(tx, mine)
    assert closed is not None
    assert closed.state == "lapsed"
