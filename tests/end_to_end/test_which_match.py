"""A command about a match needs no number: the thread implies it, or a menu asks."""

from __future__ import annotations

import pytest

from bot.play.matches.service import Matches
from tests.end_to_end.harness import Environment


@pytest.mark.parametrize("command", ["replay", "board", "gif", "export"])
async def test_in_a_thread_no_command_needs_the_number_of_its_match(
    env: Environment, command: str
) -> None:
    await env.change_settings(threads=True)
    await env.begin("tablut")
    second = (await env.begin("tablut")).channel
    await env.play_a_while(2)
    reply = await env.carol.slash(f"/match {command}", channel=second)
    assert reply.message is not None
    assert "#2" in reply.text


async def test_a_finished_match_is_explained_and_verified_in_its_thread(env: Environment) -> None:
    await env.change_settings(threads=True)
    thread = (await env.begin("tablan")).channel
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.settled()
    assert "match #1" in (await env.ann.slash("/match verify", channel=thread)).text.lower()
    assert "#1" in (await env.carol.slash("/match analysis", channel=thread)).text
    assert "is already over" in (await env.ann.slash("/tablan resign", channel=thread)).text


async def test_if_several_matches_fit_a_menu_asks_and_the_command_continues(
    env: Environment,
) -> None:
    await env.begin("tablut")
    await env.begin("tablut")
    reply = await env.ann.slash("/tablut resign")
    assert reply.ephemeral
    assert reply.message is not None
    (menu,) = reply.message.menus
    assert [choice.value for choice in menu.options] == ["2", "1"]
    question = await env.ann.choose(reply.message, "1")
    assert question.ephemeral
    assert question.message is not None
    await env.ann.press(question.message, "Resign")
    await env.settled()
    assert (await env.app.get(Matches).view(1)).match.finished
    assert not (await env.app.get(Matches).view(2)).match.finished


async def test_a_typed_move_goes_to_the_chosen_match(env: Environment) -> None:
    board = await env.begin("tablut")
    await env.begin("tablut")
    mover = env.mover(board)
    if env.mover(env.board(2)) is not mover:
        await env.app.get(Matches).resign(2, env.ann.id)
        board = await env.begin("tablut")
    move = (await env.legal())[0]
    reply = await mover.slash("/tablut move", move=move)
    if reply.message is not None and reply.message.menus:
        await mover.choose(reply.message, "1")
    await env.settled()
    assert await env.ply(1) == 1


async def test_the_only_match_needs_no_number(env: Environment) -> None:
    await env.begin("tablut")
    assert "match #1" in (await env.ann.slash("/match replay")).text
    none = await env.carol.slash("/match replay")
    assert "no games to look at" in none.text
    reply = await env.ann.slash("/match replay", move=0)
    assert "match #1" in reply.text


async def test_the_match_is_asked_for_even_if_other_options_are_given(env: Environment) -> None:
    await env.begin("tablut")
    await env.begin("tablut")
    reply = await env.ann.slash("/match replay")
    assert reply.message is not None
    answer = await env.ann.choose(reply.message, "2")
    assert "match #2" in answer.text
    with_options = await env.ann.slash("/match replay", move=0)
    assert "Several games fit" in with_options.text


async def test_matches_to_verify_are_those_that_ended_with_throws_first(env: Environment) -> None:
    for slug in ("tablan", "tablut", "tablan", "tablut"):
        await env.begin(slug)
    matches = env.app.get(Matches)
    for number in (1, 2):
        await matches.resign(number, env.ann.id)
    await env.settled()
    offered = await env.ann.autocomplete("/match verify", "number", "")
    assert [(choice.name, choice.value) for choice in offered] == [
        ("#1 Tablan", 1),
        ("#2 Tablut", 2),
        ("#3 Tablan, still being played", 3),
        ("#4 Tablut, still being played", 4),
    ]
    reply = await env.ann.slash("/match verify")
    assert reply.message is not None
    (menu,) = reply.message.menus
    assert [choice.value for choice in menu.options][:2] == ["1", "2"]
    assert "The throws of match #1" in (await env.ann.choose(reply.message, "1")).text
    assert await env.ann.autocomplete("/match analysis", "number", "") == [], "none has a result"
