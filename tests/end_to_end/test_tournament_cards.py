"""What tells of a tournament: the boards and cards of its matches, and the buttons below its own."""

from __future__ import annotations

import random
import re

from bot.features.tournaments.entrants import Entrants
from playground.model import Message
from tests.end_to_end import ladders
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import message_of
from tests.end_to_end.tournaments import announcement, create, people, play_round, start


def _labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


def _link(env: Environment, message: Message) -> str:
    guild = env.playground.guild.id
    return f"https://discord.com/channels/{guild}/{message.channel.id}/{message.id}"


def _cards(env: Environment, begin: str = "**Tablut · match #") -> list[Message]:
    return [
        message
        for message in env.playground.channel("games").messages.values()
        if message.text.startswith(begin) and not message.deleted
    ]


async def test_the_boards_and_cards_of_a_match_lead_to_its_tournament(env: Environment) -> None:
    await env.change_settings(threads=True)
    message = await start(env, 2, rounds=1)
    named = f"[Winter Cup]({_link(env, message)}) · round 1"
    (card,) = _cards(env)
    thread = env.playground.guild.threads[card.id]
    (board,) = thread.messages.values()
    asked = await env.ann.slash("/tablut board", channel="games")
    assert card.text.endswith(f"\n-# {named}")
    assert named in board.text
    assert named in asked.text
    await play_round(env, random.Random(1))
    await env.advance(seconds=31)
    told = [
        one
        for one in _cards(env, "### ")
        if "Played in" in one.text and "wins [Winter Cup]" not in one.text
    ]
    assert [named in one.text for one in told] == [True]
    assert all(named in one.text for one in thread.messages.values() if "### Tablut" in one.text)


async def test_a_match_that_was_moved_keeps_its_tournament_to_itself(env: Environment) -> None:
    await env.change_settings(threads=False)
    await start(env, 2, rounds=1)
    for person in (env.ann, env.ben):
        person.place = env.playground.channel("elsewhere")
    await env.done(env.ann.slash("/match relocate", channel="elsewhere", number=1))
    await env.settled()
    boards = env.playground.channel("elsewhere").messages.values()
    assert [one.text for one in boards if "match #1" in one.text]
    assert not any("Winter Cup" in one.text for one in boards)


async def test_the_board_of_a_ladder_match_leads_to_the_ladder(env: Environment) -> None:
    await env.change_settings(threads=False)
    post = await ladders.ladder(env, 2)
    await env.ben.slash("/ladder challenge", player=env.ann)
    await env.settled()
    await env.ann.press(ladders.call(env), "Accept")
    await env.settled()
    (board,) = _cards(env, "### Tablut · match #")
    assert f"-# [Tablut ladder]({_link(env, post)})" in board.text


async def test_a_round_robin_under_way_offers_its_waiting_list_until_the_last_round(
    env: Environment,
) -> None:
    message = await start(env, 4, format="round-robin")
    assert _labels(message)[:2] == ["Waiting list", "Leave"]
    for number in (1, 2):
        assert f"Round {number} of 3" in announcement(env).text
        await play_round(env, random.Random(number))
    assert "Round 3 of 3" in announcement(env).text
    assert _labels(message) == ["Pairings", "Standings", "Manage"]


async def test_a_knockout_under_way_has_no_waiting_list_as_no_show_is_out_of_it(
    env: Environment,
) -> None:
    message = await start(env, 4, format="knockout")
    assert _labels(message)[:1] == ["Leave"]
    assert "Waiting list" not in _labels(message)
    late = people(env, 5)[-1]
    told = await late.slash("/tournament join", channel="games")
    assert "in case a player is replaced" in told.text
    await play_round(env, random.Random(1))
    assert "**Final**" in announcement(env).text
    assert _labels(message) == ["Pairings", "Standings", "Manage"]
    reply = await env.ann.slash("/tournament leave", channel="games")
    assert "Leave" in _labels(message_of(reply))


async def test_only_a_tie_on_points_shows_tie_breaks_and_explains_them(
    env: Environment,
) -> None:
    await start(env, 3, rounds=1)
    await play_round(env, random.Random(1))
    text = (await env.ann.slash("/tournament standings", channel="games")).text
    winner, idle, loser = re.findall(r"\*\*\d\.\*\* .*", text)
    assert "1 lost" in loser
    lines = text.split("\n")
    assert "Sonneborn-Berger" in lines[lines.index(winner) + 1]
    assert "Sonneborn-Berger" in lines[lines.index(idle) + 1]
    assert "Sonneborn-Berger" not in lines[lines.index(loser) + 1]
    assert "-# Buchholz: the sum of your opponents' points." in lines
    await env.advance(seconds=31)


async def test_a_swiss_under_way_is_joined_late_until_its_last_round(env: Environment) -> None:
    message = await create(env, game="tablan", rounds=2)
    assert _labels(message) == ["Sign up", "Leave", "Manage", "Add a word…"]
    *others, late = people(env, 5)
    for person in others:
        await env.app.get(Entrants).join(1, env.playground.guild.id, person.id, ())
    await env.ann.slash("/tournament start", channel="games")
    await env.settled()
    assert _labels(message)[:2] == ["Join late", "Leave"]
    assert "from the next round" in (await late.press(message, "Join late")).text
    await play_round(env, random.Random(1))
    assert "Round 2 of 2" in announcement(env).text
    assert _labels(message) == ["Pairings", "Standings", "Manage"]
    await env.advance(seconds=31)
