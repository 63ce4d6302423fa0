"""Rated play: what a server and its moderators allow, and what players see of it."""

from __future__ import annotations

import json
import re

import pytest

from bot.play.matches.erasure import Erasure
from data.people import exclusions
from data.ratings import ratings
from data.ratings.rating import EVERYWHERE
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    confirm,
    data_copy,
    decided,
    exclude,
    finish,
    may_manage,
    rated,
)
from tests.end_to_end.records import exported, file, import_record
from tests.routes import EDIT

SLUG = "tablan"

CASUAL = "unrated"


async def readmit(env: Environment, person: Person) -> Reply:
    return await decided(env, "rated", "it was a brother", user=person, allowed=True)


async def offered(env: Environment, opponent: Person | None = None, **options: object) -> Message:
    whom = opponent or env.ben
    reply = await env.ann.slash(f"/{SLUG} challenge", opponent=whom, options=options)
    return reply.shown


async def resigned(env: Environment, number: int = 1) -> None:
    await env.play_a_while()
    await finish(env, env.ann, number=number)


async def switch(env: Environment, value: str) -> Message:
    """Open the server's settings as Carol and press the button about ratings."""
    may_manage(env, env.carol)
    message = (await env.carol.slash("/server settings")).shown
    await env.done(env.carol.press(message, custom_id=f"set:server:rated:{value}"))
    return message


# ------------------------------------------------------------------ refusals


async def test_bots_and_redundant_decisions_are_refused_politely(env: Environment) -> None:
    may_manage(env, env.carol)

    async def answer(user: object, *, allowed: bool) -> str:
        return (await env.carol.slash("/server rated", user=user, allowed=allowed)).private

    assert "is a bot" in await answer(env.world.bot, allowed=False)
    assert "can already play rated here" in await answer(env.ben, allowed=True)
    await exclude(env, env.ben)
    assert "is already barred from rated play here" in await answer(env.ben, allowed=False)


# ------------------------------------------------------------------ barring players


async def test_an_excluded_players_match_is_unrated_and_says_why(env: Environment) -> None:
    done = await exclude(env, env.ben)
    assert f"barred {env.ben.mention} from rated play: two accounts" in done.text
    challenge = await offered(env)
    assert f"{CASUAL}, because {env.ben.mention} plays unrated on this server" in challenge.text
    await env.done(env.ben.press(challenge, "Accept"))
    assert f"{CASUAL}, because {env.ben.mention}" in challenge.text
    assert CASUAL in env.board().text
    await resigned(env)
    assert await rated(env) == set()
    assert "No rated games here yet." in (await env.dan.slash("/leaderboard", game=SLUG)).text


async def test_a_challenge_becomes_unrated_when_the_excluded_join(env: Environment) -> None:
    await exclude(env, env.carol)
    reply = await env.ann.slash(f"/{SLUG} challenge")
    assert CASUAL not in reply.text
    assert CASUAL not in (await env.carol.slash(f"/{SLUG} seek")).text
    await confirm(env, env.carol, reply, "Accept")
    assert f"{CASUAL}, because {env.carol.mention} plays" in reply.shown.text
    assert CASUAL in env.board().text


async def test_open_challenges_show_the_decision_at_once(env: Environment) -> None:
    mine = await offered(env)
    others = await offered(env, env.dan, casual=True)
    assert CASUAL not in mine.text
    before = others.revision
    await exclude(env, env.ben)
    assert f"{CASUAL}, because {env.ben.mention}" in mine.text
    assert others.revision == before
    assert f"{CASUAL}, because {env.ben.mention}" in (await env.ben.slash(f"/{SLUG} seek")).text
    assert f"{CASUAL}, because {env.ben.mention}" in (await env.ann.slash(f"/{SLUG} withdraw")).text
    await readmit(env, env.ben)
    assert CASUAL not in mine.text


async def test_a_decision_that_is_not_shown_at_first_is_shown_later(env: Environment) -> None:
    env.expected.add(503)
    mine = await offered(env)
    failed = env.faults.respond(EDIT, status=503)
    await exclude(env, env.ben)
    assert failed.hits == 1
    assert CASUAL not in mine.text
    await env.restart()
    await env.advance(seconds=10)
    assert f"{CASUAL}, because {env.ben.mention}" in mine.text
    failed = env.faults.respond(EDIT, status=503)
    await switch(env, "no")
    assert failed.hits == 1
    assert f"{CASUAL}, like" not in mine.text
    await env.advance(minutes=1, seconds=1)
    assert f"{CASUAL}, like every game on this server" in mine.text


async def test_an_excluded_players_ongoing_match_is_not_rated(env: Environment) -> None:
    await env.begin(SLUG)
    assert CASUAL not in env.board().text
    await exclude(env, env.ann)
    await resigned(env)
    assert await rated(env) == set()


async def test_a_rated_match_counts_if_readmitted_before_its_end(env: Environment) -> None:
    await env.begin(SLUG)
    await exclude(env, env.ann)
    await readmit(env, env.ann)
    await resigned(env)
    await exclude(env, env.ben)
    assert await rated(env) == {env.ann.id, env.ben.id}, "earlier ratings remain"
    assert CASUAL not in (await offered(env, env.dan)).text, "others are unaffected"


