"""There is no advice on a position in play, by any route."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from bot.core.errors import NotAllowed
from bot.core.workers.task_queue import TaskRunner
from bot.features.analysis.service import Analyses
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches import advice
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.replays.replay import Replays
from data.puzzles import analyses, puzzles
from data.puzzles.puzzles import Puzzle
from data.puzzles.puzzles import puzzles as puzzles_table
from data.ratings import results
from data.store.store import Store
from engine import registry
from playground.people import Person
from tests.bot.core.workers import tasks
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import ask_takeback, confirm, practise
from tests.end_to_end.puzzles import (
    answer_puzzle,
    ask_puzzle,
    daily_puzzles,
    open_daily_puzzle,
    puzzle_answers,
    turn_on_daily_puzzle,
)
from tests.end_to_end.records import (
    analyse_record,
    analysis_of,
    exported,
    file,
    forged,
    import_record,
)
from tests.moves import play, play_on

pytestmark = pytest.mark.usefixtures("kernels")

SLUG = "tablut"
PLIES = 2 * advice.OPENING + 4
"""Number of moves that take a Tablut match two moves past its opening."""
REFUSED = "Others are playing"
EASED = "The computer played below its level"


def line(plies: int = PLIES) -> list[str]:
    """Return a line of Tablut whose last four moves also work in another order."""
    game = registry.game(SLUG)
    for seed in range(1000):
        dice, state = random.Random(seed), game.initial()
        log: list[str] = []
        while len(log) < plies:
            moves = [game.write(move) for move in game.legal_moves(state)]
            log.append(dice.choice(moves))
            state = game.after(state, game.read(state, log[-1]))
        if transposed(log) is not None:
            return log
    raise AssertionError("no such line")


def transposed(log: list[str]) -> list[str] | None:
    """Return a log with its last two pairs of moves swapped, if it leads to the same position."""
    game = registry.game(SLUG)
    other = [*log[:-4], *log[-2:], *log[-4:-2]]
    one = another = game.initial()
    for text, swapped in zip(log, other, strict=True):
        if game.outcome(one) or game.outcome(another):
            return None
        one = game.after(one, game.read(one, text))
        if swapped not in [game.write(move) for move in game.legal_moves(another)]:
            return None
        another = game.after(another, game.read(another, swapped))
    same = game.write_position(one) == game.write_position(another)
    return other if same and game.outcome(one) is None else None


def rewritten(text: str, log: Iterable[str]) -> str:
    head = text.split("\n\n", 1)[0]
    return f"{head}\n\n" + " ".join(f"{n}. {move}" for n, move in enumerate(log, 1)) + "\n"


def mirrored(log: Iterable[str]) -> list[str]:
    mirror = str.maketrans("abcdefghi", "ihgfedcba")
    return [move.translate(mirror) for move in log]


async def follow(env: Environment, log: Iterable[str], number: int = 1) -> Position:
    position = await env.position(number)
    for text in log:
        assert position.to_move is not None
        position = await play_on(env.app.get(Matches), position, text)
    env.app.get(OutboxWorker).wake(number)
    await env.settled()
    return position


async def running(
    env: Environment, log: Iterable[str] | None = None, *, match: str = "false"
) -> str:
    """Play a match of Ann and Ben so far; return its record, with a result written into it."""
    await env.begin(SLUG, match=match)
    await follow(env, line() if log is None else log)
    return forged(await exported(env.ann))


async def refused(env: Environment, person: Person, text: str, number: int = 1) -> None:
    await import_record(person, file=file(text))
    output = await analysis_of(person, f"i{number}")
    assert REFUSED in output
    assert "#1" not in output, "the match is not named"
    with pytest.raises(Exception, match=REFUSED):
        await analyse_record(env, person, number)


# Records


async def test_no_record_of_a_match_in_play_gives_help(env: Environment) -> None:
    log = line()
    other = transposed(log)
    assert other is not None
    text = await running(env, log)
    options = text.replace("match=false", "match=true")
    assert options != text
    more = [*log, (await env.legal())[0]]
    changed = [options, *(rewritten(text, one) for one in (other, mirrored(log), more))]
    await refused(env, env.ann, text)
    for number, record in enumerate((*changed, text), 2):
        await refused(env, env.dan, record, number)
    await env.resign(env.ben)
    await analyse_record(env, env.dan, 6)
    reply = await env.dan.slash("/match analysis", number="i6")
    assert "win chance" in (reply.shown.alt or "")


async def test_an_analysis_is_withheld_while_its_position_is_in_play(env: Environment) -> None:
    text = await running(env)
    await env.resign(env.ben)
    await import_record(env.dan, file=file(text))
    await analyse_record(env, env.dan)
    first = await env.dan.slash("/match analysis", number="i1")
    await env.begin(SLUG)
    await follow(env, line(), 2)
    assert REFUSED in await analysis_of(env.dan)
    for button in first.shown.buttons[:-1]:  # the last one only replays it
        assert REFUSED in (await env.dan.press(first.shown, button.label or "")).text
    await env.restart()
    assert REFUSED in await analysis_of(env.dan)


# Matches played by others to get advice


async def test_the_same_match_in_play_between_others_is_not_analysed(env: Environment) -> None:
    await running(env)
    await confirm(
        env, env.dan, await env.carol.slash(f"/{SLUG} challenge", opponent=env.dan), "Accept"
    )
    await follow(env, line(), 2)
    await env.resign(env.dan, 2)
    reply = (await env.carol.slash("/match analysis", number="2")).private
    assert REFUSED in reply
    assert "#1" not in reply
    assert REFUSED in (await env.ann.press(env.board(2), "Analysis")).text
    await env.resign(env.ann)
    await env.app.get(Analyses).of(await env.app.get(Replays).of_match(2))
    explained = await env.carol.slash("/match analysis", number="2")
    assert "win chance" in (explained.shown.alt or "")


# Practice


async def practised(env: Environment, level: int = 1) -> list[str]:
    """Practise as Ann past the opening, until it is her turn; return all moves."""
    await practise(env, level=level)
    dice, position = random.Random(3), await env.position()
    while position.ply < PLIES:
        text = position.game.write(dice.choice(position.game.legal_moves(position.state)))
        await play(env.app.get(Matches), 1, env.ann.id, text)
        await env.settled()
        position = await env.position()
    return [position.game.write(entry.move) for entry in position.tail]


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the levels at which the computer plays."""
    asked: list[int] = []

    def think(*, level: int, **arguments: Any) -> dict[str, Any]:
        asked.append(level)
        return tasks.last(**arguments)

    monkeypatch.setitem(tasks.TASKS, "think", think)
    return asked


