"""Two games with the sides swapped, played as one match, and draws by agreement."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from engine import registry
from engine.game import Seat
from engine.pair import MATCH
from playground.errors import Impossible
from playground.model import Message
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.verification import verify_match
from tests.swap import SLUG, dropped_in

PAIRED = [*(slug for slug, game in registry.games().items() if MATCH in game.options), SLUG]
LOOKED_AT = 6
"""Turns of each game played on boards."""
_SEATS = re.compile(r"(\w+) <@(\d+)> · (\w+) <@(\d+)>")

pytestmark = pytest.mark.usefixtures("swap_game")


def over(board: Message) -> bool:
    return not playable(board)


def sides(board: Message) -> dict[int, str]:
    found = _SEATS.search(board.text)
    assert found is not None, board.text
    return {int(found[2]): found[1], int(found[4]): found[3]}


async def second_game(env: Environment, dice: random.Random) -> Message:
    board = await env.hurry(dice, lambda position: position.state.swapped)
    assert "Second game of two" in (board.alt or "")
    return board


@pytest.mark.parametrize(("slug", "seed"), [*((slug, 0) for slug in PAIRED), (SLUG, 1)])
async def test_a_match_of_two_games_counts_once(env: Environment, slug: str, seed: int) -> None:
    dice = random.Random(f"two {slug} {seed}")
    board = await env.begin(slug, match="true")
    assert "Two games with sides swapped" in board.text
    first = sides(board)
    assert set(first) == {env.ann.id, env.ben.id}
    seen = Counter[bool]()
    while not over(board):
        if seen[True] == LOOKED_AT:
            board = await env.hurry(dice, lambda position: position.to_move is None)
            break
        if seen[False] == LOOKED_AT and not seen[True]:
            board = await second_game(env, dice)
        position = await env.position()
        second = "Second game of two" in (board.alt or "")
        assert (" · Second game of two, the " in board.text) == second
        assert (" · First game of two\n" in board.text) == (not second)
        seen[second] += 1
        assert second or "First game of two" in (board.alt or "")
        one, other = first
        now = {one: first[other], other: first[one]} if second else first
        assert sides(board) == now
        mover = env.mover(board)
        assert board.pinged == (mover.user,)
        assert f"your turn (**{now[mover.id]}**)" in board.text
        assert position.to_move is not None
        assert position.to_move.user_id == mover.id
        await env.turn(board, dice)
        board = env.board()
    assert set(seen) == {False, True}
    boards = env.boards()
    swapped = [shown for shown in boards if "The sides are swapped" in shown.text]
    assert 1 <= len(swapped) <= 2, "shown on the next board, and in the reply on the previous one"
    assert board.pinged == ()
    position = await env.position()
    assert position.outcome is not None
    table = (await env.carol.slash("/leaderboard", game=slug)).text
    if position.outcome.drawn:
        assert table.count("0 won · 1 drawn · 0 lost") == 2
    else:
        winner = position.match.players[position.outcome.ranks.index(1)].user_id
        assert re.search(rf"<@{winner}> · \d+ ± \d+ \? · 1 won · 0 drawn · 0 lost", table)
        assert f"<@{winner}>) won** against" in board.text
        assert "0 won · 0 drawn · 1 lost" in table
    record = await verify_match(env)
    assert '[Option "match=true"]' in record
    assert record.count("[Result ") == 1


@pytest.mark.parametrize("slug", PAIRED)
async def test_the_requested_side_is_played_in_the_first_game(env: Environment, slug: str) -> None:
    game = registry.game(slug)
    for name, other in (game.seat_names, game.seat_names[::-1]):
        offer = await env.challenge(slug, match="true", seat=name)
        assert f"wants to play {name.capitalize()}" in offer.text
        assert "Two games with sides swapped" in offer.text
        reply = await env.done(env.ben.press(offer.shown, "Accept"))
        number = re.search(r"(?i)match \[?#(\d+)", reply.text)
        assert number is not None
        shown = sides(env.board(int(number[1])))
        assert shown == {env.ann.id: name.capitalize(), env.ben.id: other.capitalize()}


@pytest.mark.parametrize("slug", PAIRED)
async def test_without_the_option_a_match_is_one_game(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    assert "Two games" not in board.text
    assert "game of two" not in (board.alt or "")
    dice = random.Random(slug)
    for _ in range(4):
        board = env.board()
        if over(board):
            break
        await env.turn(board, dice)
    end = await env.hurry(dice, lambda position: position.to_move is None)
    assert all("game of two" not in (shown.alt or "") for shown in env.boards())
    assert re.search(r"won\*\* against|A draw\*\* between", end.text)


@pytest.mark.parametrize("slug", PAIRED)
async def test_resigning_the_second_game_loses_the_match(env: Environment, slug: str) -> None:
    await env.begin(slug, match="true")
    dice = random.Random(slug)
    board = await second_game(env, dice)
    while await env.hardly_begun():
        await env.turn(env.board(), dice)
        board = env.board()
    side = sides(board)[env.ann.id]
    question = await env.ann.slash(f"/{slug} resign")
    await env.done(env.ann.press(question.shown, "Resign"))
    end = env.board()
    assert f"{side} resigned" in end.text
    assert f"**{sides(end)[env.ben.id]} ({env.ben.mention}) won**" in end.text
    for person, counted in ((env.ben, "1 won · 0 drawn · 0"), (env.ann, "0 won · 0 drawn · 1")):
        assert f"{counted} lost" in (await env.carol.slash("/profile", user=person)).text
    await verify_match(env)


@pytest.mark.parametrize("slug", PAIRED)
async def test_the_second_game_survives_a_restart(env: Environment, slug: str) -> None:
    await env.begin(slug, match="true")
    board = await second_game(env, random.Random(slug))
    before = sides(board)
    await env.restart()
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn(env.board(), random.Random(1))
    assert sides(env.board()) == before
    assert "Second game of two" in (env.board().alt or "")


def test_seats_are_named_by_the_side_they_play() -> None:
    with dropped_in() as game:
        start = game.initial({"match": "true"})
        assert [game.side(start, Seat(n)) for n in (0, 1)] == list(game.seat_names)


KNOWING = [
    *(slug for slug, game in registry.games().items() if game.agreed_draw is not None),
    SLUG,
]
OTHERS = [
    slug for slug, game in registry.games().items() if slug not in KNOWING and game.players[-1] == 2
]


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
    assert (await env.position()).to_move is not None


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


async def test_a_declined_offer_leaves_the_match_as_it_is(env: Environment) -> None:
    board = await env.begin("tablut")
    ply = await env.ply()
    offer = await offered(env, "tablut")
    assert f"{env.ben.mention} declined" in (await env.ben.press(offer, "Play on")).text
    assert not offer.buttons
    await env.settled()
    assert await env.ply() == ply
    assert env.board() is board
    assert board.buttons or board.menus
    await env.turn(board, random.Random(1))


async def test_an_offer_of_a_finished_match_is_answered(env: Environment) -> None:
    await env.begin("tablut")
    offer = await offered(env, "tablut")
    question = await env.ann.slash("/tablut resign")
    snapshot = offer.snapshot()
    await env.done(env.ann.press(question.shown, "Resign"))
    assert "over" in (await env.ben.press(snapshot, "Agree to a draw", stale=True)).private
    assert "over" in (await env.ann.slash("/tablut draw", match=1)).private
    assert "**No result**" in env.board().text


@pytest.mark.parametrize("slug", OTHERS)
async def test_games_without_agreed_draws_have_no_draw_command(env: Environment, slug: str) -> None:
    with pytest.raises(Impossible):
        await env.ann.slash(f"/{slug} draw")
