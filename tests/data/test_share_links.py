"""Links that show something: found by their secret alone, ended by who made them and who is in it."""

from __future__ import annotations

import asyncio

import pytest

from data.people import share_links
from data.people.share_links import MAX_OF_PERSON, Kind, ShareLink
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, DAN, NOW


def a_link(user: int, kind: Kind, subject: int, secret: str) -> ShareLink:
    return ShareLink(0, user, secret, kind, subject, None, "de", NOW)


async def added(tx: Transaction, user: int, kind: Kind, subject: int, secret: str) -> ShareLink:
    found = await share_links.add(tx, a_link(user, kind, subject, secret))
    assert found is not None
    return found


async def test_a_link_is_found_by_its_secret_alone_until_it_is_ended(tx: Transaction) -> None:
    link = await added(tx, ANN, "match", 1, "0a")
    assert await share_links.get(tx, "0a") == link
    assert await share_links.get(tx, "0b") is None
    assert await share_links.end_one(tx, BEN, link.id) == 0
    assert await share_links.get(tx, "0a") == link
    assert await share_links.end_one(tx, ANN, link.id) == 1
    assert await share_links.get(tx, "0a") is None
    assert await share_links.end_one(tx, ANN, link.id) == 0


async def test_who_is_in_it_has_all_links_in_hand_and_others_their_own(tx: Transaction) -> None:
    match = await people.match(tx, (ANN, BEN))
    cup = await people.new_tournament(tx, CAROL, DAN)
    assert match == cup.id, "numbers are the same, kinds are not"
    game = await added(tx, CAROL, "match", match, "0a")
    analysis = await added(tx, DAN, "analysis", match, "0b")
    table = await added(tx, ANN, "tournament", cup.id, "0c")
    for user, of_match, of_cup in (
        (ANN, (analysis, game), (table,)),
        (BEN, (analysis, game), ()),
        (CAROL, (game,), (table,)),
        (DAN, (analysis,), (table,)),
    ):
        assert await share_links.in_hand(tx, user, "match", match) == of_match
        assert await share_links.in_hand(tx, user, "analysis", match) == of_match
        assert await share_links.in_hand(tx, user, "tournament", cup.id) == of_cup
    assert await share_links.end(tx, DAN, "match", match) == 1, "an analysis is one of its match"
    assert await share_links.end(tx, BEN, "analysis", match) == 1
    assert await share_links.end(tx, BEN, "tournament", cup.id) == 0
    assert await share_links.in_hand(tx, ANN, "tournament", cup.id) == (table,)


@pytest.mark.parametrize(
    ("user", "left"), [(ANN, set[str]()), (BEN, {"0c"}), (CAROL, {"0b"}), (DAN, {"0a"})]
)
async def test_a_persons_end_takes_their_links_and_those_that_show_them(
    tx: Transaction, user: int, left: set[str]
) -> None:
    match = await people.match(tx, (ANN, BEN))
    cup = await people.new_tournament(tx, CAROL, DAN)
    await added(tx, CAROL, "match", match, "0a")
    await added(tx, DAN, "analysis", match, "0b")
    await added(tx, ANN, "tournament", cup.id, "0c")
    await share_links.end_of_player(tx, user)
    found = [await share_links.get(tx, secret) for secret in ("0a", "0b", "0c")]
    assert {one.secret_hash for one in found if one is not None} == left


async def test_of_two_at_once_one_gets_the_last_link(db: Store) -> None:
    async with db.write() as tx:
        for number in range(MAX_OF_PERSON - 1):
            await added(tx, ANN, "match", 1, f"{number:x}")

    async def one_more(secret: str) -> bool:
        async with db.write() as tx:
            return await share_links.add(tx, a_link(ANN, "match", 1, secret)) is not None

    assert sorted(await asyncio.gather(one_more("x"), one_more("y"))) == [False, True]
    async with db.write() as tx:
        assert len(await share_links.of_user(tx, ANN)) == MAX_OF_PERSON
        assert await share_links.add(tx, a_link(BEN, "match", 1, "z")) is not None
