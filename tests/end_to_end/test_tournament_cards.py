"""What tells of a tournament: the boards and cards of its matches, and the buttons below its own."""

from __future__ import annotations

import random
import re

from bot.features.tournaments.entrants import Entrants
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.endings import Ending
from bot.play.matches.service import Matches
from playground.model import Message
from tests.end_to_end import ladders
from tests.end_to_end.harness import Environment
from tests.end_to_end.tournaments import (
    announcement,
    create,
    open_matches,
    people,
    play_out,
    play_round,
    posts,
    start,
    tournament_view,
)
from tests.moves import end


def _labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


def _link(env: Environment, message: Message) -> str:
    guild = env.guild.id
    return f"https://discord.com/channels/{guild}/{message.channel.id}/{message.id}"


def _cards(env: Environment, begin: str = "**Tablut · match #") -> list[Message]:
    return [
        message
        for message in env.channel("games").messages.values()
        if message.text.startswith(begin) and not message.deleted
    ]


async def test_the_boards_and_cards_of_a_match_lead_to_its_tournament(env: Environment) -> None:
    await env.change_settings(threads=True)
    message = await start(env, 2, rounds=1)
    named = f"[Winter Cup]({_link(env, message)}) · round 1"
    (card,) = _cards(env)
    thread = env.guild.threads[card.id]
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
        person.place = env.channel("elsewhere")
    await env.done(env.ann.slash("/match relocate", channel="elsewhere", number=1))
    await env.settled()
    boards = env.channel("elsewhere").messages.values()
    assert [one.text for one in boards if "match #1" in one.text]
    assert not any("Winter Cup" in one.text for one in boards)


async def test_the_board_of_a_ladder_match_leads_to_the_ladder(env: Environment) -> None:
    await env.change_settings(threads=False)
    post = await ladders.ladder(env, 2)
    await env.done(env.ben.slash("/ladder challenge", player=env.ann))
    await env.done(env.ann.press(ladders.call(env), "Accept"))
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
    assert "Leave" in _labels(reply.shown)


async def test_a_cup_says_who_goes_on_who_is_in_and_who_is_out_and_names_all_in_one_order(
    env: Environment,
) -> None:
    await env.change_settings(threads=True)
    message = await start(env, 4, format="knockout")
    await env.advance(seconds=31)
    first = await tournament_view(env)
    threads = env.guild.threads
    for table in first.current:
        one, two = (env.person(user) for user in table.games[0].seats)
        card = next(m for m in _cards(env) if f"#{table.games[0].match_id}**" in m.text)
        assert threads[card.id].name.startswith(f"{one.user.display} vs {two.user.display} · ")
        assert f"between {one.mention} and {two.mention}" in card.text
        assert f"{one.mention} – {two.mention}" in posts(env, message)[0].text
    left = first.current[0].players[1]
    asked = await env.person(left).slash("/tournament leave", channel="games")
    assert "You play no further rounds. Your open games go on." in asked.text
    await play_out(env, (await open_matches(env))[0], random.Random(3), moves=6)
    await env.settled()
    through = (await tournament_view(env)).standings
    text = (await env.ann.slash("/tournament standings", channel="games")).text
    lines = [line for line in text.split("\n") if line.startswith("**")]
    assert [line.endswith("still in") for line in lines] == [True, True, True, False]
    assert lines[3] == f"**4.** <@{through[3].user_id}> · out in the semi-final"
    assert " won" not in text
    assert "ahead of the next" not in text
    won = first.current[0].games[0].match_id
    assert won is not None
    board = env.board(won)
    thread = f"https://discord.com/channels/{env.guild.id}/{board.channel.id}"
    assert f"**[1–0]({thread})**" in _scores(posts(env, message)[0].text)
    winner = next(p for p in (await env.position(won)).match.players if p.rank == 1)
    on = f"<@{winner.user_id}> goes on to the final"
    assert board.text.count(on) == 1
    assert [on in one.text for one in _cards(env, "### ") if "Played in" in one.text] == [True]
    await play_round(env, random.Random(1), moves=6)
    (final,) = await open_matches(env)
    assert "goes on" not in env.board(final).text
    await play_round(env, random.Random(1), moves=6)
    first_place = (await tournament_view(env)).placed(1)
    assert f"<@{first_place[0]}> wins the tournament" in env.board(final).text
    await env.advance(seconds=31)


def _scores(text: str) -> str:
    """Return a text with each decisive score the winner's way."""
    return text.replace("[0–1]", "[1–0]")


async def test_nobody_goes_on_by_a_draw_by_a_final_without_a_game_or_after_leaving(
    env: Environment,
) -> None:
    await start(env, 2, format="knockout")
    (final,) = await open_matches(env)
    await env.resign(env.ann, final)
    assert (await tournament_view(env)).placed(1) == []
    assert "wins the tournament" not in env.board(final).text
    await start(env, 4, format="knockout", name="Other Cup")
    one, two = await open_matches(env, 2)
    for match in (one, two):
        await env.play_a_while(match, moves=3)
    winner, loser = (player.user_id for player in (await env.position(one)).match.players)
    await env.app.get(Entrants).leave(2, env.guild.id, winner)
    await env.resign(env.person(loser), one)
    drawn = await env.position(two)
    agreed = Ending({player.seat: 1 for player in drawn.match.players}, "agreed", "draw agreed")
    await end(env.app.get(Matches), drawn, agreed, drawn.match.players[0].user_id)
    env.app.get(OutboxWorker).wake(two)
    await env.settled()
    for match in (one, two):
        assert "goes on" not in env.board(match).text
    await env.advance(seconds=31)


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
    assert "×" not in text, "the picture has names, so nobody needs a table of numbers"
    await env.advance(seconds=31)


async def test_a_swiss_under_way_is_joined_late_until_its_last_round(env: Environment) -> None:
    message = await create(env, game="tablan", rounds=2)
    assert _labels(message) == ["Sign up", "Leave", "Manage", "Add a word…"]
    *others, late = people(env, 5)
    for person in others:
        await env.app.get(Entrants).join(1, env.guild.id, person.id, ())
    await env.done(env.ann.slash("/tournament start", channel="games"))
    assert _labels(message)[:2] == ["Join late", "Leave"]
    assert "from the next round" in (await late.press(message, "Join late")).text
    await play_round(env, random.Random(1))
    assert "Round 2 of 2" in announcement(env).text
    assert _labels(message) == ["Pairings", "Standings", "Manage"]
    await env.advance(seconds=31)
