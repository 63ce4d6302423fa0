"""Playing again after a match: with the sides swapped, by a button that stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from data import tables
from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from tests.end_to_end.harness import House


async def finish(house: House, by: Person, slug: str = "tablan", number: int = 1) -> Message:
    """Let somebody resign, and return the last board."""
    question = await by.slash(f"/{slug} resign", match=number)
    await by.press(shown(question), "Resign")
    await house.settled()
    return house.board(number)


async def test_a_finished_match_can_be_played_again_with_the_sides_swapped(house: House) -> None:
    offered = await house.ann.slash(
        "/tablan challenge", opponent=house.ben, seat="white", rules="bell", days=5
    )
    await house.ben.press(shown(offered), "Accept")
    await house.settled()
    last = await finish(house, house.ben)
    assert labels(last) == ["Rematch"]
    await house.let(days=3)
    await house.restart()
    asked = await house.ben.press(last, "Rematch")
    assert not asked.ephemeral
    assert f"challenges {house.ann.mention} to a rematch of match #1" in asked.text
    assert "The sides are swapped." in asked.text
    assert "Rules: Bell · 5 days for each move" in asked.text
    assert shown(asked).pinged == (house.ann.user,)
    assert labels(last) == ["Rematch"]
    accepted = await house.ann.press(shown(asked), "Accept")
    await house.settled()
    assert "this is match #2" in accepted.text
    board = house.board(2)
    assert f"White {house.ben.mention}" in board.text
    assert f"Black {house.ann.mention}" in board.text


async def test_who_presses_rematch_after_the_other_accepts_it(house: House) -> None:
    await house.begin()
    last = await finish(house, house.ann)
    asked = await house.ann.press(last, "Rematch")
    await house.settled()
    twice = await house.ann.press(last, "Rematch")
    assert twice.ephemeral
    assert f"/{shown(asked).id}" in twice.text
    assert labels(shown(twice)) == ["Withdraw"]
    await house.restart()
    accepted = await house.ben.press(last, "Rematch")
    await house.settled()
    assert accepted.ephemeral
    assert "it is match #2" in accepted.text
    assert shown(asked).buttons == []
    assert "this is match #2" in shown(asked).text
    assert house.board(2).picture
    late = await house.ben.press(last, "Rematch")
    assert late.ephemeral
    assert "it is match #2" in late.text


async def test_of_two_presses_at_once_one_asks_and_the_other_accepts(house: House) -> None:
    await house.begin()
    last = await finish(house, house.ann)
    one, two = house.ann.start_press(last, "Rematch"), house.ben.start_press(last, "Rematch")
    await one.acknowledged()
    await two.acknowledged()
    await house.settled()
    assert sorted([one.ephemeral, two.ephemeral]) == [False, True]
    assert house.board(2).picture


async def test_strangers_are_told_how_to_play_a_match_of_their_own(house: House) -> None:
    await house.begin()
    last = await finish(house, house.ann)
    told = await house.carol.press(last, "Rematch")
    assert told.ephemeral
    assert f"Only {house.ann.mention} and {house.ben.mention}" in told.text or (
        f"Only {house.ben.mention} and {house.ann.mention}" in told.text
    )
    assert "`/tablan challenge`" in told.text


async def test_nobody_asks_again_who_is_blocked_or_where_the_server_wants_none(
    house: House,
) -> None:
    await house.begin()
    last = await finish(house, house.ann)
    general = house.town.channel("general")
    before = await house.bot.choices.server(house.town.guild.id)
    elsewhere = before.model_copy(update={"channels": (general.id,)})
    await house.bot.choices.set_server(house.town.guild.id, elsewhere, by=house.ann.id)
    told = await house.ann.press(last, "Rematch")
    assert f"<#{general.id}>" in told.text
    await house.bot.choices.set_server(house.town.guild.id, before, by=house.ann.id)
    await house.ben.slash("/block", user=house.ann)
    told = await house.ann.press(last, "Rematch")
    assert told.ephemeral
    assert "does not take challenges from you" in told.text


async def test_three_players_meet_again_in_other_seats(house: House) -> None:
    await house.begin("thaayam", players=3)
    before = (await house.bot.matches.view(1)).match.players
    last = await finish(house, house.carol, "thaayam")
    asked = await house.carol.press(last, "Rematch")
    assert "Everybody moves on to the next seat." in asked.text
    joined = await house.ann.press(last, "Rematch")
    assert joined.ephemeral
    assert "You have accepted the rematch" in joined.text
    await house.settled()
    assert f"Joined so far: {house.ann.mention}." in shown(asked).text
    await house.ben.press(shown(asked), "Accept")
    await house.settled()
    after = (await house.bot.matches.view(2)).match.players
    assert [p.user_id for p in after] == [before[-1].user_id, *(p.user_id for p in before[:-1])]


async def test_the_rematch_of_a_match_in_a_thread_is_asked_for_beside_the_thread(
    house: House,
) -> None:
    games = house.town.channel("games")
    thread = house.town.world.add_thread(games, "Match #1", house.town.world.bot)
    await house.begin(channel=thread.name)
    async with house.store.write() as tx:
        await tx.run(update(tables.matches).values(parent_id=games.id))
    question = await house.ann.slash("/tablan resign", match=1, channel=thread.name)
    await house.ann.press(shown(question), "Resign")
    await house.settled()
    told = await house.ann.press(house.board(channel=thread.name), "Rematch")
    await house.settled()
    assert told.ephemeral
    asked = max(games.messages.values(), key=lambda one: one.id)
    assert f"/{asked.id}" in told.text
    assert asked.pinged == (house.ben.user,)
    assert labels(asked) == ["Accept", "Decline", "Withdraw"]


async def test_the_throws_of_a_rematch_can_be_proved(house: House) -> None:
    await house.begin()
    last = await finish(house, house.ann)
    await house.ann.press(last, "Rematch")
    await house.ben.press(last, "Rematch")
    await house.settled()
    await finish(house, house.ann, number=2)
    proved = await house.carol.slash("/match verify", number=2)
    assert "✓" in proved.text
    assert "⚠" not in proved.text
