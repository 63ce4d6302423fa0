"""Leaderboards by rating, casual matches, and what voiding does to both, as people see them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from data import results
from tests.end_to_end.test_moderation import decided

if TYPE_CHECKING:
    from tests.end_to_end.harness import House

SLUG = "tablan"


async def resigned(house: House) -> None:
    """Play a match a while and let Ann resign it."""
    await house.begin(SLUG)
    await house.play_a_while()
    asked = await house.ann.slash(f"/{SLUG} resign", match=1)
    assert asked.message is not None
    await house.ann.press(asked.message, "Resign")
    await house.settled()


async def test_a_result_shows_as_a_provisional_rating_with_what_is_lacking(house: House) -> None:
    await resigned(house)
    table = await house.carol.slash("/leaderboard", game=SLUG)
    assert not table.ephemeral
    assert table.message is not None
    assert table.message.pinged == ()
    winner = rf"{house.ben.mention} · 16\d\d\? ± 3\d\d · 1 won · 0 drawn · 0 lost"
    assert re.search(winner + " · lacks 9 more games and 2 more opponents", table.text)
    assert re.search(rf"{house.ann.mention} · 1[34]\d\d\? ± 3\d\d · 0 won", table.text)
    assert "You:" not in table.text
    everywhere = await house.ann.slash("/leaderboard", game=SLUG, scope="everywhere")
    assert "All servers" in everywhere.text
    assert house.ben.mention in everywhere.text


async def test_voiding_a_match_takes_its_rating_back(house: House) -> None:
    await resigned(house)
    await decided(house, "void", match=1)
    table = await house.carol.slash("/leaderboard", game=SLUG)
    assert "Nobody has finished a rated match here yet." in table.text


async def test_a_casual_match_says_so_and_is_not_rated_nor_is_its_rematch(house: House) -> None:
    offered = await house.ann.slash(f"/{SLUG} challenge", opponent=house.ben, casual=True)
    assert offered.message is not None
    assert "casual: no rating changes" in offered.text
    await house.ben.press(offered.message, "Accept")
    await house.settled()
    assert "casual: no rating changes" in house.board().text
    await house.play_a_while()
    asked = await house.ann.slash(f"/{SLUG} resign", match=1)
    assert asked.message is not None
    await house.ann.press(asked.message, "Resign")
    await house.settled()
    again = await house.ann.press(house.board(), "Rematch")
    assert "casual: no rating changes" in again.text
    async with house.store.read() as tx:
        assert await results.count(tx) == 0


async def test_over_all_servers_a_game_has_to_be_chosen(house: House) -> None:
    told = await house.ann.slash("/leaderboard", scope="everywhere")
    assert "choose a game" in told.text
