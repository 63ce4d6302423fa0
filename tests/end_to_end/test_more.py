"""*More* below a board: what can be done besides moving, notes, and trying moves."""

from __future__ import annotations

import random

import pytest

from bot.core.settings.service import SettingsStore
from engine import registry
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, confirm, finish, labels, more


async def test_a_player_sees_the_actions_available_now(env: Environment) -> None:
    board = await env.begin("tablut")
    mover, other = env.mover(board), env.other(board)
    message = await more(env, mover)
    everyone = ["Rules", "Lessons", "Replay"]
    own = ["Mute reminders", "Note", *everyone, "Try moves", "Offer a draw", "Resign"]
    assert labels(message) == own
    assert labels(await more(env, env.carol)) == everyone
    await env.turn(board, random.Random(1))
    assert labels(board) == []
    assert "More" in labels(env.board())
    assert "Take back" in labels(await more(env, mover))
    assert "Take back" not in labels(await more(env, other))


async def test_resigning_is_confirmed_in_the_same_private_message(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    menu = await more(env, env.ann)
    await env.ann.press(menu, "Resign")
    assert "counts as a loss" in menu.text
    assert labels(menu) == ["Resign", "Keep playing"]
    await env.done(env.ann.press(menu, "Resign"))
    assert (await env.position()).match.finished


async def test_a_draw_offer_is_public(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    offered = (await env.ann.press(await more(env, env.ann), "Offer a draw")).shown
    assert not offered.ephemeral
    assert offered.pinged == (env.ben.user,)
    await env.done(env.ben.press(offered, "Agree to a draw"))
    assert "A draw" in env.board().text


async def test_a_move_in_practice_is_taken_back_at_once(env: Environment) -> None:
    await env.done(env.ann.slash("/tablut practice", level=1))
    assert "Hint" in labels(await more(env, env.ann))
    await env.turn(env.board(), random.Random(1))
    assert await env.ply() >= 2
    before = await env.ply()
    reply = await env.done(env.ann.press(await more(env, env.ann), "Take back"))
    assert "taken back" in reply.text
    assert await env.ply() < before


async def test_a_board_can_be_turned(env: Environment) -> None:
    board = await env.begin("tablan")
    menus = [(one, await more(env, one, board)) for one in (env.ann, env.ben)]
    (flipped,) = [(one, menu) for one, menu in menus if "Flip the board" in labels(menu)]
    person, menu = flipped
    await person.press(menu, "Flip the board")
    assert menu.picture is not None
    assert (await env.app.get(SettingsStore).player(person.id)).turned


async def test_a_player_waiting_for_a_late_opponent_can_claim_the_win(env: Environment) -> None:
    board = await begin_and_play(env, "tablut")
    late, other = env.mover(board), env.other(board)
    assert "Claim" not in labels(await more(env, other))
    await env.advance(days=4)
    reply = await other.press(await more(env, other), "Claim")
    assert "Claim the win" in labels(reply.message) if reply.message else False
    assert "Claim" not in labels(await more(env, late))


async def test_more_on_an_old_board_and_after_the_end_is_answered(env: Environment) -> None:
    board = await env.begin("tablut")
    old = board.snapshot()
    await env.play_a_while()
    reply = await env.ann.press(old, "More", stale=True)
    assert "Resign" in labels(reply.message) if reply.message else False
    menu = await more(env, env.ann)
    await env.resign(env.ben)
    assert "over" in (await env.ann.press(menu, "Offer a draw")).text
    reply = await env.ann.press(old, "More", stale=True)
    assert labels(reply.shown) == ["Rematch", "Analysis", "Replay", "Try moves"]


def tries(message: Message) -> list[str]:
    back = {"‹ Undo", "Start over", "‹ Earlier", "Later ›", "Choose again"}
    values = [choice.value for menu in message.menus for choice in menu.options]
    return values + [
        b.custom_id
        for b in message.buttons
        if b.custom_id and b.custom_id.startswith("try:") and b.label not in back
    ]


async def at_random(person: Person, message: Message, dice: random.Random) -> None:
    wanted = dice.choice(tries(message))
    for place, menu in enumerate(message.menus):
        if any(choice.value == wanted for choice in menu.options):
            await person.choose(message, wanted, menu=place)
            return
    await person.press(message, custom_id=wanted)


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_moves_are_tried_privately_without_playing_them(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    other, ply, posts = env.other(board), await env.ply(), len(env.boards())
    message = await more(env, other)
    await other.press(message, "Try moves")
    assert "nothing is played" in message.text
    dice, furthest = random.Random(slug), 0
    for _ in range(40):
        assert message.picture is not None
        if not tries(message):
            break
        await at_random(other, message, dice)
        furthest = max(furthest, message.text.count("→"))
        assert not [b for b in labels(message) if b and b.startswith(("Win:", "Lose:"))]
    assert furthest >= 2
    assert "as far as I go" in message.text or "would end here" in message.text or tries(message)
    await env.settled()
    assert await env.ply() == ply
    assert len(env.boards()) == posts
    while "‹ Undo" in labels(message):
        await other.press(message, "‹ Undo")
    assert "→" not in message.text
    if ply:
        await other.press(message, "‹ Earlier")
        await other.press(message, "Later ›")


async def test_a_stranger_can_try_moves_only_after_the_match(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    assert "Try moves" not in labels(await more(env, env.carol))
    assert "once it's over" in (await env.carol.slash("/match try", number="1")).private
    board = await finish(env, env.ann, "tablut")
    reply = await env.carol.press(board, "Try moves")
    assert reply.ephemeral
    assert "nothing is played" in reply.text
    await env.carol.press(reply.shown, "‹ Earlier")
    assert "of" in reply.shown.text


async def test_moves_tried_from_a_position_taken_back_start_afresh(env: Environment) -> None:
    board = await env.begin("tablut")
    mover = env.mover(board)
    message = await more(env, mover)
    await mover.press(message, "Try moves")
    await at_random(mover, message, random.Random(1))
    for person in (mover, env.ben, env.ann):
        reply = await person.slash("/match try", number="1", move=999)
        assert reply.ephemeral
    await env.turn(env.board(), random.Random(2))
    await at_random(mover, message, random.Random(3))
    assert "nothing is played" in message.text


async def write(person: Person, message: Message, text: str) -> Message:
    reply = await person.press(message, "Note")
    assert reply.modal is not None
    sent = (await person.submit(reply.modal, {"note": text})).shown
    assert sent.ephemeral
    return sent


def seen_by_all(env: Environment) -> str:
    return "\n".join(one.text for one in env.boards())


async def test_a_note_is_only_shown_to_its_writer(env: Environment) -> None:
    board = await env.begin("tablut")
    menu = await more(env, env.ann, board)
    message = await write(env.ann, menu, "Watch **c4**, @everyone")
    assert r"> Watch \*\*c4\*\*, \@everyone" in message.text
    assert "seen only by you" in message.text
    assert not message.pinged
    assert r"Watch \*\*c4" in (await more(env, env.ann, board)).text
    assert r"Watch \*\*c4" in (await env.ann.slash("/tablut board")).text
    assert r"-# Note: Watch \*\*c4" in (await env.ann.slash("/games")).text
    assert "Note" not in labels(await more(env, env.carol, board))
    refused = await env.carol.slash("/match note", number=1)
    assert refused.modal is None
    assert "belongs to" in refused.text
    for person in (env.ben, env.carol):
        assert "Watch" not in (await more(env, person, board)).text
        assert "Watch" not in (await person.slash("/games")).text
    assert "Watch" not in (await env.ben.slash("/tablut board")).text
    assert "Watch" not in seen_by_all(env)


async def test_a_form_shows_the_note_and_removes_it_when_empty(env: Environment) -> None:
    board = await env.begin("tablut")
    await write(env.ann, await more(env, env.ann, board), "first")
    reply = await env.ann.slash("/match note")
    assert reply.modal is not None
    assert [field.component.get("value") for field in reply.modal.fields] == ["first"]
    assert "You have no note on match #1" in (await env.ann.submit(reply.modal, {"note": ""})).text
    assert "first" not in (await env.ann.slash("/tablut board")).text


async def test_two_open_forms_overwrite_nothing_unseen(env: Environment) -> None:
    board = await env.begin("tablut")
    menu = await more(env, env.ann, board)
    forms = [(await env.ann.press(menu, "Note")).modal for _ in range(2)]
    assert forms[0] is not None
    assert forms[1] is not None
    await env.ann.submit(forms[0], {"note": "one"})
    refused = await env.ann.submit(forms[1], {"note": "two"})
    assert "changed while you were writing" in refused.text
    assert "> one" in refused.text
    assert "> two" in refused.text


async def test_a_note_submitted_after_the_end_is_in_the_replay(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    reply = await env.ann.slash("/match note")
    assert reply.modal is not None
    await confirm(env, env.ben, await env.ben.slash("/tablut resign"), "Resign")
    await env.ann.submit(reply.modal, {"note": "well played"})
    mine = (await env.ann.slash("/match replay", number="1")).shown
    assert "well played" in mine.text
    assert "Note" in labels(mine)
    for person in (env.ben, env.carol):
        assert "well played" not in (await person.slash("/match replay", number="1")).text
    assert "well played" not in seen_by_all(env)


@pytest.mark.parametrize(("slug", "label"), [("tablut", "Rules"), ("tablut", "Try moves")])
async def test_what_opens_in_place_of_more_leads_back_to_it(
    env: Environment, slug: str, label: str
) -> None:
    await begin_and_play(env, slug)
    menu = await more(env, env.ann)
    offered, board = labels(menu), env.board().id
    await env.ann.press(menu, label)
    await env.restart()
    assert labels(menu) != offered
    await env.ann.press(menu, "Back")
    assert labels(menu) == offered
    assert env.board().id == board


async def test_a_plan_leads_back_to_more(env: Environment) -> None:
    board = await env.begin("tablut")
    other = env.other(board)
    menu = await more(env, other)
    offered = labels(menu)
    await other.press(menu, "Plan ahead")
    await other.press(menu, "Back")
    assert labels(menu) == offered


async def test_every_page_of_the_rules_leads_back(env: Environment) -> None:
    await begin_and_play(env, "thaayam")
    menu = await more(env, env.ann)
    await env.ann.press(menu, "Rules")
    assert "The rules of Thaayam" in menu.text
    for label in ("Page 2", "Page 1"):
        if label in labels(menu):
            await env.ann.press(menu, label)
        assert "Back" in labels(menu)


async def test_a_lesson_leads_back_to_the_one_before_and_to_the_list(env: Environment) -> None:
    lesson = (await env.ann.slash("/tablut learn", lesson=2)).shown
    await env.ann.press(lesson, "Back")
    assert "1 of" in lesson.text
    await env.ann.press(lesson, "Back")
    assert "### Learn a game" in lesson.text
    await env.ann.press(lesson, "Tablan")
    assert "Tablan" in lesson.text
