"""Profiles: of oneself and of others, here and over all servers, and who may see what."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.commands.profile import NAME
from engine import registry
from tests.end_to_end.seasons import SLUG, STRANGERS, league, result, season
from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from tests.end_to_end.harness import House

TITLE = registry.game(SLUG).title


async def test_a_bot_has_no_profile(house: House) -> None:
    bot = house.town.world.bot
    for told in (
        await house.ann.slash("/profile", user=bot),
        await house.ann.user_command(NAME, on=bot),
    ):
        assert told.ephemeral
        assert "is a bot and has no profile" in told.text


async def test_who_has_not_finished_a_match_is_told_how_to_begin_one(house: House) -> None:
    first = next(iter(registry.games()))
    own = await house.ann.slash("/profile")
    assert f"You have not finished a match yet. `/{first} challenge` begins one." in own.text
    other = await house.ann.slash("/profile", user=house.ben)
    assert f"{house.ben.mention} has no finished matches in this server." in other.text
    everywhere = await house.ann.slash("/profile", user=house.ben, scope="everywhere")
    assert f"{house.ben.mention} has no finished matches." in everywhere.text
    assert labels(shown(everywhere)) == ["This server"]


async def test_a_game_that_somebody_has_not_played_is_told_of_with_the_others(
    house: House,
) -> None:
    await result(house, [house.ann.id, house.ben.id], [1, 2])
    told = await house.ann.slash("/profile", game="tablut")
    assert "`/tablut challenge` begins one" in told.text
    assert f"**{TITLE}**" in told.text


async def test_who_keeps_their_profile_to_themself_is_shown_to_nobody_else(house: House) -> None:
    await result(house, [house.ann.id, house.ben.id], [1, 2])
    before = shown(await house.carol.slash("/profile", user=house.ann, scope="here"))
    settings = shown(await house.ann.slash("/me settings"))
    await house.ann.press(settings, custom_id="m:profile:no")
    assert "only you see it" in settings.text
    for told in (
        await house.carol.slash("/profile", user=house.ann),
        await house.carol.user_command(NAME, on=house.ann),
        await house.carol.press(before, "All servers"),
    ):
        assert told.ephemeral
        assert f"{house.ann.mention} keeps their profile to themself." in told.text
    own = await house.ann.slash("/profile")
    assert own.ephemeral
    assert "1 won" in own.text
    beside = await house.ann.press(before, custom_id=f"u:{house.ann.id}:all:")
    assert beside.ephemeral
    table = await house.carol.slash("/leaderboard", game=SLUG)
    assert house.ann.mention in table.text


async def test_a_profile_tells_ratings_records_opponents_streaks_and_last_matches(
    house: House,
) -> None:
    await league(house, [*STRANGERS[:4], house.ann.id, *STRANGERS[4:9]])
    for hours in range(3):
        at = house.now() + timedelta(hours=hours)
        await result(house, [house.ben.id, house.ann.id], [2, 1], at=at)
    await result(house, [house.ann.id, house.ben.id], [1, 1], game="tablut", casual=True)
    told = await house.carol.slash("/profile", user=house.ann)
    assert not told.ephemeral
    assert shown(told).pinged == ()
    text = told.text
    assert text.startswith(f"### {house.ann.mention}\n-# This server")
    rated = (
        rf"\*\*{TITLE}\*\* \*\*1\d\d\d ± \d+\*\* · place \d of 10 · ahead of \d+ % of the others"
    )
    assert re.search(rated + r" · \d+ won · 0 drawn · \d+ lost", text), text
    assert "**Tablut** 0 won · 1 drawn · 0 lost" in text
    assert f"Favourite game: {TITLE}, with 13 matches." in text
    assert re.search(r"As White: \d+ won · 0 drawn · \d+ lost", text), text
    streak = re.search(r"Rated games: the last (\d) were won, at best (\d) in a row", text)
    assert streak is not None
    assert int(streak[2]) >= int(streak[1]) >= 3
    assert f"{house.ben.mention} · 3 won · 1 drawn · 0 lost" in text
    assert len(re.findall(r"^#\d+ ", text, re.MULTILINE)) == 5
    assert f"Tablut: drawn against {house.ben.mention}" in text


async def test_the_last_matches_have_links_to_their_boards(house: House) -> None:
    await house.begin(SLUG)
    await house.play_a_while()
    asked = await house.ann.slash(f"/{SLUG} resign", match=1)
    await house.ann.press(shown(asked), "Resign")
    await house.settled()
    told = await house.ann.slash("/profile")
    board = house.board()
    link = f"https://discord.com/channels/{house.town.guild.id}/{board.channel.id}/{board.id}"
    assert f"#1 {TITLE}: lost against {house.ben.mention}" in told.text
    assert f"[board]({link})" in told.text
    assert "A move takes less than a minute on average." in told.text


async def test_over_all_servers_opponents_and_matches_are_for_their_player_alone(
    house: House,
) -> None:
    elsewhere = {"here": False, "guild_id": 77}
    await result(house, [house.ann.id, STRANGERS[0]], [1, 2], **elsewhere)  # type: ignore[arg-type]
    here = await house.ann.slash("/profile")
    assert "You have not finished a match yet" in here.text
    beside = await house.carol.slash("/profile", user=house.ann)
    for told in (
        await house.carol.press(shown(beside), "All servers"),
        await house.carol.slash("/profile", user=house.ann, scope="everywhere"),
        await house.carol.slash("/profile", user=house.ann, channel=house.carol.direct),
    ):
        assert told.ephemeral or told.message is not None
        assert "1 won" in told.text
        assert f"<@{STRANGERS[0]}>" not in told.text
        assert "shown to nobody but them" in told.text
    own = await house.ann.slash("/profile", scope="everywhere")
    assert own.ephemeral
    assert f"won against <@{STRANGERS[0]}>" in own.text
    assert shown(beside).text.startswith(house.ann.mention), "the public one was left alone"


async def test_menus_choose_the_game_over_a_restart(house: House) -> None:
    await season(house, house.ann.id, [house.ben.id], games=3)
    await result(house, [house.ben.id, house.ann.id], [1, 2], game="tablut")
    told = shown(await house.ann.slash("/profile"))
    assert "As White" in told.text
    await house.restart()
    turned = await house.carol.choose(told, "tablut")
    assert turned.updated
    side = registry.game("tablut").seat_names[1].capitalize()
    assert f"As {side}: 0 won · 0 drawn · 1 lost" in turned.text


async def test_from_a_profile_its_player_is_challenged(house: House) -> None:
    await result(house, [house.ann.id, house.ben.id], [1, 2])
    told = shown(await house.carol.slash("/profile", user=house.ben))
    oneself = await house.ben.press(told, "Challenge")
    assert "You cannot challenge yourself" in oneself.text
    picker = await house.carol.press(told, "Challenge")
    assert picker.ephemeral
    assert f"Challenge {house.ben.mention} to a game." in picker.text


async def test_who_deleted_their_data_has_no_profile_and_stays_a_former_player_for_others(
    house: House,
) -> None:
    await result(house, [house.ann.id, house.ben.id], [1, 2])
    asked = shown(await house.ben.slash("/privacy delete"))
    sure = shown(await house.ben.press(asked, custom_id="m:delete:sure"))
    await house.ben.press(sure, custom_id="m:delete:now")
    await house.settled()
    told = await house.ann.slash("/profile", user=house.ben)
    assert "has no finished matches" in told.text
    own = await house.ann.slash("/profile")
    assert "a former player · 1 won · 0 drawn · 0 lost" in own.text
    assert house.ben.mention not in own.text


async def test_the_menu_of_a_person_shows_their_profile_to_whoever_asks_alone(
    house: House,
) -> None:
    await result(house, [house.ann.id, house.ben.id], [1, 2])
    told = await house.carol.user_command(NAME, on=house.ben)
    assert told.ephemeral
    assert told.text.startswith(f"### {house.ben.mention}")
