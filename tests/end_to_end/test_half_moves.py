"""A half-made move is shown only to its player."""

from __future__ import annotations

import random

import pytest

from bot.core.interactions.dispatch import Dispatcher
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.offers import Offers
from bot.play.matches.service import Matches
from engine import registry
from engine.menu import choices
from playground.app import GROUP
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment, first_steps, half_move, playable
from tests.end_to_end.people import confirm
from tests.moves import play
from tests.routes import EDIT, EDIT_ANSWER

WITH_STEPS = ("tablut",)


def look(board: Message) -> tuple[int, str, bytes | None, list[str]]:
    return board.revision, board.text, board.picture, [b.label for b in board.buttons]


async def chosen(env: Environment, board: Message, person: Person, value: str) -> Message:
    """Choose the first step of a move; return the next."""
    half = half_move(await env.done(env.start_pick(board, person, value)))
    assert half is not None
    return half


async def begun(
    env: Environment, slug: str = "tablut", *, channel: str = "games", seed: int = 1
) -> tuple[Message, Person, Message]:
    """Play until a move has steps, and choose the first; return board, player and next step."""
    dice = random.Random(seed)
    board = await env.begin(slug, channel=channel)
    while not first_steps(board):
        await env.turn(board, dice)
        board = env.board(channel=channel)
    mover, ply = env.mover(board), await env.ply()
    half = await chosen(env, board, mover, dice.choice(first_steps(board)))
    assert await env.ply() == ply
    return board, mover, half


async def finish(env: Environment, half: Message, mover: Person) -> Message:
    reply = await env.turn_from(half, mover, random.Random(5))
    message = reply.interaction.original
    assert message is not None
    return message


def live(env: Environment, channel: str = "games") -> list[Message]:
    return [board for board in env.boards(channel=channel) if playable(board)]


async def moved_on(env: Environment, mover: Person) -> None:
    position = await env.position()
    move = position.game.write(position.game.legal_moves(position.state)[0])
    await play(env.app.get(Matches), 1, mover.id, move)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_first_step_changes_nothing_that_others_see(env: Environment, slug: str) -> None:
    game = registry.game(slug)
    if all(one.move is not None for one in choices(game, game.initial(None, 2))):
        pytest.skip("whole moves fit its menus")
    board = await env.begin(slug)
    if not first_steps(board):
        pytest.skip("whole moves fit its first menu")
    seen, mover = look(board), env.mover(board)
    channel = [message.id for message in env.other(board).sees("games")]
    half = await chosen(env, board, mover, first_steps(board)[0])
    assert half.ephemeral_for is mover.user
    assert half.picture not in {None, board.picture}, "what was chosen is marked"
    assert "where to?" in half.text or "Which man walks the other half?" in half.text
    assert look(board) == seen
    assert [message.id for message in env.other(board).sees("games")] == channel


@pytest.mark.parametrize("slug", WITH_STEPS)
async def test_the_last_step_makes_the_move_and_confirms_it(env: Environment, slug: str) -> None:
    board, mover, half = await begun(env, slug)
    seen, ply, before = look(board), await env.ply(), len(env.requests_to(EDIT))
    message = await finish(env, half, mover)
    assert message is half, "each step replaces the previous one"
    assert half.text.startswith("Played.")
    assert half.deleted, "its board is visible above"
    assert not half.buttons
    assert not half.menus
    assert not half.attachments
    assert await env.ply() > ply
    assert live(env) == [env.board()]
    assert look(board) != seen
    assert len(env.requests_to(EDIT)) == before, "the press that began the move edits its board"


async def test_a_player_can_go_back_and_choose_another_first_step(env: Environment) -> None:
    board, mover, half = await begun(env)
    seen, picture = look(board), half.picture
    await env.restart()
    back = await mover.press(half, "Choose again")
    assert back.updated
    assert half.picture != picture
    assert first_steps(half)
    assert look(board) == seen
    await finish(env, half, mover)
    assert await env.ply() == 1


@pytest.mark.parametrize("after", ["hours", "a restart", "the board was deleted"])
async def test_a_move_can_be_finished_later(env: Environment, after: str) -> None:
    env.expected |= {404}
    await env.change_settings(threads=False)
    board, mover, half = await begun(env)
    if after == "hours":
        await env.advance(hours=3)
    elif after == "a restart":
        await env.restart()
    else:
        env.playground.messages.delete(board)
    await finish(env, half, mover)
    assert await env.ply() == 1
    assert board.deleted or not playable(board)
    assert live(env) == [env.board()]


async def test_of_two_half_moves_one_is_made(env: Environment) -> None:
    board, mover, one = await begun(env)
    two = await chosen(env, board, mover, first_steps(board)[-1])
    assert two is not one
    await finish(env, two, mover)
    assert await env.ply() == 1
    await env.pick(one, mover, random.Random(2))
    assert "earlier turn" in one.text
    assert f"Move {await env.move()}" in one.text
    assert not playable(one), "it is the turn of the other player"
    assert await env.ply() == 1
    assert live(env) == [env.board()]


