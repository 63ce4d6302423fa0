"""Puzzles: found in finished matches, solved with buttons, and one a day for a server."""

from __future__ import annotations

import json

import pytest

from ai import puzzle_sets
from bot.core.settings.service import SettingsStore
from bot.play.matches.erasure import Erasure
from data.puzzles import puzzles
from data.store.store import Transaction
from engine import registry
from playground.model import Message
from playground.people import Person
from playground.permissions import Permission
from tests.data.schema import everything
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import labels, owners_letters
from tests.end_to_end.puzzles import (
    add_puzzles,
    answer_puzzle,
    ask_puzzle,
    daily_puzzles,
    open_daily_puzzle,
    puzzle_answers,
    turn_on_daily_puzzle,
)
from tests.routes import POST

pytestmark = pytest.mark.usefixtures("kernels", "no_shipped_puzzles")


async def test_without_puzzles_it_explains_where_they_come_from(env: Environment) -> None:
    assert "No puzzles yet" in (await env.ann.slash("/puzzle")).private
    of_game = (await env.ann.slash("/puzzle", options={"game": "tablut"})).private
    assert "No Tablut puzzles yet" in of_game
    assert "Try another game" in of_game


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_puzzle_can_be_solved_with_its_own_controls(env: Environment, slug: str) -> None:
    [solution] = await add_puzzles(env, slug)
    message = await ask_puzzle(env.ann, game=slug)
    assert message.picture is not None
    assert message.alt
    assert "One move is clearly best" in message.text
    assert "-# Goal: " in message.text
    assert "match #" not in message.text
    assert "<@" not in message.text
    await answer_puzzle(env, env.ann, message, solution)
    assert "✓ **Right:** " in message.text
    assert "Solved first time by 100 % (1 try)" in message.text
    assert "You: 1 of 1, first time" in message.text
    assert [button.label for button in message.buttons] == ["Next puzzle", "Share in channel"]


async def test_a_wrong_answer_can_be_corrected_but_only_the_first_counts(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env.ann)
    wrong = next(v for v in puzzle_answers(message) if v != solution)
    await answer_puzzle(env, env.ann, message, wrong)
    assert "Not that one. There's something better." in message.text
    await env.restart()
    await answer_puzzle(env, env.ann, message, solution)
    assert "✓" in message.text
    assert "Solved first time by 0 % (1 try)" in message.text
    assert "You: 0 of 1, first time" in message.text


async def test_showing_the_solution_counts_as_unsolved(env: Environment) -> None:
    await add_puzzles(env)
    message = await ask_puzzle(env.ann)
    await env.ann.press(message, "Show me")
    assert "**The best move:** " in message.text
    assert "0 of 1" in message.text


async def test_no_puzzle_is_repeated_until_all_were_seen(env: Environment) -> None:
    await add_puzzles(env, number=4)
    message = await ask_puzzle(env.ann)
    texts = [message.text.split("·")[0]]
    for _ in range(3):
        env.clock.advance(60)
        await env.ann.press(message, "Next puzzle")
        texts.append(message.text.split("·")[0])
    assert len(set(texts)) == 4
    env.clock.advance(60)
    await env.ann.press(message, "Next puzzle")
    assert message.text.split("·")[0] == texts[0]
    other = await ask_puzzle(env.ben)
    assert other.text.split("·")[0] == texts[0]


async def test_the_next_puzzle_is_of_the_requested_game_or_any(env: Environment) -> None:
    [solution] = await add_puzzles(env, "tablaaza")
    await add_puzzles(env, "tablut")
    message = await ask_puzzle(env.ann)
    await answer_puzzle(env, env.ann, message, solution)
    await env.ann.press(message, "Next puzzle")
    assert "Puzzle #2 · Tablut" in message.text
    message = await ask_puzzle(env.ben, game="tablaaza")
    await answer_puzzle(env, env.ben, message, solution)
    await env.ben.press(message, "Next puzzle")
    assert "Puzzle #1 · Tablaaza" in message.text


async def test_a_repeated_puzzle_says_that_it_does_not_count(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env.ann)
    assert "tried this one before" not in message.text
    await env.ann.press(message, "Next puzzle")
    assert "tried this one before" not in message.text
    await answer_puzzle(env, env.ann, message, solution)
    await env.ann.press(message, "Next puzzle")
    assert "You've tried this one before, so it won't count again." in message.text


