"""Nobody has to be challenged by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from tests.end_to_end.harness import House


async def test_who_is_blocked_can_neither_challenge_nor_accept_and_matches_go_on(
    house: House,
) -> None:
    board = await house.begin()
    told = await house.ben.slash("/block", user=house.ann)
    assert told.ephemeral
    assert "not told of it" in told.text
    await house.restart()
    refused = await house.challenge()
    assert refused.ephemeral
    assert f"{house.ben.mention} does not take challenges from you" in refused.text
    assert shown(refused).pinged == ()
    open_one = await house.ben.slash("/tablan challenge")
    late = await house.ann.press(shown(open_one), "Accept")
    assert late.ephemeral
    assert "does not take challenges from you" in late.text
    assert "Nobody here is looking" in (await house.ann.slash("/tablan seek")).text
    own = await house.ben.slash("/tablan challenge", opponent=house.ann)
    assert "`/unblock`" in own.text
    move = (await house.legal())[0]
    assert "Played" in (await house.mover(board).slash("/tablan move", move=move)).text
    await house.settled()


async def test_who_blocks_closes_what_is_open_between_the_two(house: House) -> None:
    theirs = await house.challenge()
    mine = await house.ben.slash("/tablut challenge", opponent=house.ann)
    await house.settled()
    await house.ben.slash("/block", user=house.ann)
    await house.settled()
    for offered in (theirs, mine):
        assert shown(offered).buttons == []
        assert "**Withdrawn.**" in shown(offered).text


async def test_blocks_are_listed_and_taken_back_by_command_and_by_button(house: House) -> None:
    assert "blocked nobody" in (await house.ann.slash("/blocked")).text
    for person in (house.ben, house.carol):
        await house.ann.slash("/block", user=person)
    listed = await house.ann.slash("/block")
    assert listed.ephemeral
    assert f"1. {house.ben.mention}" in listed.text
    assert shown(listed).pinged == ()
    told = await house.ann.slash("/unblock", user=house.carol)
    assert f"{house.carol.mention} can challenge you again" in told.text
    assert "not blocked" in (await house.ann.slash("/unblock", user=house.carol)).text
    await house.restart()
    assert labels(shown(listed)) == ["Unblock 1", "Unblock 2"]
    left = await house.ann.press(shown(listed), "Unblock 1")
    assert "blocked nobody" in left.text


async def test_a_long_list_of_blocks_has_pages(house: House) -> None:
    for number in range(12):
        guest = house.town.add_person(f"Guest {number}")
        await house.ann.slash("/block", user=guest)
    listed = await house.ann.slash("/blocked")
    second = await house.ann.press(shown(listed), "Page 2")
    assert labels(shown(second)) == ["Unblock 11", "Unblock 12", "Page 1"]


async def test_neither_oneself_nor_a_bot_is_blocked(house: House) -> None:
    assert "yourself" in (await house.ann.slash("/block", user=house.ann)).text
    assert "is a bot" in (await house.ann.slash("/block", user=house.town.world.bot)).text
