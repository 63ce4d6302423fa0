"""Leaving matches that have barely begun: the warning to players, and what moderators see."""

from __future__ import annotations

from bot.play.matches.scoring import MAX_ABORTS
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import may_manage


async def asked(env: Environment, number: int) -> Message:
    question = await env.ann.slash("/tablan resign", match=number)
    return question.shown


async def left(env: Environment, number: int) -> Message:
    await env.begin()
    question = await asked(env, number)
    text = question.text
    await env.done(env.ann.press(question, "Resign"))
    assert "nothing is counted" in text
    assert f"This is number {number}" in text
    return question


async def test_after_too_many_early_exits_the_next_is_announced_as_a_loss(env: Environment) -> None:
    for number in range(1, MAX_ABORTS + 1):
        await left(env, number)
        assert "**No result**" in env.board(number).text
    await env.begin()
    question = await asked(env, MAX_ABORTS + 1)
    assert f"You left {MAX_ABORTS} games this early" in question.text
    assert "counts as a loss" in question.text
    await env.done(env.ann.press(question, "Resign"))
    assert f"{env.ben.mention}) won**" in env.board(MAX_ABORTS + 1).text
    assert "hasn't finished a game" not in (await env.carol.slash("/profile", user=env.ann)).text


async def test_confirming_an_old_question_does_not_lose_the_match(env: Environment) -> None:
    """Both questions are asked while one more match may be left without a loss."""
    for number in range(1, MAX_ABORTS):
        await left(env, number)
    questions = []
    for number in (MAX_ABORTS, MAX_ABORTS + 1):
        await env.begin()
        questions.append(await asked(env, number))
    for question in questions:
        assert "nothing is counted" in question.text
    await env.done(env.ann.press(questions[0], "Resign"))
    assert "is a loss" in (await env.ann.press(questions[1], "Resign")).text
    assert (await env.view(MAX_ABORTS + 1)).to_move is not None


async def test_moderators_see_who_leaves_early(env: Environment) -> None:
    may_manage(env, env.carol)
    assert "Left early" not in (await env.carol.slash("/server audit")).text
    for number in (1, 2):
        await left(env, number)
    reply = await env.carol.slash("/server audit")
    assert f"in the last seven days: {env.ann.mention} 2" in reply.text
    reply = await env.carol.slash("/server rated", user=env.ann, allowed=False)
    assert f"{env.ann.mention} left 2 matches early here" in reply.text
    assert "left" not in (await env.carol.slash("/server rated", user=env.ben, allowed=False)).text
    await env.advance(days=7)
    assert "Left early" not in (await env.carol.slash("/server audit")).text
