"""Where the bot answers only when used: among friends, and in servers without it."""

from __future__ import annotations

import random

import pytest

from bot.play.matches.service import Matches
from engine import registry
from playground.app import GROUP
from playground.errors import Impossible
from playground.model import Channel, Message
from playground.people import Person
from tests.end_to_end.harness import Environment, playable, unlinked
from tests.end_to_end.people import labels
from tests.moves import play


@pytest.mark.parametrize("slug", list(registry.games()))
async def test_each_game_is_played_in_a_group_without_the_bot(env: Environment, slug: str) -> None:
    dice = random.Random(4)
    first = await env.begin(slug, channel=GROUP)
    assert playable(first)
    called = env.mover(first)
    second = await env.play_until(
        dice, lambda board: board is not first and env.mover(board) is not called, channel=GROUP
    )
    assert not playable(first), "the previous board has lost its controls"
    assert second.pinged == (env.mover(second).user,), "the player to move is pinged"
    assert not [one for one in env.requests_to("POST") if one.status == 403], (
        "no forbidden request is tried"
    )


async def test_three_friends_play_together(env: Environment) -> None:
    dice = random.Random(1)
    first = await env.begin("thaayam", players=3, channel=GROUP)
    movers = {env.mover(first)}

    def all_have_played(board: object) -> bool:
        movers.add(env.mover(env.board(channel=GROUP)))
        return len(movers) == 3

    await env.play_until(dice, all_have_played, channel=GROUP)


async def test_a_groups_match_is_for_those_in_it(env: Environment) -> None:
    refused = await env.ann.slash("/tablut challenge", channel=GROUP, opponent=env.dan)
    assert "isn't here" in refused.private
    for options in ({}, {"opponent": env.ben}):
        refused = await env.ann.slash("/tablut challenge", channel=env.ann.dm, options=options)
        assert "nobody else here" in refused.private
    await env.begin("tablut", channel=GROUP)
    for command in ("replay", "analysis"):
        reply = await env.dan.slash(f"/match {command}", channel="games", number="1")
        assert "There's no match #1 here." in reply.private


async def test_friends_without_the_bot_can_play_with_buttons(env: Environment) -> None:
    dice = random.Random(2)
    env.ben.user.installed = False
    await env.begin("tablut", channel=GROUP)
    with pytest.raises(Impossible):
        await env.ben.slash("/tablut board", channel=GROUP)
    await env.play_until(dice, lambda _: len(env.boards(channel=GROUP)) == 5, channel=GROUP)


async def test_follow_ups_to_an_interaction_stay_within_discords_limit(env: Environment) -> None:
    """Discord refuses further follow-ups, and the environment then fails the test at its end."""
    dice = random.Random(1)
    await env.begin("tablut", channel=GROUP)
    await env.ann.slash("/tablut board", match=1, channel=GROUP)
    matches = env.app.get(Matches)
    for _ in range(10):
        position = await matches.position(1)
        assert position.to_move is not None
        text = position.game.write(dice.choice(position.game.legal_moves(position.state)))
        await play(matches, 1, position.to_move.user_id, text)
        await env.settled()
    assert len(env.boards(channel=GROUP)) < 10, "only interactions can post there"
    await env.done(env.ann.slash("/tablut board", match=1, channel=GROUP))
    assert playable(env.board(channel=GROUP))


async def test_boards_offers_and_answers_work_in_the_group(env: Environment) -> None:
    first = await env.begin("tablut", channel=GROUP)
    person = env.mover(first)
    await env.restart()
    assert env.boards(channel=GROUP) == [first]
    env.playground.messages.delete(first)
    await env.done(person.slash("/tablut board", channel=GROUP))
    assert playable(env.board(channel=GROUP)), "a deleted board comes back"
    offer = (await env.ann.slash("/tablut draw", channel=GROUP)).shown
    assert (await env.done(person.slash("/tablut move", channel=GROUP, move="e7-h7"))).error is None
    assert playable(env.board(channel=GROUP))
    assert not offer.buttons
    assert "lapsed: a move was made" in offer.text
    await given_up(env, person)
    assert not playable(env.board(channel=GROUP))


async def test_deadlines_are_announced_privately_if_nothing_can_be_posted(env: Environment) -> None:
    first = await env.begin("tablut", channel=GROUP)
    called = env.mover(first)
    await env.advance(days=2, hours=23)
    assert any("#1" in message.text for message in called.sees(called.dm)), "the reminder"
    await env.advance(days=1)
    other = env.ben if called is env.ann else env.ann
    assert any("#1" in message.text for message in other.sees(other.dm)), "the claim"


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
    assert "match #2" in unlinked(answer.text).lower()
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
    picked = (await env.ann.user_command("Challenge to a game…", on=env.ben, channel=place)).shown
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
    boards = [m for m in env.ann.sees(place) if m.attachments and not m.ephemeral]
    await env.done(person.slash("/tablut move", channel=place, move="e7-h7"))
    now = [m for m in env.ann.sees(place) if m.attachments and not m.ephemeral]
    assert len(now) == len(boards) + 1
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