async def test_no_hint_is_given_in_a_position_people_are_playing(quick: Environment) -> None:
    log = await practised(quick)
    position = await quick.position()
    await quick.begin(SLUG, match="true")
    await follow(quick, log, 2)
    assert REFUSED in (await quick.ann.slash("/match hint", number=1)).private
    said = {"move": (await quick.legal())[0], "expected": 0.6, "second": None}
    async with quick.store.write() as tx:
        await analyses.add_hint(tx, 1, position.version, said)
    assert REFUSED in (await quick.ann.slash("/match hint", number=1)).text
    await follow(quick, [(await quick.legal(2))[-1]], 2)
    assert REFUSED in (await quick.ann.slash("/match hint", number=1)).text, (
        "it was their turn a moment ago"
    )
    await quick.resign(quick.ann, 2)
    assert "win chance" in (await quick.ann.slash("/match hint", number=1)).text


async def test_practice_games_put_no_positions_in_play(quick: Environment) -> None:
    await practised(quick)
    position = await quick.position()
    found = advice.fingerprint(position.game, position.state)
    assert found is not None
    assert not await quick.read(puzzles.any_of, [found])


async def test_a_computer_plays_like_a_beginner_in_a_position_people_are_playing(
    quick: Environment, levels: list[int]
) -> None:
    log = await practised(quick, 4)
    assert set(levels) == {4}
    move = (await quick.legal())[0]
    await quick.begin(SLUG)
    await follow(quick, [*log, move], 2)
    levels.clear()
    await play(quick.app.get(Matches), 1, quick.ann.id, move)
    await quick.app.get(TaskRunner).idle()
    await quick.settled()
    assert levels == [1]
    assert await quick.ply() == len(log) + 2
    assert EASED in quick.board(1).text
    assert EASED not in quick.board(2).text
    await quick.resign(quick.ann, 1)
    assert EASED in quick.board(1).text
    assert await quick.read(results.of_match, 1) is None, "it counts in no statistic"


# Puzzles


async def puzzle_of(env: Environment, log: Iterable[str]) -> str:
    game = registry.game(SLUG)
    state = game.initial()
    for text in log:
        state = game.after(state, game.read(state, text))
    found = advice.fingerprint(game, state)
    assert found is not None
    solution = game.write(game.legal_moves(state)[0])
    async with env.store.write() as tx:
        facts = (game.settle({}), game.write_position(state), solution)
        puzzle = Puzzle(0, SLUG, *facts, {"expected": 0.8, "margin": 0.3}, found)
        await puzzles.add(tx, puzzle, env.now())
    return solution


@pytest.mark.usefixtures("no_shipped_puzzles")
async def test_a_position_people_are_playing_is_no_puzzle(env: Environment) -> None:
    solution = await puzzle_of(env, line())
    message = await ask_puzzle(env.dan)
    await running(env, match="true")
    assert "No puzzles yet" in (await env.dan.slash("/puzzle")).text
    assert REFUSED in (await env.dan.press(message, "Show me")).text
    reply = env.start_pick(message, env.dan, next(iter(puzzle_answers(message).values())))
    await reply
    assert REFUSED in reply.text
    assert (await env.read(puzzles.score, env.dan.id)).tried == 0
    await env.resign(env.ann)
    await answer_puzzle(env, env.dan, message, solution)
    assert "✓" in message.text


