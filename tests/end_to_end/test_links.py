"""What says that a game is on leads to its board."""

from __future__ import annotations

from bot.core.i18n.mentions import message_link
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, finish, message_of


def address(env: Environment, message: Message) -> str:
    return message_link(env.playground.guild.id, env.channel().id, message.id)


async def test_a_challenge_links_to_the_board_of_its_match(env: Environment) -> None:
    offered = await env.challenge()
    await env.done(env.ben.press(offered.shown, "Accept"))
    assert f"Match [#1]({address(env, env.board())}) is on." in message_of(offered).text


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
    old = message_of(offered).snapshot()
    await env.done(env.ben.press(offered.shown, "Accept"))
    late = await env.done(env.ben.press(old, "Accept", stale=True))
    assert "It's match #1 now." in late.text
    assert address(env, env.board()) in late.text
