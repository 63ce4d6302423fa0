"""Rematches where the bot answers only when used, and with more than two players."""

from __future__ import annotations

import random

import pytest

from engine import registry
from playground.app import GROUP
from playground.model import Channel, Message
from playground.people import Person
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import labels, message_of


async def given_up(env: Environment, by: Person, slug: str = "tablut", number: int = 1) -> Message:
    question = await by.slash(f"/{slug} resign", channel=GROUP, match=number)
    await env.done(by.press(question.shown, "Resign"))
    return env.board(number, channel=GROUP)


@pytest.mark.parametrize("how", ["Accept", "Rematch"])
async def test_a_rematch_in_a_group_is_played_there(env: Environment, how: str) -> None:
    await env.begin("tablut", channel=GROUP)
    last = await given_up(env, env.ann)
    reply = await env.ben.press(last, "Rematch")
    assert not reply.ephemeral
    answer = await env.done(env.ann.press(reply.shown if how == "Accept" else last, how))
    board = env.board(2, channel=GROUP)
    assert playable(board)
    assert board.pinged == (env.mover(board).user,)
    assert "match #2" in answer.text.lower()
    dice = random.Random(1)
    await env.play_until(dice, lambda one: one is not board, number=2, channel=GROUP)
    again = await env.carol.press(last, "Rematch")
    assert again.ephemeral
    assert not [one for one in env.requests_to("POST") if one.status == 403]


async def test_three_friends_find_each_other_in_a_group(env: Environment) -> None:
    offered = await env.ann.slash("/thaayam challenge", channel=GROUP, players=3)
    assert "Accept" in labels(offered.shown)
    for person in (env.ben, env.carol):
        await env.done(person.press(offered.shown, "Accept"))
    board = env.board(channel=GROUP)
    assert playable(board)
    await given_up(env, env.ben, "thaayam")
    last = await given_up(env, env.ann, "thaayam")
    reply = await env.carol.press(last, "Rematch")
    await env.ann.press(last, "Rematch")
    await env.done(env.ben.press(reply.shown, "Accept"))
    assert playable(env.board(2, channel=GROUP))


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_the_user_menu_challenges_a_friend_in_a_group(env: Environment, where: str) -> None:
    place = meeting_place(env, where)
    picked = message_of(
        await env.ann.user_command("Challenge to a game…", on=env.ben, channel=place)
    )
    await env.ann.choose(picked, "tablut")
    await env.done(env.ann.press(picked, "Challenge"))
    assert "is posted" in picked.text
    offered = last_message(env, place)
    await env.done(env.ben.press(offered, "Accept"))
    assert playable(last_message(env, place))


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_every_match_command_works_in_a_group(env: Environment, where: str) -> None:
    place = meeting_place(env, where)
    offered = await env.ann.slash("/tablut challenge", channel=place, opponent=env.ben)
    await env.done(env.ben.press(offered.shown, "Accept"))
    person = env.mover(last_message(env, place))
    other = env.ben if person is env.ann else env.ann
    for line, options in (
        ("/tablut board", {}),
        ("/tablut games", {}),
        ("/games", {}),
        ("/tablut since", {"match": 1}),
        ("/match replay", {"number": "1"}),
        ("/match gif", {"number": "1"}),
        ("/match board", {"number": "1", "as": "text"}),
        ("/match export", {"number": "1"}),
        ("/match verify", {"number": 1}),
    ):
        reply = await env.done(person.slash(line, channel=place, options=options))
        assert "1" in reply.text, line
        assert "no match" not in reply.text, line
        assert "went wrong" not in reply.text, line
    names = await person.autocomplete("/match replay", "number", "", channel=place)
    assert [name.value for name in names] == ["1"]
    await env.done(person.slash("/tablut move", channel=place, move="e7-h7"))
    offer = await person.slash("/tablut takeback", channel=place)
    await env.done(other.press(offer.shown, "Agree to take it back"))
    assert playable(last_message(env, place))


def meeting_place(env: Environment, where: str) -> Channel:
    world = env.world
    if where == "group":
        return env.channel(GROUP)
    if where == "direct":
        return world.dm_channel(env.ann.user, env.ben.user)
    elsewhere = world.add_guild("Elsewhere", world.application.owner)
    elsewhere.invites_bots = False
    lobby = world.add_channel(elsewhere, "lobby")
    for person in (env.ann, env.ben):
        world.add_member(elsewhere, person.user)
    return lobby


def last_message(env: Environment, place: Channel) -> Message:
    return [m for m in env.ann.sees(place) if not m.ephemeral][-1]


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_a_draw_agreed_in_a_group_shows_the_last_board(env: Environment, where: str) -> None:
    place = meeting_place(env, where)
    slug = next(slug for slug, game in registry.games().items() if game.agreed_draw)
    offered = await env.ann.slash(f"/{slug} challenge", channel=place, opponent=env.ben)
    await env.done(env.ben.press(offered.shown, "Accept"))
    offer = await env.ann.slash(f"/{slug} draw", channel=place)
    yes = next(b for b in offer.shown.buttons if (b.custom_id or "").endswith(":yes"))
    await env.done(env.ben.press(offer.shown, custom_id=yes.custom_id))
    assert labels(last_message(env, place)) == ["Rematch", "Analysis", "Replay", "Try moves"]
    assert "A draw" in last_message(env, place).text
