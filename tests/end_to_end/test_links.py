"""What says that a game is on leads to its board."""

from __future__ import annotations

import pytest

from bot.core.i18n.mentions import message_link
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import call, challenge, ladder, post
from tests.end_to_end.people import SLUG, begin_and_play, finish, form_of, submit


def address(env: Environment, message: Message) -> str:
    return message_link(env.guild.id, env.channel().id, message.id)


async def test_a_challenge_links_to_the_board_of_its_match(env: Environment) -> None:
    offered = await env.challenge()
    await env.done(env.ben.press(offered.shown, "Accept"))
    assert f"Match [#1]({address(env, env.board())}) is on." in offered.shown.text


async def test_play_says_where_the_game_is(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "tablut", menu=0)
    await env.done(env.ann.press(opened, "Play the computer"))
    (board,) = env.boards()[:1]
    assert opened.text == f"[Your game is on]({address(env, board)})."


async def test_a_rematch_says_where_it_is(env: Environment) -> None:
    await env.begin()
    last = await finish(env, env.ann)
    await env.done(env.ann.press(last, "Rematch"))
    reply = await env.done(env.ben.press(last, "Rematch"))
    assert f"is on: match [#2]({address(env, env.board(2))})." in reply.text


async def test_a_reminder_leads_to_the_board(env: Environment) -> None:
    await begin_and_play(env)
    board = env.board()
    await env.advance(days=2, hours=6)
    (reminder,) = [m for m in env.channel().messages.values() if "your turn in match" in m.text]
    assert f"in match [#1]({address(env, board)})" in reminder.text


async def test_a_late_press_on_an_accepted_challenge_shows_the_board(env: Environment) -> None:
    offered = await env.challenge()
    old = offered.shown.snapshot()
    await env.done(env.ben.press(offered.shown, "Accept"))
    late = await env.done(env.ben.press(old, "Accept", stale=True))
    assert "It's match #1 now." in late.text
    assert address(env, env.board()) in late.text


@pytest.mark.parametrize("threads", [False, True])
async def test_an_accepted_ladder_challenge_leads_to_its_board(
    env: Environment, *, threads: bool
) -> None:
    await env.change_settings(threads=threads)
    await ladder(env, 2)
    await challenge(env, env.ben, env.ann)
    answer = (await env.done(env.ann.press(call(env), "Accept"))).private
    board = env.board()
    link = message_link(env.guild.id, board.channel.id, board.id)
    assert f"Accepted: match [#1]({link})." in answer
    mine = (await env.ben.press(post(env), "My place")).text
    assert f"match [#1]({link})" in mine


async def test_a_word_that_accepts_a_ladder_challenge_leads_to_its_board(env: Environment) -> None:
    await ladder(env, 2, game="tablan")
    await challenge(env, env.ben, env.ann)
    form = await form_of(env.ann, call(env, title="Tablan"))
    answer = await submit(env, env.ann, form, "luck")
    assert f"Accepted: match [#1]({address(env, env.board())})." in answer.text


async def test_private_answers_that_name_a_match_lead_to_it(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    link = address(env, env.board())
    followed = await env.carol.slash("/watch", match=1)
    assert f"match [#1]({link})" in followed.text
    player = env.mover(env.board())
    asked = await player.slash(f"/{SLUG} resign")
    assert f"Match [#1]({link}) goes on." in (await player.press(asked.shown, "Keep playing")).text