# The puzzle of the day

OF_THE_DAY = "puzzle of the day"


async def of_the_day(env: Environment, log: Iterable[str]) -> str:
    """Make the position after some moves the next puzzle of the day; return its solution."""
    known, solution = len(daily_puzzles(env)), await puzzle_of(env, log)
    if known:
        await env.advance(days=1)
    await turn_on_daily_puzzle(env)
    assert len(daily_puzzles(env)) == known + 1
    return solution


@pytest.mark.usefixtures("no_shipped_puzzles")
async def test_neither_records_nor_matches_explain_the_puzzle_of_the_day(env: Environment) -> None:
    text = await running(env)
    await env.resign(env.ben)
    await of_the_day(env, line())
    assert OF_THE_DAY in (await env.ann.slash("/match analysis", number="1")).text
    turned = rewritten(text, mirrored(line()))
    for number, record in enumerate((text, turned), 1):
        await import_record(env.dan, file=file(record))
        assert OF_THE_DAY in await analysis_of(env.dan, f"i{number}")
        with pytest.raises(NotAllowed, match=OF_THE_DAY):
            await analyse_record(env, env.dan, number)
    await env.change_settings(puzzle_channel=None)
    position = await env.position()
    assert not await env.read(advice.is_closed, advice.of_position(position.game, position.state))


@pytest.mark.usefixtures("no_shipped_puzzles")
async def test_practice_does_not_give_away_the_puzzle_of_the_day(
    quick: Environment, levels: list[int]
) -> None:
    log = await practised(quick, 5)
    await of_the_day(quick, log)
    assert OF_THE_DAY in (await quick.ann.slash("/match hint", number=1)).text
    await quick.change_settings(puzzle_channel=None)
    move = (await quick.legal())[0]
    await of_the_day(quick, [*log, move])
    levels.clear()
    await play(quick.app.get(Matches), 1, quick.ann.id, move)
    await quick.app.get(TaskRunner).idle()
    await quick.settled()
    assert levels == [1]
    assert EASED in quick.board(1).text


@pytest.mark.usefixtures("no_shipped_puzzles")
async def test_playing_up_to_the_puzzle_of_the_day_stops_nobody(env: Environment) -> None:
    solution = await of_the_day(env, line())
    await running(env)
    (post,) = daily_puzzles(env)
    message = await open_daily_puzzle(env, env.carol, post)
    assert "Show me" not in [button.label for button in message.buttons]
    await answer_puzzle(env, env.carol, message, solution)
    assert "✓" in message.text


@pytest.mark.usefixtures("no_shipped_puzzles")
async def test_a_mirror_image_of_the_puzzle_of_the_day_is_not_posed(env: Environment) -> None:
    await puzzle_of(env, mirrored(line()))
    turned = await ask_puzzle(env.dan)
    async with env.store.write() as tx:
        await tx.run(puzzles_table.update().values(tried=1))  # so the other one is chosen
    await of_the_day(env, line())
    assert OF_THE_DAY in (await env.dan.press(turned, "Show me")).text
    assert "No puzzles yet" in (await env.carol.slash("/puzzle")).text


# What is still allowed


async def test_common_opening_positions_can_be_analysed(env: Environment) -> None:
    log = line()[: 2 * advice.OPENING]
    text = await running(env, log)
    await import_record(env.dan, file=file(text))
    await analyse_record(env, env.dan)
    assert REFUSED not in await analysis_of(env.dan)


async def test_earlier_positions_of_an_ongoing_match_can_be_analysed(env: Environment) -> None:
    text = await running(env)
    position = await env.position()
    await import_record(env.dan, file=file(text))
    dice = random.Random(5)
    for _ in range(puzzles.RECENT - 1):
        move = position.game.write(dice.choice(position.game.legal_moves(position.state)))
        position = await follow(env, [move])
        assert position.to_move is not None
    assert REFUSED in await analysis_of(env.dan)
    await follow(env, [position.game.write(dice.choice(position.game.legal_moves(position.state)))])
    await analyse_record(env, env.dan)
    assert REFUSED not in await analysis_of(env.dan)


async def test_a_takeback_puts_the_earlier_position_in_play(env: Environment) -> None:
    text = await running(env)
    mover, other = env.mover(env.board()), env.other(env.board())
    await follow(env, [(await env.legal())[0]])
    offer = await ask_takeback(SLUG, mover)
    await env.done(other.press(offer, "Agree to take it back"))
    assert await env.ply() == PLIES
    await refused(env, env.dan, text)


async def test_positions_in_play_are_known_to_other_processes(env: Environment) -> None:
    await running(env)
    position = await env.position()
    found = advice.fingerprint(position.game, position.state)
    assert found is not None
    other = await Store.open(env.database)
    async with other.read() as tx:
        assert await puzzles.any_of(tx, [found])
    await env.resign(env.ann)
    async with other.read() as tx:
        assert not await puzzles.any_of(tx, [found])
    await other.close()
