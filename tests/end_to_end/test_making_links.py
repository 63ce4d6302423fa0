"""Who makes links that show a finished game, who sees and ends them, and what ends them by itself."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from yarl import URL

from bot.core.owner_decisions import OwnerDecisions
from bot.features.web.shares import MAX_MADE, ShareLinks
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    SLUG,
    begin_and_play,
    begin_in_thread,
    decided,
    delete_data,
    hide,
    resign_there,
)
from tests.end_to_end.shared_links import Visitor, finished, forged, made, offered


async def ordered(env: Environment, text: str) -> None:
    """Have the bot's owner order something."""
    owner = env.playground.person("Olive")
    owner.says(f"owner {text}", channel=owner.dm)
    await env.settled()
    await env.app.get(OwnerDecisions).work.idle()


# ------------------------------------------------------------------ who makes them


async def test_a_game_going_on_has_no_link(env: Environment, url: URL) -> None:
    await begin_and_play(env, SLUG)
    replay = (await env.ann.slash("/match replay", number="1")).shown
    assert "Share a link" not in [one.label for one in replay.buttons]
    reply = await forged(env, env.ann, "link-make:match:1:")
    assert "still being played" in reply.text


async def test_a_private_games_players_alone_share_it(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    thread = await begin_in_thread(env, private=True)
    await resign_there(env, thread)
    question = await offered(env.ann, "our corner")
    assert "only some people can see that" in question.text
    await visitor.page(await made(env, env.ann, "our corner"))
    replay = (await env.dan.slash("/match replay", channel="our corner", number="1")).shown
    refused = await env.dan.press(replay, "Share a link")
    assert "only its players can share it" in refused.text


async def test_who_cannot_see_a_game_gets_no_link_to_it(env: Environment, url: URL) -> None:
    await finished(env)
    hide(env, "games", env.carol)
    await env.settled()
    for address in ("link:match:1:", "link-make:match:1:", "link-make:analysis:1:"):
        reply = await forged(env, env.carol, address, channel="general")
        assert "no match #1" in reply.text


async def test_a_blocked_person_gets_no_link(env: Environment, url: URL) -> None:
    await finished(env)
    question = await offered(env.carol)
    await env.done(env.ben.slash("/block", user=env.carol))
    refused = await env.done(env.carol.press(question, "Make a link"))
    assert "You can't share this game." in refused.text


async def test_nobody_makes_links_without_end(env: Environment, url: URL) -> None:
    await finished(env)
    question = await offered(env.ann)
    shares = env.app.get(ShareLinks)
    for _ in range(MAX_MADE):
        await shares.make(env.ann.id, "match", 1, None, "en-US", people=())
    refused = await env.done(env.ann.press(question, "Make a link"))
    assert "limit" in refused.text


async def test_without_the_page_there_are_no_links(env: Environment) -> None:
    await finished(env)
    replay = (await env.ann.slash("/match replay", number="1")).shown
    assert "Share a link" not in [one.label for one in replay.buttons]
    reply = await forged(env, env.ann, "link-make:match:1:")
    assert "off" in reply.text


# ------------------------------------------------------------------ how they end


async def gone(visitor: Visitor, address: URL) -> bool:
    """Return whether a link shows nothing, in the way of one that never existed."""
    never = await visitor.get(address.with_path("/s/" + "A" * 22))
    now = await visitor.get(address)
    for part in ("picture.png", "boards/0"):
        status, _, _ = await visitor.get(
            address / part if part[0] == "p" else address / "boards" / "0"
        )
        assert (status == HTTPStatus.NOT_FOUND) is (now[0] == HTTPStatus.NOT_FOUND)
    return now[:2] == never[:2]


async def test_its_maker_ends_it(env: Environment, url: URL, visitor: Visitor) -> None:
    await finished(env)
    address = await made(env, env.carol)
    assert not await gone(visitor, address)
    question = await offered(env.carol)
    assert "1 link leads here so far" in question.text
    await env.done(env.carol.press(question, "End this link"))
    assert await gone(visitor, address)
    again = await forged(env, env.carol, "link-end:match:1:")
    assert "no link left to end" in again.text


async def test_any_player_ends_it_and_nobody_else(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    await forged(env, env.dan, "link-end:match:1:")
    assert not await gone(visitor, address)
    assert "so far" not in (await offered(env.dan)).text, "who made links is not told to others"
    question = await offered(env.ben)
    assert f"by {env.carol.mention}" in question.text
    await env.done(env.ben.press(question, "End this link"))
    assert await gone(visitor, address)


async def test_a_person_finds_and_ends_their_own_links(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    addresses = [await made(env, env.carol), await made(env, env.carol)]
    settings = (await env.carol.slash("/me settings")).shown
    listed = (await env.carol.press(settings, "2 shared links")).shown
    assert listed.text.count("match #1") == 2
    one = (await env.app.get(ShareLinks).of_user(env.carol.id))[0].id
    tried = await forged(env, env.dan, f"link-end:match:1:{one}")
    assert "no link left to end" in tried.text
    newest, older = await env.app.get(ShareLinks).of_user(env.carol.id)
    tried = await forged(env, env.dan, "link-pick", str(newest.id))
    assert "You have no links." in tried.text
    assert not await gone(visitor, addresses[1])
    await env.done(env.carol.choose(listed, str(older.id)))
    assert [await gone(visitor, one) for one in addresses] == [True, False]


@pytest.mark.parametrize("who", ["ann", "ben", "carol"])
async def test_it_goes_with_the_data_of_its_maker_and_of_any_player(
    env: Environment, url: URL, visitor: Visitor, who: str
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    await delete_data(env, getattr(env, who))
    await env.settled()
    assert await gone(visitor, address)
    await env.done(env.dan.slash("/match replay", number="1"))


async def test_it_is_closed_while_its_maker_or_server_is_blocked(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    guild = env.channel().guild
    assert guild is not None
    for what in (f"user {env.carol.id}", f"server {guild.id}"):
        await ordered(env, f"block {what} --reason spam --yes")
        assert await gone(visitor, address)
        await ordered(env, f"unblock {what.split()[1]}")
        assert not await gone(visitor, address)
    await ordered(env, f"block user {env.ben.id} --reason rude --yes")
    assert "Ben" not in await visitor.page(address), "nor is a blocked player named"


async def test_a_match_that_loses_its_result_is_shown_no_more(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    await decided(env, "void", match=1)
    assert await gone(visitor, address)
