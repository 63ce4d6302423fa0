"""Which match a command is about, and the list of all open ones."""

from __future__ import annotations

import random
import re

import pytest
from sqlalchemy import update

from bot.play.matches.service import Matches
from data.matches.match import matches
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment, playable, receipt


async def two_matches(env: Environment) -> None:
    """Begin two matches of Ann and Ben in one channel, and one with Carol in another."""
    await env.begin(rules="walker")
    await env.begin(rules="bell")
    offered = (
        await env.carol.slash("/tablan challenge", channel="elsewhere", opponent=env.ann)
    ).shown
    await env.done(env.ann.press(offered, "Accept"))


def numbers(reply: Reply) -> list[str]:
    return [choice.value for menu in reply.shown.menus for choice in menu.options]


@pytest.mark.parametrize("command", ["replay", "board", "gif", "export"])
async def test_in_a_thread_no_command_needs_a_number(env: Environment, command: str) -> None:
    await env.change_settings(threads=True)
    await env.begin("tablut")
    second = (await env.begin("tablut")).channel
    await env.play_a_while(2)
    reply = (await env.carol.slash(f"/match {command}", channel=second)).shown
    assert "#2" in reply.text


async def test_a_finished_match_is_explained_and_verified_in_its_thread(env: Environment) -> None:
    await env.change_settings(threads=True)
    thread = (await env.begin("tablan")).channel
    await env.resign(env.ann)
    assert "match #1" in (await env.ann.slash("/match verify", channel=thread)).text.lower()
    assert "#1" in (await env.carol.slash("/match analysis", channel=thread)).text
    assert "is already over" in (await env.ann.slash("/tablan resign", channel=thread)).text


async def test_if_several_matches_fit_a_menu_asks_and_continues(env: Environment) -> None:
    await env.begin("tablut")
    await env.begin("tablut")
    reply = await env.ann.slash("/tablut resign")
    assert reply.ephemeral
    assert "Which game?" in reply.text
    assert numbers(reply) == ["2", "1"]
    question = (await env.ann.choose(reply.shown, "1")).shown
    assert question.ephemeral
    await env.done(env.ann.press(question, "Resign"))
    assert (await env.position()).match.finished
    assert not (await env.position(2)).match.finished


async def test_only_if_several_matches_fit_one_is_asked_for(env: Environment) -> None:
    await env.begin("tablut")
    assert "match #1" in (await env.ann.slash("/match replay")).text
    assert "no games to look at" in (await env.carol.slash("/match replay")).text
    assert "match #1" in (await env.ann.slash("/match replay", move=0)).text
    await env.begin("tablut")
    reply = (await env.ann.slash("/match replay")).shown
    assert "match #2" in (await env.ann.choose(reply, "2")).text
    assert "Several games fit" in (await env.ann.slash("/match replay", move=0)).text


async def test_matches_to_verify_are_those_that_ended_with_throws_first(env: Environment) -> None:
    for slug in ("tablan", "tablut", "tablan", "tablut"):
        await env.begin(slug)
    matches = env.app.get(Matches)
    for number in (1, 2):
        await matches.resign(number, env.ann.id)
    await env.settled()
    offered = await env.ann.autocomplete("/match verify", "number", "")
    assert [(choice.name, choice.value) for choice in offered] == [
        ("#1 Tablan · Ben", 1),
        ("#2 Tablut · Ben", 2),
        ("#3 Tablan, still being played · Ben", 3),
        ("#4 Tablut, still being played · Ben", 4),
    ]
    reply = await env.ann.slash("/match verify")
    assert numbers(reply)[:2] == ["1", "2"]
    assert "The throws of match #1" in (await env.ann.choose(reply.shown, "1")).text
    assert await env.ann.autocomplete("/match analysis", "number", "") == [], "none has a result"


async def test_two_matches_in_a_channel_do_not_mix(env: Environment) -> None:
    dice = random.Random(5)
    await two_matches(env)
    for _ in range(10):
        for number in (1, 2):
            await env.turn(env.board(number), dice)
        await env.turn(env.board(3, channel="elsewhere"), dice)
    for number in (1, 2):
        live = [b for b in env.boards(number) if playable(b)]
        assert live == [env.board(number)]
        assert f"Move {await env.move(number)}" in env.board(number).text


