"""Puzzles: found in finished matches, anonymous, and solved with buttons."""

from __future__ import annotations

import json

import pytest

from bot.features.settings.privacy import Privacy
from data.puzzles import puzzles
from engine import registry
from tests.data.schema import everything
from tests.end_to_end.harness import Environment
from tests.end_to_end.puzzles import add_puzzles, answer_puzzle, ask_puzzle, puzzle_answers

pytestmark = pytest.mark.usefixtures("kernels", "no_shipped_puzzles")


async def test_without_puzzles_it_explains_where_they_come_from(env: Environment) -> None:
    assert "No puzzles yet" in (await env.ann.slash("/puzzle")).private
    of_game = (await env.ann.slash("/puzzle", options={"game": "tablut"})).private
    assert "No Tablut puzzles yet" in of_game
    assert "Try another game" in of_game


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_puzzle_can_be_solved_with_its_own_controls(env: Environment, slug: str) -> None:
    [solution] = await add_puzzles(env, slug)
    message = await ask_puzzle(env, env.ann, game=slug)
    assert message.picture is not None
    assert message.alt
    assert "One move is clearly best" in message.text
    assert "match #" not in message.text
    assert "<@" not in message.text
    await answer_puzzle(env, env.ann, message, solution)
    assert f"✓ **{solution}** is right" in message.text
    assert "Solved first time by 100 % (1 try)" in message.text
    assert "You: 1 of 1, first time" in message.text
    assert [button.label for button in message.buttons] == ["Next puzzle"]


async def test_a_wrong_answer_can_be_corrected_but_only_the_first_counts(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env, env.ann)
    wrong = next(v for v in puzzle_answers(message) if v != solution)
    await answer_puzzle(env, env.ann, message, wrong)
    assert f"Not {wrong}." in message.text
    await env.restart()
    await answer_puzzle(env, env.ann, message, solution)
    assert "✓" in message.text
    assert "Solved first time by 0 % (1 try)" in message.text
    assert "You: 0 of 1, first time" in message.text


async def test_showing_the_solution_counts_as_unsolved(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env, env.ann)
    await env.ann.press(message, "Show me")
    assert f"The best move is **{solution}**" in message.text
    assert "0 of 1" in message.text


async def test_no_puzzle_is_repeated_until_all_were_seen(env: Environment) -> None:
    await add_puzzles(env, number=4)
    message = await ask_puzzle(env, env.ann)
    texts = [message.text.split("·")[0]]
    for _ in range(3):
        env.clock.advance(60)
        await env.ann.press(message, "Next puzzle")
        texts.append(message.text.split("·")[0])
    assert len(set(texts)) == 4
    env.clock.advance(60)
    await env.ann.press(message, "Next puzzle")
    assert message.text.split("·")[0] == texts[0]
    other = await ask_puzzle(env, env.ben)
    assert other.text.split("·")[0] == texts[0]


async def test_the_next_puzzle_is_of_the_requested_game_or_any(env: Environment) -> None:
    [solution] = await add_puzzles(env, "tablaaza")
    await add_puzzles(env, "tablut")
    message = await ask_puzzle(env, env.ann)
    await answer_puzzle(env, env.ann, message, solution)
    await env.ann.press(message, "Next puzzle")
    assert "Puzzle #2 · Tablut" in message.text
    message = await ask_puzzle(env, env.ben, game="tablaaza")
    await answer_puzzle(env, env.ben, message, solution)
    await env.ben.press(message, "Next puzzle")
    assert "Puzzle #1 · Tablaaza" in message.text


async def test_a_repeated_puzzle_says_that_it_does_not_count(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env, env.ann)
    assert "tried this one before" not in message.text
    await env.ann.press(message, "Next puzzle")
    assert "tried this one before" not in message.text
    await answer_puzzle(env, env.ann, message, solution)
    await env.ann.press(message, "Next puzzle")
    assert "You've tried this one before, so it won't count again." in message.text


async def test_answers_are_exported_and_deleted_with_a_players_data(env: Environment) -> None:
    [solution] = await add_puzzles(env)
    message = await ask_puzzle(env, env.ann)
    await answer_puzzle(env, env.ann, message, solution)
    async with env.store.read() as tx:
        told = await everything(tx, env.ann.id)
        assert json.loads(json.dumps(told["puzzles"], default=str))[0]["puzzle_id"] == 1
    await env.app.get(Privacy).erase(env.ann.id)
    async with env.store.read() as tx:
        assert not any((await everything(tx, env.ann.id)).values())
        puzzle = await puzzles.get(tx, 1)
    assert puzzle is not None
    assert (puzzle.tried, puzzle.solved) == (1, 1)


async def test_the_same_position_is_one_puzzle(env: Environment) -> None:
    await add_puzzles(env)
    await add_puzzles(env)
    assert await env.read(puzzles.count, registry.games()) == 1
