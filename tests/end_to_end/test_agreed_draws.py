"""Draws by agreement, in every game that allows them and in a test's own game."""

from __future__ import annotations

import random

import pytest

from engine import registry
from playground.errors import Impossible
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.verification import verify_match
from tests.swap import SLUG

KNOWING = [
    *(slug for slug, game in registry.games().items() if game.agreed_draw is not None),
    SLUG,
]
OTHERS = [
    slug for slug, game in registry.games().items() if slug not in KNOWING and game.players[-1] == 2
]

pytestmark = pytest.mark.usefixtures("swap_game")


async def offered(env: Environment, slug: str) -> Message:
    reply = await env.ann.slash(f"/{slug} draw")
    assert not reply.ephemeral
    return reply.shown


@pytest.mark.parametrize("slug", KNOWING)
async def test_only_the_opponent_can_accept_a_draw_offer(env: Environment, slug: str) -> None:
    await env.begin(slug)
    offer = await offered(env, slug)
    assert offer.pinged == (env.ben.user,)
    rule = registry.game(slug).agreed_draw
    assert f"(rule {rule})" in offer.text
    read = await env.ben.slash(f"/{slug} rules", number=rule)
    assert registry.game(slug).rule(rule or "").sentence in read.text
    assert [button.label for button in offer.buttons] == ["Play on", "Agree to a draw"]
    presses = [(env.carol, "Agree to a draw"), (env.carol, "Play on"), (env.ann, "Agree to a draw")]
    for person, label in presses:
        reply = (await person.press(offer, label)).private
        assert (env.ann.mention if person is env.carol else f"up to {env.ben.mention}") in reply
        assert offer.buttons
    assert "don't play" in (await env.carol.slash(f"/{slug} draw", match=1)).private
    assert f"{env.ann.mention} withdrew" in (await env.ann.press(offer, "Play on")).text
    assert not offer.buttons
    assert (await env.view()).to_move is not None


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_accepted_offer_ends_the_match_as_a_draw(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    offer = await offered(env, slug)
    assert "accepted" in (await env.ben.press(offer, "Agree to a draw")).text
    assert not offer.buttons
    await env.settled()
    assert not board.buttons
    assert not board.menus
    result = env.board()
    assert result is not board
    assert "**A draw** between" in result.text
    assert "draw agreed" in result.text
    assert result.pinged == ()
    for person in (env.ann, env.ben):
        assert "0 won · 1 drawn · 0 lost" in (await env.carol.slash("/profile", user=person)).text
    await verify_match(env)


@pytest.mark.parametrize("slug", KNOWING)
async def test_a_declined_offer_leaves_the_match_as_it_is(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    ply = await env.ply()
    offer = await offered(env, slug)
    assert f"{env.ben.mention} declined" in (await env.ben.press(offer, "Play on")).text
    assert not offer.buttons
    await env.settled()
    assert await env.ply() == ply
    assert env.board() is board
    assert board.buttons or board.menus
    await env.turn(board, random.Random(1))


@pytest.mark.parametrize("slug", KNOWING)
async def test_an_offer_of_a_finished_match_is_answered(env: Environment, slug: str) -> None:
    await env.begin(slug)
    offer = await offered(env, slug)
    question = await env.ann.slash(f"/{slug} resign")
    snapshot = offer.snapshot()
    await env.done(env.ann.press(question.shown, "Resign"))
    assert "over" in (await env.ben.press(snapshot, "Agree to a draw", stale=True)).private
    assert "over" in (await env.ann.slash(f"/{slug} draw", match=1)).private
    assert "**No result**" in env.board().text


@pytest.mark.parametrize("slug", OTHERS)
async def test_games_without_agreed_draws_have_no_draw_command(env: Environment, slug: str) -> None:
    with pytest.raises(Impossible):
        await env.ann.slash(f"/{slug} draw")