async def test_two_simultaneous_last_steps_make_one_move(env: Environment) -> None:
    board, mover, one = await begun(env)
    two = await chosen(env, board, mover, first_steps(board)[-1])
    picks = [env.start_pick(half, mover, env.onward(half)[0]) for half in (one, two)]
    for pick in picks:
        await pick
    await env.settled()
    assert await env.ply() == 1
    texts = sorted(half.text for half in (one, two))
    assert sum(text.startswith("Played.") for text in texts) == 1
    assert sum("Here's the current board." in text for text in texts) == 1
    assert live(env) == [env.board()]


async def test_a_whole_move_on_the_board_overtakes_a_half_move(env: Environment) -> None:
    _, mover, half = await begun(env)
    await moved_on(env, mover)
    await env.pick(half, mover, random.Random(2))
    assert "earlier turn" in half.text
    assert await env.ply() == 1
    assert live(env) == [env.board()]


async def test_a_half_move_of_a_turn_taken_back_is_not_made(env: Environment) -> None:
    _, mover, half = await begun(env)
    await moved_on(env, mover)
    position = await env.position()
    (other,) = [p.user_id for p in position.match.players if p.user_id != mover.id]
    made = await env.app.get(Offers).make(1, mover.id, "takeback")
    await env.app.get(Offers).answer(made.offer.id, other, yes=True)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    ply = await env.ply()
    await env.pick(half, mover, random.Random(2))
    assert "earlier turn" in half.text
    assert playable(half), "it is their turn again on this board"
    assert await env.ply() == ply
    await finish(env, half, mover)
    assert await env.ply() == ply + 1
    assert live(env) == [env.board()]


async def test_a_half_move_in_a_finished_match_shows_the_result(env: Environment) -> None:
    board, mover, half = await begun(env)
    other = env.other(board)
    await env.play_a_while()
    await confirm(env, other, await other.slash("/tablut resign"), "Resign")
    ply = await env.ply()
    await env.pick(half, mover, random.Random(2))
    assert "is over" in half.text
    assert "resigned" in half.text
    assert not playable(half)
    assert await env.ply() == ply


@pytest.mark.parametrize("in_place", [False, True])
async def test_the_bot_edits_the_board_if_the_press_cannot(
    env: Environment, *, in_place: bool
) -> None:
    env.expected |= {404}
    if in_place:
        await env.change_settings(board="edit")
    _, mover, half = await begun(env)
    env.faults.respond(EDIT_ANSWER, status=404, code=10015, times=None)
    # What the press can no longer do is done without it.
    await env.done(env.start_pick(half, mover, env.onward(half)[0]))
    assert await env.ply() == 1
    assert len(env.requests_to(EDIT)) == 1
    assert live(env) == [env.board()]


async def test_a_board_edited_in_place_stays_for_the_presser(env: Environment) -> None:
    await env.change_settings(board="edit")
    board, mover, half = await begun(env)
    for number in range(40):
        env.carol.says(f"chatter {number}")
    await finish(env, half, mover)
    assert env.boards() == [board]
    assert f"Move {await env.move()}" in board.text


async def test_half_moves_in_a_group_are_private(env: Environment) -> None:
    board, mover, half = await begun(env, channel=GROUP)
    assert half.ephemeral_for is mover.user
    await finish(env, half, mover)
    assert await env.ply() == 1
    assert not playable(board)
    assert live(env, GROUP) == [env.board(channel=GROUP)]


async def test_half_moves_work_the_same_in_direct_messages_with_the_bot(env: Environment) -> None:
    await env.done(env.ann.slash("/tablut practice", channel=env.ann.dm, level=1, seat="swedes"))
    boards = [m for m in env.ann.dm.messages.values() if playable(m) and not m.ephemeral]
    (board,) = boards
    half = await chosen(env, board, env.ann, first_steps(board)[0])
    ply = await env.ply()
    await finish(env, half, env.ann)
    assert await env.ply() > ply


async def test_a_slow_press_is_acknowledged_and_then_answered_privately(env: Environment) -> None:
    board = await env.begin("tablut")
    env.app.get(Dispatcher).acknowledge_after = 0.0
    seen, mover = look(board), env.mover(board)
    reply = env.start_pick(board, mover, first_steps(board)[0])
    half = await reply.followup()
    assert half.ephemeral_for is mover.user
    assert look(board) == seen
    await finish(env, half, mover)
    assert await env.ply() == 1


async def test_strangers_and_the_opponent_are_refused(env: Environment) -> None:
    board = await env.begin("tablut")
    value = first_steps(board)[0]
    for person, why in ((env.carol, "belongs to"), (env.other(board), "not your turn")):
        assert why in (await env.start_pick(board, person, value)).private
    assert await env.ply() == 0