async def test_an_unrated_match_stays_so_but_its_rematch_can_count(env: Environment) -> None:
    await exclude(env, env.ben)
    challenge = await offered(env)
    await env.done(env.ben.press(challenge, "Accept"))
    await readmit(env, env.ben)
    await resigned(env)
    assert await rated(env) == set()
    assert CASUAL in env.boards()[-1].text
    assert CASUAL not in (await env.ann.press(env.board(), "Rematch")).text


async def test_the_decision_is_in_list_settings_and_log_channel(env: Environment) -> None:
    quiet = env.channel("elsewhere")
    await env.change_settings(log_channel=quiet.id)
    await exclude(env, env.ben)
    await exclude(env, env.dan, "asked for it")
    logged = [m.text for m in quiet.messages.values()]
    assert any(f"barred {env.ben.mention} from rated play: two accounts" in m for m in logged)
    await env.restart()
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server settings")
    assert f"**Barred from rated play:** {env.ben.mention} and {env.dan.mention}." in reply.text
    assert reply.shown.pinged == ()
    await readmit(env, env.ben)
    listed = await env.carol.slash("/server audit")
    for words in (
        f"{env.carol.mention} let {env.ben.mention} play rated again: it was a brother",
        f"{env.carol.mention} barred {env.dan.mention} from rated play: asked for it",
    ):
        assert words in listed.text
    reply = await env.carol.slash("/server settings")
    assert f"**Barred from rated play:** {env.dan.mention}." in reply.text


async def test_the_settings_name_some_excluded_players_and_count_the_rest(env: Environment) -> None:
    guild = env.guild.id
    async with env.store.write() as tx:
        for number in range(23):
            await exclusions.exclude(tx, guild, 1000 + number, by=1, at=env.now())
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server settings")
    assert "<@1019> and 3 more people." in reply.text


async def test_an_exclusion_survives_deletion_and_is_in_the_export(env: Environment) -> None:
    await exclude(env, env.ben)
    copy = await data_copy(env, env.ben)
    assert [row["guild_id"] for row in copy["kept_out_of_rated_play"]] == [env.guild.id]
    assert "two accounts" in json.dumps(copy["moderation"])
    await env.app.get(Erasure).erase(env.ben.id)
    assert f"{CASUAL}, because {env.ben.mention}" in (await offered(env)).text
    listed = await env.carol.slash("/server audit")
    assert "barred a former player from rated play" in listed.text


async def test_no_one_is_excluded_in_direct_messages(env: Environment) -> None:
    await exclude(env, env.ben)
    env.world.remove_member(env.guild, env.world.bot)
    friends = env.channel("old friends")
    reply = await env.ann.slash(f"/{SLUG} challenge", channel=friends, opponent=env.ben)
    assert env.ben.mention in reply.text
    assert CASUAL not in reply.text


# ------------------------------------------------------------------ the whole server


async def test_a_server_without_ratings_says_so_and_rates_nothing(env: Environment) -> None:
    waiting = await offered(env, env.dan)
    message = await switch(env, "no")
    assert "off, all games are unrated" in message.text
    assert f"{CASUAL}, like every game on this server" in waiting.text
    challenge = await offered(env)
    assert f"{CASUAL}, like every game on this server" in challenge.text
    await env.done(env.ben.press(challenge, "Accept"))
    await env.restart()
    await resigned(env)
    assert await rated(env) == set()
    again = await switch(env, "yes")
    assert "games count" in again.text
    assert CASUAL not in waiting.text
    assert re.search(r"unrated\b", env.boards()[-1].text)


@pytest.mark.parametrize("how", ["rates nothing", "bars both"])
async def test_a_match_that_began_rated_counts_whatever_managers_do(
    env: Environment, how: str
) -> None:
    """So no manager who is losing one switches the ratings off for it."""
    await env.begin(SLUG)
    if how == "rates nothing":
        await switch(env, "no")
    else:
        for person in (env.ann, env.ben):
            await decided(env, "rated", by=env.ann, user=person, allowed=False)
    await resigned(env)
    assert await rated(env) == {env.ann.id, env.ben.id}


async def test_only_another_manager_lets_a_barred_manager_back_in(env: Environment) -> None:
    await exclude(env, env.ann)
    may_manage(env, env.ann)
    own = {"user": env.ann, "allowed": True}
    reply = await env.ann.slash("/server rated", options=own)
    assert "You can't let yourself back in" in reply.text
    await readmit(env, env.ann)
    await decided(env, "rated", by=env.ann, user=env.ann, allowed=False)
    await decided(env, "rated", by=env.ann, user=env.ann, allowed=True)


async def test_an_imported_record_is_never_rated(env: Environment) -> None:
    await env.begin(SLUG)
    await resigned(env)
    record = await exported(env.carol)
    before = await env.read(ratings.of_players, SLUG, [env.ann.id, env.ben.id])
    taken = await import_record(env.carol, file=file(record))
    assert "record i1" in taken.text
    after = await env.read(ratings.of_players, SLUG, [env.ann.id, env.ben.id])
    assert {user_id for scope, user_id in before if scope == EVERYWHERE} == {env.ann.id, env.ben.id}
    assert after == before
