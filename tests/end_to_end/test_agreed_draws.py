"""Draws by agreement, in every game whose rules know them and in one that is dropped in."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry
from playground.errors import Impossible
from tests.end_to_end.proof import prove
from tests.swap import SLUG, dropped_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playground.model import Message
    from tests.end_to_end.harness import House

KNOWING = [
    *(slug for slug, game in registry.games().items() if game.agreed_draw is not None),
    SLUG,
]
OTHERS = [slug for slug in registry.games() if slug not in KNOWING]


@pytest.fixture
async def house(empty_house: House) -> AsyncIterator[House]:
    """Open a house whose bot also knows the game that is dropped in."""
    with dropped_in():
        await empty_house.start()
        yield empty_house
        await empty_house.settled()


async def offered(house: House, slug: str) -> Message:
    """Let Ann offer Ben a draw, and return the offer."""
    told = await house.ann.slash(f"/{slug} draw")
    assert not told.ephemeral
    assert told.message is not None
    return told.message


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_offer_calls_the_opponent_and_quotes_its_rule(house: House, slug: str) -> None:
    await house.begin(slug)
    offer = await offered(house, slug)
    assert offer.pinged == (house.ben.user,)
    rule = registry.game(slug).agreed_draw
    assert f"(rule {rule})" in offer.text
    read = await house.ben.slash(f"/{slug} rules", number=rule)
    assert registry.game(slug).rule(rule or "").sentence in read.text
    assert [button.label for button in offer.buttons] == ["Play on", "Agree to a draw"]


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_accepted_offer_ends_the_match_as_a_draw(house: House, slug: str) -> None:
    board = await house.begin(slug)
    offer = await offered(house, slug)

    told = await house.ben.press(offer, "Agree to a draw")
    assert "accepted" in told.text
    assert not offer.buttons
    await house.settled()

    assert not board.buttons
    assert not board.menus
    result = house.board()
    assert result is not board
    assert "**A draw** between" in result.text
    assert "draw agreed" in result.text
    assert result.pinged == ()
    table = (await house.carol.slash("/leaderboard")).text
    assert table.count("0 won · 1 drawn · 0 lost") == 2
    await prove(house, here=slug == SLUG)


@pytest.mark.parametrize("slug", KNOWING)
async def test_a_declined_offer_leaves_the_match_as_it_is(house: House, slug: str) -> None:
    board = await house.begin(slug)
    ply = await house.ply()
    offer = await offered(house, slug)
    told = await house.ben.press(offer, "Play on")
    assert f"{house.ben.mention} declined" in told.text
    assert not offer.buttons
    await house.settled()
    assert await house.ply() == ply
    assert house.board() is board
    assert board.buttons or board.menus
    await house.turn(board, random.Random(1))


@pytest.mark.parametrize("slug", KNOWING)
async def test_who_offers_can_withdraw_but_not_accept(house: House, slug: str) -> None:
    await house.begin(slug)
    offer = await offered(house, slug)
    told = await house.ann.press(offer, "Agree to a draw")
    assert told.ephemeral
    assert "your opponent has to answer" in told.text
    assert offer.buttons
    told = await house.ann.press(offer, "Play on")
    assert f"{house.ann.mention} withdrew" in told.text
    assert not offer.buttons
    assert (await house.bot.matches.view(1)).to_move is not None


@pytest.mark.parametrize("slug", KNOWING)
async def test_a_stranger_can_neither_offer_nor_answer(house: House, slug: str) -> None:
    await house.begin(slug)
    offer = await offered(house, slug)
    for label in ("Agree to a draw", "Play on"):
        told = await house.carol.press(offer, label)
        assert told.ephemeral
        assert house.ann.mention in told.text
        assert offer.buttons
    told = await house.carol.slash(f"/{slug} draw", match=1)
    assert told.ephemeral
    assert "do not play" in told.text
    assert (await house.bot.matches.view(1)).to_move is not None


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_offer_lapses_with_the_next_move(house: House, slug: str) -> None:
    board = await house.begin(slug)
    offer = await offered(house, slug)
    ply = await house.ply()
    while await house.ply() == ply:
        await house.turn(house.board(), random.Random(2))
    board = house.board()

    late = await house.ben.press(offer, "Agree to a draw")
    assert late.ephemeral
    assert "lapsed" in late.text
    assert late.message is not None
    assert late.message.picture, "the board as it stands now"
    assert house.board() is board
    assert (await house.bot.matches.view(1)).to_move is not None

    again = await offered(house, slug)
    await house.ben.press(again, "Agree to a draw")
    await house.settled()
    assert "draw agreed" in house.board().text


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_offer_of_a_finished_match_is_answered(house: House, slug: str) -> None:
    await house.begin(slug)
    offer = await offered(house, slug)
    question = await house.ann.slash(f"/{slug} resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()
    late = await house.ben.press(offer, "Agree to a draw")
    assert late.ephemeral
    assert "over" in late.text
    told = await house.ann.slash(f"/{slug} draw", match=1)
    assert told.ephemeral
    assert "over" in told.text
    assert "**No result**" in house.board().text


@pytest.mark.parametrize("slug", OTHERS)
async def test_games_without_such_a_rule_have_no_such_command(house: House, slug: str) -> None:
    with pytest.raises(Impossible):
        await house.ann.slash(f"/{slug} draw")
