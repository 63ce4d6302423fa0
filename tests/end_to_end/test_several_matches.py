"""Several matches at once, in one channel and for one player."""

from __future__ import annotations

import random

from playground.reply import Reply
from tests.end_to_end.harness import Environment, playable, receipt
from tests.end_to_end.people import confirm


async def two_matches(env: Environment) -> None:
    """Begin two matches of Ann and Ben in one channel, and one with Carol in another."""
    await env.begin(rules="walker")
    await env.begin(rules="bell")
    await confirm(
        env,
        env.ann,
        await env.carol.slash("/tablan challenge", channel="elsewhere", opponent=env.ann),
        "Accept",
    )


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


def numbers(reply: Reply) -> set[str]:
    """Return the matches that a menu lets a person choose from."""
    assert reply.message is not None
    return {choice.value for menu in reply.message.menus for choice in menu.options}


async def test_a_command_that_could_mean_several_matches_lists_them(env: Environment) -> None:
    await two_matches(env)
    for line in ("/tablan board", "/tablan resign"):
        reply = await env.ann.slash(line)
        assert reply.ephemeral
        assert "Which game?" in reply.text
        assert numbers(reply) == {"1", "2"}
    one = await env.ann.slash("/tablan board", channel="elsewhere")
    assert "match #3" in one.text
    answer = await env.ann.slash("/tablan board", match=2)
    assert "match #2" in answer.text


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
    move = (await env.legal((waiting or other)[0]))[0]
    reply = await env.ann.slash("/tablan move", move=move)
    if len(waiting) == 1:
        assert receipt(reply).startswith("Played.")
    else:
        assert numbers(reply) == {"1", "2"}


async def test_games_lists_the_players_matches_with_links_their_turn_first(
    env: Environment,
) -> None:
    none = await env.dan.slash("/tablan games")
    assert none.ephemeral
    assert "going" in none.text
    await two_matches(env)

    reply = await env.ann.slash("/tablan games")

    lines = [line for line in reply.text.splitlines() if line.startswith("#") and line[1] != "#"]
    assert len(lines) == 3
    mine = ["your turn" in line for line in lines]
    assert mine == sorted(mine, reverse=True)
    for number in (1, 2):
        board = env.board(number)
        line = next(line for line in lines if line.startswith(f"#{number} "))
        assert f"/{board.channel.id}/{board.id}" in line
        assert env.ben.mention in line
    assert reply.message is not None
    assert reply.message.pinged == ()


async def test_many_matches_fit_a_menus_limits(env: Environment) -> None:
    opponents = [env.playground.add_person(f"Guest {number}") for number in range(27)]
    for guest in opponents:
        guest.place = env.playground.channel("games")
        await env.begin_between([env.ann, guest])
    assert len(await env.ann.autocomplete("/tablan board", "match", "")) == 25
    reply = await env.ann.slash("/tablan games")
    assert len(reply.text) <= 4000
    answer = await env.ann.slash("/tablan board")
    assert len(numbers(answer)) == 25