async def test_answers_are_exported_and_deleted_with_a_players_data(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env.ann)
    await answer_puzzle(env, env.ann, message, solution)
    async with env.store.read() as tx:
        told = await everything(tx, env.ann.id)
        assert json.loads(json.dumps(told["puzzles"], default=str))[0]["puzzle_id"] == 1
    await env.app.get(Erasure).erase(env.ann.id)
    async with env.store.read() as tx:
        assert not any((await everything(tx, env.ann.id)).values())
        puzzle = await puzzles.get(tx, 1)
    assert puzzle is not None
    assert (puzzle.tried, puzzle.solved) == (1, 1)


async def test_the_same_position_is_one_puzzle(env: Environment) -> None:
    await add_puzzles(env)
    await add_puzzles(env)
    assert await env.read(Transaction.count, puzzles.puzzles.c.game.is_not(None)) == 1


async def solved(env: Environment, person: Person, post: Message, solution: str) -> Message:
    message = await open_daily_puzzle(env, person, post)
    await answer_puzzle(env, person, message, solution)
    assert "✓" in message.text
    return message


async def test_the_puzzle_comes_at_once_then_daily_never_twice(env: Environment) -> None:
    await add_puzzles(env, number=4)
    await turn_on_daily_puzzle(env)
    [first] = daily_puzzles(env)
    assert "### Puzzle of the day · Tablaaza" in first.text
    assert "One move is clearly best" in first.text
    assert first.picture
    assert first.alt
    assert [button.label for button in first.buttons] == ["Solve it"]
    assert first.pinged == ()
    assert f"{env.now():%H:%M}" == "20:26"
    await env.advance(hours=11, minutes=30)
    assert len(daily_puzzles(env)) == 1
    await env.restart()
    await env.advance(minutes=10)
    assert len(daily_puzzles(env)) == 2
    await env.restart()
    await env.advance(days=2)
    assert len(daily_puzzles(env)) == 4
    assert len({post.alt for post in daily_puzzles(env)}) == 4


