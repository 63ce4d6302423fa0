"""*More* below a board: everything that can be done in a match besides moving."""

from __future__ import annotations

import random

from bot.core.settings.service import SettingsStore
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import labels, more


async def test_a_player_sees_the_actions_available_now(env: Environment) -> None:
    board = await env.begin("tablut")
    mover, other = env.mover(board), env.other(board)
    message = await more(env, mover)
    everyone = ["Rules", "Replay"]
    own = ["Mute reminders", "Note", *everyone, "Try moves", "Offer a draw", "Resign"]
    assert labels(message) == own
    assert labels(await more(env, env.carol)) == everyone
    await env.turn(board, random.Random(1))
    assert labels(board) == []
    assert "More" in labels(env.board())
    assert "Take back" in labels(await more(env, mover))
    assert "Take back" not in labels(await more(env, other))


async def test_resigning_is_confirmed_in_the_same_private_message(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    menu = await more(env, env.ann)
    await env.ann.press(menu, "Resign")
    assert "counts as a loss" in menu.text
    assert labels(menu) == ["Resign", "Keep playing"]
    await env.done(env.ann.press(menu, "Resign"))
    assert (await env.view()).match.finished


async def test_a_draw_offer_is_public(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    offered = (await env.ann.press(await more(env, env.ann), "Offer a draw")).shown
    assert not offered.ephemeral
    assert offered.pinged == (env.ben.user,)
    await env.done(env.ben.press(offered, "Agree to a draw"))
    assert "A draw" in env.board().text


async def test_a_move_in_practice_is_taken_back_at_once(env: Environment) -> None:
    await env.done(env.ann.slash("/tablut practice", level=1))
    assert "Hint" in labels(await more(env, env.ann))
    await env.turn(env.board(), random.Random(1))
    assert await env.ply() >= 2
    before = await env.ply()
    reply = await env.done(env.ann.press(await more(env, env.ann), "Take back"))
    assert "taken back" in reply.text
    assert await env.ply() < before


async def test_a_board_can_be_turned(env: Environment) -> None:
    board = await env.begin("tablan")
    menus = [(one, await more(env, one, board)) for one in (env.ann, env.ben)]
    (flipped,) = [(one, menu) for one, menu in menus if "Flip the board" in labels(menu)]
    person, menu = flipped
    await person.press(menu, "Flip the board")
    assert menu.picture is not None
    assert (await env.app.get(SettingsStore).player(person.id)).turned


async def test_a_player_waiting_for_a_late_opponent_can_claim_the_win(env: Environment) -> None:
    board = await env.begin("tablut")
    await env.play_a_while()
    board = env.board()
    late, other = env.mover(board), env.other(board)
    assert "Claim" not in labels(await more(env, other))
    await env.advance(days=4)
    reply = await other.press(await more(env, other), "Claim")
    assert "Claim the win" in labels(reply.message) if reply.message else False
    assert "Claim" not in labels(await more(env, late))


async def test_more_on_an_old_board_and_after_the_end_is_answered(env: Environment) -> None:
    board = await env.begin("tablut")
    old = board.snapshot()
    await env.play_a_while()
    reply = await env.ann.press(old, "More", stale=True)
    assert "Resign" in labels(reply.message) if reply.message else False
    menu = await more(env, env.ann)
    await env.resign(env.ben)
    assert "over" in (await env.ann.press(menu, "Offer a draw")).text
    reply = await env.ann.press(old, "More", stale=True)
    assert labels(reply.shown) == ["Rematch", "Analysis", "Replay", "Try moves"]
