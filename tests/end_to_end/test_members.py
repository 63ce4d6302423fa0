"""Who has left a server: asked of the gateway, remembered for a while, and never guessed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from bot.meet.members import KEPT, PAUSE

if TYPE_CHECKING:
    import discord

    from tests.end_to_end.harness import House

NOBODY = frozenset[int]()
STRANGER = 123_456_789
"""No account has this id; one that was deleted looks the same."""


def server(house: House) -> discord.Guild:
    """Return the server as the bot knows it."""
    found = house.bot.get_guild(house.town.guild.id)
    assert found is not None
    return found


def questions(house: House) -> int:
    """Return how often the gateway was asked so far."""
    return house.town.gateway.roll.questions


async def gone(house: House, *user_ids: int) -> frozenset[int]:
    return await house.bot.members.gone(server(house), user_ids)


# ------------------------------------------------------------------ where nothing is known


async def test_a_gateway_that_gives_no_answer_marks_nobody_and_is_left_in_peace_for_a_while(
    house: House,
) -> None:
    house.dan.leaves_server()
    house.town.gateway.roll.silent = True
    house.bot.members._wait = 0.0
    assert await gone(house, house.ann.id, house.dan.id) == NOBODY
    asked = questions(house)
    assert await gone(house, house.ann.id, house.dan.id) == NOBODY
    assert questions(house) == asked

    house.town.gateway.roll.silent = False
    house.bot.members._wait = 3600.0
    house.clock.advance(PAUSE.total_seconds())
    assert await gone(house, house.ann.id, house.dan.id) == {house.dan.id}


async def test_a_broken_line_marks_nobody_until_it_is_mended(house: House) -> None:
    house.dan.leaves_server()
    house.town.gateway.unreachable = True
    house.town.gateway.drop()
    house.bot.members._wait = 0.0
    assert await gone(house, house.dan.id) == NOBODY
    house.town.gateway.unreachable = False
    await house.town.gateway.wait_connected()
    house.bot.members._wait = 3600.0
    house.clock.advance(PAUSE.total_seconds())
    assert await gone(house, house.dan.id) == {house.dan.id}


async def test_a_question_that_ends_because_the_session_begins_anew_marks_nobody(
    house: House,
) -> None:
    house.town.gateway.roll.silent = True
    asking = asyncio.create_task(gone(house, house.ann.id, house.ben.id))
    await house.town.gateway.roll.asked.wait()
    # discord.py does this at READY: it answers every open question with nobody at all.
    house.bot._connection.clear_chunk_requests(None)
    assert await asking == NOBODY


async def test_in_direct_messages_and_over_all_servers_nobody_has_left(house: House) -> None:
    assert await house.bot.members.gone(None, [house.ann.id, STRANGER]) == NOBODY
    assert questions(house) == 0


async def test_in_a_server_that_the_bot_is_not_in_any_more_nobody_is_asked_about(
    house: House,
) -> None:
    before = server(house)
    house.town.world.remove_member(house.town.guild, house.town.world.bot)
    while house.bot.get_guild(before.id) is not None:
        await house.bot.wait_for("guild_remove")
    assert await house.bot.members.gone(before, [STRANGER]) == NOBODY
    assert questions(house) == 0


async def test_former_players_and_the_bot_itself_are_not_asked_about(house: House) -> None:
    assert await gone(house, -5, house.town.world.bot.id) == NOBODY
    assert await gone(house) == NOBODY
    assert questions(house) == 0


async def test_a_bot_that_has_said_too_much_already_asks_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.dan.leaves_server()
    limiter = house.bot.ws._rate_limiter
    monkeypatch.setattr(limiter, "max", 0)
    monkeypatch.setattr(limiter, "remaining", 0)
    monkeypatch.setattr(limiter, "window", 1e18)
    assert await gone(house, house.dan.id) == NOBODY
    assert questions(house) == 0


# ------------------------------------------------------------------ who has left


async def test_an_id_that_nobody_has_is_in_no_server(house: House) -> None:
    assert await gone(house, STRANGER, house.ann.id) == {STRANGER}


async def test_who_left_and_who_was_thrown_out_are_both_gone_and_the_others_are_not(
    house: House,
) -> None:
    everybody = [person.id for person in house.people]
    assert await gone(house, *everybody) == NOBODY
    house.clock.advance(KEPT.total_seconds())
    house.dan.leaves_server()
    house.town.world.remove_member(house.town.guild, house.carol.user)
    assert await gone(house, *everybody) == {house.carol.id, house.dan.id}


async def test_a_page_takes_one_question_and_the_next_ten_minutes_none(house: House) -> None:
    everybody = [person.id for person in house.people]
    house.dan.leaves_server()
    assert await gone(house, *everybody) == {house.dan.id}
    assert questions(house) == 1
    assert await gone(house, *reversed(everybody)) == {house.dan.id}
    assert questions(house) == 1
    assert await gone(house, house.dan.id, STRANGER) == {house.dan.id, STRANGER}
    assert questions(house) == 2
    house.clock.advance(KEPT.total_seconds())
    assert await gone(house, *everybody) == {house.dan.id}
    assert questions(house) == 3


async def test_who_comes_back_is_back_as_soon_as_they_do_anything(house: House) -> None:
    house.dan.leaves_server()
    assert await gone(house, house.dan.id) == {house.dan.id}
    house.dan.joins()
    assert await gone(house, house.dan.id) == {house.dan.id}
    await house.dan.slash("/games")
    await house.settled()
    assert await gone(house, house.dan.id) == NOBODY


@pytest.mark.parametrize("number", [99, 100, 250])
async def test_of_a_hundred_and_more_each_is_answered_for(house: House, number: int) -> None:
    left = [STRANGER + place for place in range(number - 4)]
    here = [person.id for person in house.people]
    assert await gone(house, *here[:2], *left, *here[2:]) == set(left)
    assert questions(house) == -(-number // 99)
    assert await gone(house, *left) == set(left)
    assert questions(house) == -(-number // 99)


async def test_no_more_is_remembered_than_fits(house: House) -> None:
    house.bot.members._keep = 2
    house.dan.leaves_server()
    assert await gone(house, house.dan.id) == {house.dan.id}
    assert await gone(house, STRANGER, STRANGER + 1) == {STRANGER, STRANGER + 1}
    assert len(house.bot.members._known) == 2
