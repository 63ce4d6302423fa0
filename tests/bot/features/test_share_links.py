"""On both databases, a link is made in the instant in which somebody in it deletes their data."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.errors import Refusal
from bot.features.web.shares import ShareLinks
from data import privacy
from data.people import share_links
from data.people.share_links import Kind, ShareLink
from data.store.store import Transaction
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.bot.locks import STRANGERS, waits_or_ends
from tests.data import people
from tests.data.people import NOW

SHOWN: tuple[Kind, ...] = ("match", "analysis", "tournament")


async def between(tx: Transaction, kind: Kind) -> int:
    """Return the number of a match or tournament of Ann and Ben."""
    if kind == "tournament":
        return (await people.new_tournament(tx, ANN, BEN)).id
    return await people.match(tx, (ANN, BEN))


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("maker", [ANN, BEN, CAROL])
async def test_a_link_allowed_before_a_deletion_is_not_made_after_it(
    clubs: tuple[Club, Club], kind: Kind, maker: int
) -> None:
    here, there = clubs
    links = ShareLinks(there.store, there.clock)
    async with here.store.write() as tx:
        shown = await between(tx, kind)
    stranger = -next(STRANGERS)
    async with here.store.write() as tx:
        await privacy.erase(tx, BEN, stranger)
        making = asyncio.create_task(
            links.make(maker, kind, shown, None, "de", people=(ANN, BEN)), name="makes a link"
        )
        await waits_or_ends(there, making)
    with pytest.raises(Refusal, match="no link"):
        await making
    assert not await links.of_user(maker)
    async with here.store.read() as tx:
        left = await share_links.in_hand(tx, ANN, kind, shown)
    assert not left
    await links.make(ANN, kind, shown, None, "de", people=(ANN, stranger))


@pytest.mark.parametrize("kind", SHOWN)
async def test_a_deletion_waits_for_a_link_being_made_and_ends_it(
    clubs: tuple[Club, Club], kind: Kind
) -> None:
    here, there = clubs
    async with here.store.write() as tx:
        shown = await between(tx, kind)

    async def erase() -> None:
        async with there.store.write() as tx:
            await privacy.erase(tx, BEN, -next(STRANGERS))

    async with here.store.write() as tx:
        assert await share_links.lock_people(tx, ANN, kind, shown) == {ANN, BEN}
        assert await share_links.add(tx, ShareLink(0, ANN, "0a", kind, shown, None, "de", NOW))
        erasing = asyncio.create_task(erase(), name="deletes data")
        await waits_or_ends(there, erasing)
    await erasing
    async with here.store.read() as tx:
        assert await share_links.get(tx, "0a") is None