async def test_the_solution_is_hidden_until_a_player_finds_it(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    before = await ask_puzzle(env.ben)
    await turn_on_daily_puzzle(env)
    [post] = daily_puzzles(env)
    assert solution not in post.text
    assert solution not in str([button.custom_id for button in post.buttons])
    assert "Show me" not in labels(await open_daily_puzzle(env, env.ann, post))
    # There is no other way to it, neither by its number nor by a puzzle opened before.
    assert "No puzzles yet" in (await env.carol.slash("/puzzle")).text
    for _ in range(2):
        reply = await env.ben.press(before, "Show me")
        assert "puzzle of the day" in reply.text
        assert solution not in reply.text
    message = await solved(env, env.ben, post, solution)
    assert "**1** has solved it here so far, 1 first time." in message.text


async def test_after_a_wrong_answer_the_puzzle_can_still_be_solved(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    await turn_on_daily_puzzle(env)
    [post] = daily_puzzles(env)
    message = await open_daily_puzzle(env, env.ann, post)
    wrong = next(v for v in puzzle_answers(message) if v != solution)
    await answer_puzzle(env, env.ann, message, wrong)
    assert "Keep trying" in message.text
    await answer_puzzle(env, env.ann, message, solution)
    assert "Your streak: 1 day." in message.text
    assert "**1** has solved it here so far, 0 first time." in message.text
    mine = await solved(env, env.ben, post, solution)
    assert "**2** have solved it here so far, 1 first time." in mine.text
    again = await env.ben.press(post, "Solve it")
    assert "✓" in again.text
    assert "**2** have solved it here so far, 1 first time." in again.text


async def test_the_next_puzzle_shows_streaks_and_how_many_solved_the_last(env: Environment) -> None:
    solutions = await add_puzzles(env, number=3)
    await turn_on_daily_puzzle(env)
    order = []
    for day in range(2):
        order.append(solutions[day])
        await solved(env, env.ann, daily_puzzles(env)[-1], solutions[day])
        if not day:
            message = await open_daily_puzzle(env, env.ben, daily_puzzles(env)[-1])
            wrong = next(v for v in puzzle_answers(message) if v != solutions[day])
            await answer_puzzle(env, env.ben, message, wrong)
        await env.advance(days=1)
    second, third = daily_puzzles(env)[1:]
    assert "Last time: solved by 1 of 2 people, 1 first time" in second.text
    assert "Streaks" not in second.text
    assert "Last time: solved by 1 of 1 person, 1 first time" in third.text
    assert f"Streaks: <@{env.ann.id}> 2" in third.text
    assert third.pinged == ()


async def test_private_profiles_have_no_public_streak(env: Environment) -> None:
    solutions = await add_puzzles(env, number=3)
    await turn_on_daily_puzzle(env)
    await env.change_player(env.ann, profile=False)
    for day in range(2):
        await solved(env, env.ann, daily_puzzles(env)[-1], solutions[day])
        await env.advance(days=1)
    assert "Streaks" not in daily_puzzles(env)[-1].text


async def test_an_old_puzzle_does_not_count_and_shows_its_solution(env: Environment) -> None:
    [first, _] = await add_puzzles(env, number=2)
    await turn_on_daily_puzzle(env)
    await env.advance(days=1)
    message = await open_daily_puzzle(env, env.ann, daily_puzzles(env)[0])
    assert "just for fun" in message.text
    assert "Show me" in [button.label for button in message.buttons]
    await answer_puzzle(env, env.ann, message, first)
    assert "streak" not in message.text


async def test_a_post_whose_reply_was_lost_is_found_much_later(env: Environment) -> None:
    await add_puzzles(env)
    env.faults.drop(POST, after=True)
    await turn_on_daily_puzzle(env)
    await env.down(hours=2)
    assert len(daily_puzzles(env)) == 1
    await env.advance(hours=1)
    assert len(daily_puzzles(env)) == 1
    message = await open_daily_puzzle(env, env.ann, daily_puzzles(env)[0])
    assert "One move is clearly best" in message.text


async def test_a_missing_permission_is_reported_once_and_posting_resumes(env: Environment) -> None:
    env.expected |= {403}
    await add_puzzles(env, number=3)
    env.forbid(Permission.ATTACH_FILES)
    await turn_on_daily_puzzle(env)
    await env.advance(hours=5)
    assert daily_puzzles(env) == []
    [message] = owners_letters(env)
    assert "puzzle of the day" in message.text
    assert "**Attach Files**" in message.text
    await env.advance(days=1)
    assert len(owners_letters(env)) == 1
    env.allow(Permission.ATTACH_FILES)
    await env.advance(hours=2)
    assert len(daily_puzzles(env)) == 1


async def test_the_log_channel_gets_the_report_if_there_is_one(env: Environment) -> None:
    env.expected |= {403}
    await add_puzzles(env)
    env.forbid(Permission.SEND_MESSAGES)
    await env.change_settings(log_channel=env.channel("elsewhere").id)
    await turn_on_daily_puzzle(env)
    [message] = env.channel("elsewhere").messages.values()
    assert "puzzle of the day" in message.text


async def test_a_deleted_channel_turns_the_puzzle_off_and_says_so(env: Environment) -> None:
    env.expected |= {404}
    await add_puzzles(env, number=3)
    await turn_on_daily_puzzle(env, "elsewhere")
    env.world.remove_channel(env.channel("elsewhere"))
    await env.advance(days=1)
    settings = await env.app.get(SettingsStore).server(env.guild.id)
    assert settings.puzzle_channel is None
    [message] = owners_letters(env)
    assert "was deleted" in message.text
    await env.advance(days=3)
    assert len(owners_letters(env)) == 1


async def test_turning_it_off_and_on_still_gives_one_puzzle_a_day(env: Environment) -> None:
    [solution, *_] = await add_puzzles(env, number=3)
    await turn_on_daily_puzzle(env)
    await env.change_settings(puzzle_channel=None)
    await turn_on_daily_puzzle(env)
    await turn_on_daily_puzzle(env, hour=23)
    await env.advance(hours=3)
    [post] = daily_puzzles(env)
    message = await solved(env, env.ann, post, solution)
    assert "Your streak: 1 day." in message.text
    await env.change_settings(puzzle_channel=None)
    await env.advance(days=2)
    assert len(daily_puzzles(env)) == 1
    assert "just for fun" in (await open_daily_puzzle(env, env.ben, post)).text


async def test_a_new_server_gets_the_shipped_puzzles_of_every_game(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.puzzles.puzzles.shipped", puzzle_sets.shipped)
    await turn_on_daily_puzzle(env)
    await env.advance(days=3, hours=13)
    titles = {post.text.split("\n")[0] for post in daily_puzzles(env)}
    assert titles == {
        f"### Puzzle of the day · {name}" for name in ("Tablan", "Tablut", "Tablaaza", "Thaayam")
    }
    assert "No puzzles yet" not in (await env.ann.slash("/puzzle")).text
