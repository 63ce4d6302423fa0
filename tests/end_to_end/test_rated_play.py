"""Who may play rated: what a server and its moderators decide, and what players see of it."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import pytest

from bot.ratings.book import EVERYWHERE
from data import audit, ratings, unrated
from playground.errors import Impossible
from tests.end_to_end.harness import playable
from tests.end_to_end.test_exports import brought, exported, file
from tests.end_to_end.test_moderation import decided
from tests.end_to_end.test_server_settings import may_manage

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House

SLUG = "tablan"
CASUAL = "casual: no rating changes"


async def keep_out(house: House, person: Person, reason: str = "two accounts") -> Reply:
    return await decided(house, "rated", reason, user=person, allowed=False)


async def let_in(house: House, person: Person) -> Reply:
    return await decided(house, "rated", "it was a brother", user=person, allowed=True)


async def offered(house: House, opponent: Person | None = None, **options: object) -> Message:
    """Let Ann challenge Ben, or somebody else, and return the message."""
    whom = opponent or house.ben
    reply = await house.ann.slash(f"/{SLUG} challenge", opponent=whom, options=options)
    assert reply.message is not None, reply.text
    return reply.message


async def resigned(house: House, number: int = 1) -> None:
    """Let everybody make some moves, and then Ann resign."""
    await house.play_a_while()
    asked = await house.ann.slash(f"/{SLUG} resign", match=number)
    assert asked.message is not None
    await house.ann.press(asked.message, "Resign")
    await house.settled()


async def rated(house: House, slug: str = SLUG) -> set[int]:
    """Return whose rating has moved in the server."""
    people = [person.id for person in house.people]
    async with house.store.read() as tx:
        rows = await ratings.of(tx, slug, people, [house.town.guild.id])
    return {user_id for _, user_id in rows}


async def switch(house: House, value: str) -> Message:
    """Let Carol open the settings of the server and press the button about ratings."""
    may_manage(house, house.carol)
    shown = (await house.carol.slash("/server settings", channel="games")).message
    assert shown is not None
    await house.carol.press(shown, custom_id=f"s:rated:{value}")
    await house.settled()
    return shown


# ------------------------------------------------------------------ what is refused


async def test_who_does_not_manage_the_server_decides_nothing_nor_after_losing_that(
    house: House,
) -> None:
    with pytest.raises(Impossible):
        await house.ann.slash("/server rated", channel="games", user=house.ben, allowed=False)
    may_manage(house, house.carol)
    asked = await house.carol.slash("/server rated", channel="games", user=house.ben, allowed=False)
    assert asked.message is not None
    may_manage(house, house.carol, allowed=False)
    refused = await house.carol.press(asked.message, "Keep out of rated play")
    assert refused.modal is None
    may_manage(house, house.carol)
    form = await house.carol.press(asked.message, "Keep out of rated play")
    may_manage(house, house.carol, allowed=False)
    late = await house.carol.submit(form.modal, {"reason": "x"})
    assert "Manage Server" in late.text + "".join(m.text for m in late.followups)
    async with house.store.read() as tx:
        assert await unrated.count(tx, house.town.guild.id) == 0
        assert await audit.count(tx, house.town.guild.id) == 0


async def test_bots_and_what_is_so_already_are_refused_kindly(house: House) -> None:
    may_manage(house, house.carol)

    async def told(user: object, *, allowed: bool) -> str:
        reply = await house.carol.slash(
            "/server rated", channel="games", user=user, allowed=allowed
        )
        assert reply.ephemeral
        return reply.text

    assert "is a bot" in await told(house.town.world.bot, allowed=False)
    assert "may play rated here already" in await told(house.ben, allowed=True)
    await keep_out(house, house.ben)
    assert "is kept out of rated play here already" in await told(house.ben, allowed=False)


async def test_of_two_moderators_who_decide_the_same_at_once_one_is_told_so(house: House) -> None:
    forms = []
    for person in (house.carol, house.dan):
        may_manage(house, person)
        asked = await person.slash("/server rated", channel="games", user=house.ben, allowed=False)
        assert asked.message is not None
        pressed = await person.press(asked.message, "Keep out of rated play")
        forms.append((person, pressed.modal))
    said = []
    for person, form in forms:
        done = await person.submit(form, {"reason": "why"})
        said.append(done.text + "".join(m.text for m in done.followups))
    assert "Done." in said[0]
    assert "already" in said[1]
    async with house.store.read() as tx:
        assert await audit.count(tx, house.town.guild.id) == 1


async def test_the_question_may_be_put_away(house: House) -> None:
    may_manage(house, house.carol)
    asked = await house.carol.slash("/server rated", channel="games", user=house.ben, allowed=False)
    assert asked.message is not None
    await house.carol.press(asked.message, "Leave it as it is")
    assert asked.message.text == "Nothing was changed."
    assert CASUAL not in (await offered(house)).text


# ------------------------------------------------------------------ keeping out


async def test_a_match_of_who_is_kept_out_is_casual_and_everybody_reads_why(house: House) -> None:
    done = await keep_out(house, house.ben)
    assert f"keeps {house.ben.mention} out of rated play: two accounts" in done.text
    challenge = await offered(house)
    assert f"{CASUAL}, as {house.ben.mention} plays unrated in this server" in challenge.text
    await house.ben.press(challenge, "Accept")
    await house.settled()
    assert f"{CASUAL}, as {house.ben.mention}" in challenge.text
    assert CASUAL in house.board().text
    await resigned(house)
    assert await rated(house) == set()
    listed = await house.dan.slash("/leaderboard", game=SLUG)
    assert "Nobody has finished a rated match here yet." in listed.text


async def test_who_joins_makes_a_challenge_casual_as_soon_as_they_have_joined(
    house: House,
) -> None:
    await keep_out(house, house.carol)
    asked = await house.ann.slash(f"/{SLUG} challenge")
    assert asked.message is not None
    assert CASUAL not in asked.text
    looked = await house.carol.slash(f"/{SLUG} seek")
    assert CASUAL not in looked.text
    await house.carol.press(asked.message, "Accept")
    await house.settled()
    assert f"{CASUAL}, as {house.carol.mention} plays" in asked.message.text
    assert CASUAL in house.board().text


async def test_open_challenges_say_at_once_what_was_decided(house: House) -> None:
    mine = await offered(house)
    others = await offered(house, house.dan, casual=True)
    assert CASUAL not in mine.text
    before = others.revision
    await keep_out(house, house.ben)
    assert f"{CASUAL}, as {house.ben.mention}" in mine.text
    assert others.revision == before
    seen = await house.ben.slash(f"/{SLUG} seek")
    assert f"{CASUAL}, as {house.ben.mention}" in seen.text
    withdrawable = await house.ann.slash(f"/{SLUG} withdraw")
    assert f"{CASUAL}, as {house.ben.mention}" in withdrawable.text
    await let_in(house, house.ben)
    assert CASUAL not in mine.text


async def test_a_match_under_way_is_not_rated_when_it_ends(house: House) -> None:
    await house.begin(SLUG)
    assert CASUAL not in house.board().text
    await keep_out(house, house.ann)
    await resigned(house)
    assert await rated(house) == set()


async def test_a_game_that_is_played_to_its_end_is_not_rated_either(house: House) -> None:
    dice = random.Random(5)
    await house.begin("tablaaza")
    await keep_out(house, house.ann)
    while playable(house.board()):
        await house.turn(house.board(), dice)
    assert await rated(house, "tablaaza") == set()


async def test_a_match_that_began_rated_counts_if_they_were_let_in_before_it_ends(
    house: House,
) -> None:
    await house.begin(SLUG)
    await keep_out(house, house.ann)
    await let_in(house, house.ann)
    await resigned(house)
    assert await rated(house) == {house.ann.id, house.ben.id}


async def test_a_match_that_began_casual_stays_it_and_its_rematch_may_count(house: House) -> None:
    await keep_out(house, house.ben)
    challenge = await offered(house)
    await house.ben.press(challenge, "Accept")
    await house.settled()
    await let_in(house, house.ben)
    await resigned(house)
    assert await rated(house) == set()
    assert CASUAL in house.boards()[-1].text
    again = await house.ann.press(house.board(), "Rematch")
    assert CASUAL not in again.text


async def test_what_was_rated_before_stays_and_other_players_go_on(house: House) -> None:
    await house.begin(SLUG)
    await resigned(house)
    await keep_out(house, house.ben)
    assert await rated(house) == {house.ann.id, house.ben.id}
    assert CASUAL not in (await offered(house, house.dan)).text


async def test_the_list_of_decisions_the_settings_and_the_log_channel_tell_of_it(
    house: House,
) -> None:
    quiet = house.town.channel("elsewhere")
    await house.choose(log_channel=quiet.id)
    await keep_out(house, house.ben)
    await keep_out(house, house.dan, "asked for it")
    logged = [m.text for m in quiet.messages.values()]
    assert any(f"keeps {house.ben.mention} out of rated play: two accounts" in m for m in logged)
    await house.restart()
    may_manage(house, house.carol)
    shown = await house.carol.slash("/server settings", channel="games")
    assert f"**Kept out of rated play:** {house.ben.mention} and {house.dan.mention}." in shown.text
    assert shown.message is not None
    assert shown.message.pinged == ()
    await let_in(house, house.ben)
    listed = await house.carol.slash("/server audit", channel="games")
    for words in (
        f"{house.carol.mention} lets {house.ben.mention} play rated again: it was a brother",
        f"{house.carol.mention} keeps {house.dan.mention} out of rated play: asked for it",
    ):
        assert words in listed.text
    shown = await house.carol.slash("/server settings", channel="games")
    assert f"**Kept out of rated play:** {house.dan.mention}." in shown.text


async def test_of_very_many_the_settings_name_some_and_count_the_others(house: House) -> None:
    guild = house.town.guild.id
    async with house.store.write() as tx:
        for number in range(23):
            await unrated.keep_out(tx, guild, 1000 + number, by=1, at=house.now())
    may_manage(house, house.carol)
    shown = await house.carol.slash("/server settings", channel="games")
    assert "<@1019> and 3 more people." in shown.text


async def test_deleting_ones_data_is_no_way_round_it_and_ones_copy_tells_of_it(
    house: House,
) -> None:
    await keep_out(house, house.ben)
    copy = await house.ben.slash("/privacy export")
    assert copy.message is not None
    assert copy.message.picture is not None
    told = json.loads(copy.message.picture)
    assert [row["guild_id"] for row in told["kept_out_of_rated_play"]] == [house.town.guild.id]
    assert "two accounts" in json.dumps(told["moderation"])
    await house.bot.privacy.erase(house.ben.id)
    assert f"{CASUAL}, as {house.ben.mention}" in (await offered(house)).text
    listed = await house.carol.slash("/server audit", channel="games")
    assert "keeps a former player out of rated play" in listed.text


async def test_in_direct_messages_nobody_is_kept_out(house: House) -> None:
    await keep_out(house, house.ben)
    house.town.world.remove_member(house.town.guild, house.town.world.bot)
    friends = house.town.channel("old friends")
    asked = await house.ann.slash(f"/{SLUG} challenge", channel=friends, opponent=house.ben)
    assert house.ben.mention in asked.text
    assert CASUAL not in asked.text


# ------------------------------------------------------------------ the whole server


async def test_a_server_without_ratings_says_so_and_rates_nothing(house: House) -> None:
    waiting = await offered(house, house.dan)
    shown = await switch(house, "no")
    assert "all matches are casual" in shown.text
    assert f"{CASUAL}, like all matches in this server" in waiting.text
    challenge = await offered(house)
    assert f"{CASUAL}, like all matches in this server" in challenge.text
    await house.ben.press(challenge, "Accept")
    await house.settled()
    await house.restart()
    await resigned(house)
    assert await rated(house) == set()

    again = await switch(house, "yes")
    assert "matches count" in again.text
    assert CASUAL not in waiting.text
    assert re.search(r"casual: no rating changes\b", house.boards()[-1].text)


async def test_a_match_under_way_is_not_rated_where_the_server_has_stopped_rating(
    house: House,
) -> None:
    await house.begin(SLUG)
    await switch(house, "no")
    await resigned(house)
    assert await rated(house) == set()


async def test_a_record_that_somebody_imports_is_never_rated(house: House) -> None:
    await house.begin(SLUG)
    await resigned(house)
    record = await exported(house, house.carol)
    async with house.store.read() as tx:
        before = await ratings.of(tx, SLUG, [house.ann.id, house.ben.id], [EVERYWHERE])
    taken = await brought(house, house.carol, file=file(record))
    assert "record i1" in taken.text
    async with house.store.read() as tx:
        after = await ratings.of(tx, SLUG, [house.ann.id, house.ben.id], [EVERYWHERE])
    assert len(before) == 2
    assert after == before