async def test_the_match_option_suggests_the_players_own_matches(env: Environment) -> None:
    await two_matches(env)
    offered = await env.ann.autocomplete("/tablan board", "match", "")
    assert {s.value for s in offered} == {1, 2, 3}
    some = await env.ann.autocomplete("/tablan board", "match", "2")
    assert [s.value for s in some] == [2]
    assert "your turn" in " ".join(s.name for s in offered)
    assert await env.dan.autocomplete("/tablan board", "match", "") == []


async def test_a_typed_move_applies_to_the_match_waiting_for_the_player(env: Environment) -> None:
    await two_matches(env)
    waiting = [n for n in (1, 2) if env.mover(env.board(n)) is env.ann]
    other = [n for n in (1, 2) if n not in waiting]
    number = (waiting or other)[0]
    reply = await env.ann.slash("/tablan move", move=(await env.legal(number))[0])
    if len(waiting) != 1:
        assert set(numbers(reply)) == {"1", "2"}
        reply = await env.ann.choose(reply.shown, str(number))
    if waiting:
        assert receipt(reply).startswith("Played.")
        await env.settled()
        assert await env.ply(number) > 0
    assert "match #3" in (await env.ann.slash("/tablan board", channel="elsewhere")).text
    assert "match #2" in (await env.ann.slash("/tablan board", match=2)).text


async def test_many_matches_fit_a_menus_limits(env: Environment) -> None:
    opponents = [env.playground.add_person(f"Guest {number}") for number in range(27)]
    for guest in opponents:
        guest.place = env.channel()
        await env.begin_between([env.ann, guest])
    assert len(await env.ann.autocomplete("/tablan board", "match", "")) == 25
    assert len(numbers(await env.ann.slash("/tablan board"))) == 25


async def listed(person: Person, **options: str) -> str:
    return (await person.slash("/games", options=options)).private


def order(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"^#(\d+) ", text, re.MULTILINE)]


async def test_a_player_without_matches_is_told_how_to_begin(env: Environment) -> None:
    assert "going" in await listed(env.ann)
    text = await listed(env.ann, game="tablut")
    assert "Tablut" in text
    assert "/tablut challenge" in text
    await env.begin("tablut")
    await env.resign(env.ann)
    assert "going" in await listed(env.ben)


async def test_a_players_turns_are_listed_first_with_links_to_the_boards(env: Environment) -> None:
    for _ in range(3):
        await env.begin("tablut")
    movers = {number: env.mover(env.board(number)) for number in (1, 2, 3)}
    text = await listed(env.ann)
    waiting = [number for number, mover in movers.items() if mover is env.ann]
    assert order(text)[: len(waiting)] == sorted(waiting, reverse=True)
    assert text.count("**your turn**") == len(waiting)
    for number in (1, 2, 3):
        assert f"/{env.board(number).id})" in text
    assert "going" in await listed(env.carol)
    of_game = (await env.ann.slash("/tablut games")).shown
    assert of_game.ephemeral
    assert of_game.text == text
    assert env.ben.mention in text
    assert of_game.pinged == ()


async def test_matches_of_all_servers_or_of_one_game_are_listed(env: Environment) -> None:
    await env.begin("tablut")
    await env.begin("tablan")
    async with env.store.write() as tx:
        await tx.run(update(matches).where(matches.c.id == 1).values(guild_id=77))
    assert sorted(order(await listed(env.ann))) == [1, 2]
    assert order(await listed(env.ann, game="tablan")) == [2]


async def test_pages_of_many_matches_work_after_a_restart(env: Environment) -> None:
    for _ in range(12):
        await env.begin("tablut")
    reply = (await env.ben.slash("/games")).shown
    first = order(reply.text)
    assert len(first) == 10
    await env.restart()
    await env.ben.press(reply, "Page 2")
    second = order(reply.text)
    assert len(second) == 2
    assert sorted([*first, *second]) == list(range(1, 13))
    await env.turn(env.board(1), random.Random(1))


@pytest.mark.parametrize("line", ["/match verify", "/tablan board"])
async def test_only_players_see_another_servers_match(env: Environment, line: str) -> None:
    await env.begin()
    world = env.world
    club = world.add_guild("Another Club", env.carol.user)
    den = world.add_channel(club, "den")
    for person in (env.ann, env.carol):
        world.add_member(club, person.user)
    world.invite_bot(club)
    option = "number" if line.startswith("/match") else "match"
    assert "match #1" in (await env.ann.slash(line, channel=den, options={option: 1})).text.lower()
    reply = (await env.carol.slash(line, channel=den, options={option: 1})).private
    assert reply == "There's no match #1 here."
