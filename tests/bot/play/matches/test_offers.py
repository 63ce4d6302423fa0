"""Simultaneous offers and answers by two processes on one database: each sees the other."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.errors import OldBoard, Refusal
from bot.play.matches.offers import Answer, Offers
from data import posts
from data.matches.offers import CLOSED
from tests.bot.conftest import ANN, BEN, Club


def offers(club: Club) -> Offers:
    """Return the use cases over a store."""
    return Offers(club.store, club.matches, clock=club.clock)


async def test_simultaneous_draw_offers_are_an_agreement(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    for _ in range(5):
        number = (await one.start()).match.id
        done = await asyncio.gather(
            offers(one).make(number, ANN, "draw"), offers(other).make(number, BEN, "draw")
        )
        assert sorted(answer.offer.state for answer in done) == ["agreed", "open"]
        assert (await other.matches.position(number)).match.finished


async def test_of_a_simultaneous_yes_and_no_one_counts(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    for _ in range(5):
        number = (await one.start()).match.id
        made = await offers(one).make(number, ANN, "draw")
        done = await asyncio.gather(
            offers(one).answer(made.offer.id, BEN, yes=True),
            offers(other).answer(made.offer.id, BEN, yes=False),
            return_exceptions=True,
        )
        states = [answer.offer.state for answer in done if isinstance(answer, Answer)]
        assert len(states) == 1
        assert sum(isinstance(answer, OldBoard) for answer in done) == 1
        assert (await other.matches.position(number)).match.finished is (states == ["agreed"])


async def test_the_same_offer_made_twice_at_once_is_made_once(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    number = (await one.start()).match.id
    done = await asyncio.gather(
        offers(one).make(number, ANN, "draw"),
        offers(other).make(number, ANN, "draw"),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Answer) for answer in done) == 1
    assert sum(isinstance(answer, Refusal) for answer in done) == 1


async def test_an_offer_whose_match_changes_before_its_message_is_known_is_closed(
    club: Club,
) -> None:
    position = await club.start()
    made = (await offers(club).make(position.match.id, ANN, "draw")).offer
    await club.play_a_while(position, moves=1)
    async with club.store.write() as tx:  # as if nothing had been known of the message
        early = await posts.find(tx, CLOSED, made.id)
        assert early is not None
        assert await posts.remove(tx, early)
    await offers(club).set_message(made, 501, 502)
    async with club.store.read() as tx:
        assert [post.kind for post in await posts.due(tx, club.clock(), limit=9)] == [CLOSED]


async def test_a_draw_offer_lapses_with_the_next_move(club: Club) -> None:
    position = await club.start()
    made = (await offers(club).make(position.match.id, ANN, "draw")).offer
    await club.play_a_while(position, moves=1)
    with pytest.raises(OldBoard, match="lapsed: a move was made in match #1"):
        await offers(club).answer(made.id, BEN, yes=True)
    assert (await club.matches.position(position.match.id)).to_move is not None
