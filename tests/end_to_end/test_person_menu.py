"""A challenge from a person's context menu, put together in menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.commands.person import NAME
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from tests.end_to_end.harness import House


async def test_a_challenge_is_put_together_over_a_restart_and_posted_for_all(
    house: House,
) -> None:
    picker = await house.ann.user_command(NAME, on=house.ben)
    assert picker.ephemeral
    message = shown(picker)
    assert labels(message) == []
    await house.ann.choose(message, "tablan", menu=0)
    await house.restart()
    await house.ann.choose(message, "bell", menu=1)
    await house.ann.choose(message, "7", menu=2)
    assert labels(message) == ["Challenge"]
    done = await house.ann.press(message, "Challenge")
    assert done.updated
    await house.settled()
    assert message.buttons == []
    offered = max(
        (one for one in house.town.channel("games").messages.values() if not one.ephemeral),
        key=lambda one: one.id,
    )
    assert f"{house.ann.mention} challenges {house.ben.mention}." in offered.text
    assert "Rules: Bell · 7 days for each move" in offered.text
    assert offered.pinged == (house.ben.user,)
    await house.ben.press(offered, "Accept")
    await house.settled()
    assert house.board().picture


async def test_a_game_with_one_set_of_rules_asks_for_none(house: House) -> None:
    picker = await house.ann.user_command(NAME, on=house.ben)
    await house.ann.choose(shown(picker), "tablut", menu=0)
    assert len(shown(picker).menus) == 2
    await house.ann.press(shown(picker), "Challenge")
    again = await house.ann.user_command(NAME, on=house.ben)
    await house.ann.choose(shown(again), "tablut", menu=0)
    told = await house.ann.press(shown(again), "Challenge")
    assert told.ephemeral
    assert "is still open" in told.text


async def test_who_cannot_be_challenged_is_refused_before_anything_is_picked(
    house: House,
) -> None:
    told = await house.ann.user_command(NAME, on=house.ann)
    assert "yourself" in told.text
    told = await house.ann.user_command(NAME, on=house.town.world.bot)
    assert "is a bot" in told.text
    told = await house.ann.user_command(NAME, on=house.ben, channel="quiet")
    assert "**Attach Files**" in told.text


async def test_who_has_gone_meanwhile_is_not_challenged(house: House) -> None:
    picker = await house.ann.user_command(NAME, on=house.ben)
    await house.ann.choose(shown(picker), "tablut", menu=0)
    games = house.town.channel("games")
    games.overwrites[house.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    await house.restart()  # a playground tells of such changes at the start only
    await house.settled()
    told = await house.ann.press(shown(picker), "Challenge")
    assert "cannot see this channel" in told.text
    house.town.world.remove_member(house.town.guild, house.ben.user)
    house.expected.add(404)
    told = await house.ann.press(shown(picker), "Challenge")
    assert told.ephemeral
    assert "is not in this server" in told.text
