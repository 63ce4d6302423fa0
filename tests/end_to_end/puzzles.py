"""What people do with puzzles."""

from __future__ import annotations

import random

from bot.play.matches.advice import fingerprint
from data.puzzles import puzzles
from data.puzzles.puzzles import Puzzle
from engine import registry
from engine.game import CHANCE
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment

SLUG = "tablaaza"


async def add_puzzles(
    env: Environment,
    slug: str = SLUG,
    number: int = 1,
    *,
    expected: float = 0.8,
    margin: float = 0.3,
) -> list[str]:
    """Store puzzles whose solution is the first legal move; return their solutions."""
    game = registry.game(slug)
    options, state, dice = game.settle({}), game.initial(), random.Random(number)
    solutions: list[str] = []
    while len(solutions) < number:
        while game.actor(state) is CHANCE:
            state = game.after(state, dice.choice(game.legal_moves(state)))
        moves = game.legal_moves(state)
        solutions.append(game.write(moves[0]))
        async with env.store.write() as tx:
            found = {"expected": expected, "margin": margin}
            facts = (options, game.write_position(state), solutions[-1], found)
            puzzle = Puzzle(0, slug, *facts, fingerprint(game, state) or 0)
            await puzzles.add(tx, puzzle, env.now())
        state = game.after(state, moves[-1])
    return solutions


async def ask_puzzle(person: Person, **options: str) -> Message:
    reply = await person.slash("/puzzle", options=options)
    assert reply.ephemeral
    return reply.shown


def puzzle_answers(message: Message) -> dict[str, str]:
    """Return a puzzle's possible answers, each with the custom ID or value that chooses it."""
    offered = {choice.value: choice.value for menu in message.menus for choice in menu.options}
    for button in message.buttons:
        address = button.custom_id or ""
        if address.startswith("z:") and address.split(":", 3)[3]:
            offered[address.split(":", 3)[3]] = address
    return offered


async def answer_puzzle(env: Environment, person: Person, message: Message, notation: str) -> None:
    """Answer a puzzle with a move, step by step."""
    for _ in range(6):
        offered = puzzle_answers(message)
        fitting = [v for v in offered if notation.startswith(v.replace("|", ""))]
        value = offered[max(fitting, key=len)]
        await env.done(env.start_pick(message, person, value))
        if "✓" in message.text or "Not " in message.text:
            return


async def turn_on_daily_puzzle(env: Environment, channel: str = "games", hour: int = 8) -> None:
    place = env.channel(channel)
    await env.change_settings(puzzle_channel=place.id, puzzle_hour=hour)
    await env.settled()


def daily_puzzles(env: Environment, channel: str = "games") -> list[Message]:
    """Return the puzzles posted in a channel, oldest first."""
    here = env.channel(channel).messages.values()
    found = [m for m in here if "Puzzle of the day" in m.text and not m.ephemeral]
    return sorted(found, key=lambda message: message.id)


async def open_daily_puzzle(env: Environment, person: Person, post: Message) -> Message:
    reply = await env.done(person.press(post, "Solve it"))
    assert reply.ephemeral
    return reply.shown
