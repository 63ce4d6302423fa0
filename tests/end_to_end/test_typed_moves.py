"""Typed moves: suggestions and refusals."""

from __future__ import annotations

import pytest

from bot.play.boards import board_text
from bot.play.matches import positions
from tests.end_to_end.harness import Environment, receipt
from tests.end_to_end.people import confirm


async def test_a_move_is_shown_however_many_throws_follow_it(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "TAIL", 1)
    await env.begin()
    followed = 0
    while followed < 3:
        ply = await env.ply()
        move = (await env.legal())[0]
        reply = await env.mover(env.board()).slash("/tablan move", move=move)
        assert receipt(reply).startswith("Played.")
        await env.settled()
        followed += await env.ply() > ply + 1


async def test_no_one_else_gets_suggestions(env: Environment) -> None:
    board = await env.begin()
    assert await env.carol.autocomplete("/tablan move", "move", "") == []
    assert await env.carol.autocomplete("/tablan move", "move", "", match=1) == []
    assert await env.other(board).autocomplete("/tablan move", "move", "k") == []


async def test_an_ambiguous_move_lists_its_meanings_and_one_press_plays(env: Environment) -> None:
    board = await env.begin("tablut")
    mover = env.mover(board)
    reply = (await mover.slash("/tablut move", move="f5")).shown
    assert reply.ephemeral
    assert "Which one do you mean?" in reply.text
    (menu,) = reply.menus
    assert menu.options[0].label == "Man f5 to f2"
    assert await env.ply() == 0
    played = await env.done(mover.choose(reply, menu.options[0].value))
    assert await env.ply() == 1
    assert receipt(played).startswith("Played.")


async def test_moving_out_of_turn_shows_whose_turn_it_is(env: Environment) -> None:
    board = await env.begin()
    reply = (await env.other(board).slash("/tablan move", move=(await env.legal())[0])).shown
    assert reply.ephemeral
    assert "not your turn" in reply.text
    assert reply.picture


async def test_finished_and_unknown_matches_are_refused(env: Environment) -> None:
    await env.begin()
    await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    assert "over" in (await env.ann.slash("/tablan move", move="k1-l2", match=1)).private
    assert "going" in (await env.ann.slash("/tablan move", move="k1-l2")).text
    assert "over" in (await env.ann.slash("/tablan resign", match=1)).text
    for line in ("/tablan board", "/tablan resign"):
        assert "no match #77" in (await env.ann.slash(line, match=77)).private
    assert "no match #77" in (await env.ann.slash("/tablan move", move="k1-l2", match=77)).text
    assert "no match #77" in (await env.ann.slash("/match verify", number=77)).text


async def test_a_stranger_can_view_a_match_but_not_change_it(env: Environment) -> None:
    await env.begin()
    reply = (await env.carol.slash("/tablan board", match=1)).shown
    assert reply.ephemeral
    assert reply.picture
    assert not reply.buttons
    assert "belongs to" in (await env.carol.slash("/tablan move", move="k1-l2", match=1)).text
    assert "don't play" in (await env.carol.slash("/tablan resign", match=1)).text


async def test_a_receipt_uses_the_boards_words(env: Environment) -> None:
    board = await env.begin()
    view = await env.view()
    move = view.game.legal_moves(view.state)[0]
    reply = await env.mover(board).slash("/tablan move", move=view.game.write(move))
    assert view.game.tell(view.state, move) in reply.text
    await env.settled()
    assert board_text.board(await env.view()).story
