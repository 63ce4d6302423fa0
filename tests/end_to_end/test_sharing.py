"""Sharing: what a person sees alone can be posted where everyone may see it, and nowhere else."""

from __future__ import annotations

import random

import pytest

from bot.core.interactions.components import BUTTON
from bot.core.interactions.controls import Button
from bot.features.analysis.service import Analyses
from bot.features.practice.hints_buttons import HintsButton
from bot.play.controls.share_buttons import MAX_SHARED, ShareButton, What
from bot.play.matches import advice
from bot.play.matches.service import Matches
from bot.play.replays.replay import Replays
from data.matches.match import matches
from data.puzzles import analyses, puzzles
from playground.events import ChannelUpdated
from playground.interaction import InteractionType
from playground.model import Message, Overwrite
from playground.people import Person
from playground.permissions import Permission
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    SILENT,
    SLUG,
    begin_and_play,
    begin_in_thread,
    confirm,
    finish,
    practise,
    resign_there,
)
from tests.end_to_end.puzzles import add_puzzles, answer_puzzle, ask_puzzle

pytestmark = pytest.mark.usefixtures("kernels", "no_shipped_puzzles")


async def film(person: Person, channel: str = "games") -> Message:
    return (await person.slash("/match gif", channel=channel, number="1")).shown


def shared(env: Environment, channel: str = "games") -> list[Message]:
    found = env.channel(channel).messages.values()
    return [one for one in found if "Shared by" in one.text and one.ephemeral_for is None]


async def forged(env: Environment, button: Button) -> Reply:
    """Press a button that no message has."""
    data = {"custom_id": button.custom_id, "id": 1, "component_type": BUTTON}
    on = (await env.ann.slash("/help")).message
    reply = env.ann._interact(InteractionType.COMPONENT, env.channel(), data, message=on)
    await reply
    return reply


async def test_who_watches_a_finished_game_can_share_its_film(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    await finish(env, env.ann, SLUG)
    private = await film(env.carol)
    assert private.ephemeral
    await env.done(env.carol.press(private, "Share in channel"))
    (post,) = shared(env)
    assert f"Shared by {env.carol.mention}" in post.text
    assert any(file.filename.endswith(".gif") for file in post.attachments)
    assert post.alt
    assert post.pinged == ()


async def test_an_ongoing_game_is_not_shared(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    assert "Share in channel" not in [button.label for button in (await film(env.ann)).buttons]
    whats: tuple[What, ...] = ("film", "analysis", "mistake")
    for what in whats:
        reply = await forged(env, ShareButton(what, 1, 1))
        assert "still being played" in reply.text
    assert not shared(env)


async def test_what_not_everyone_may_see_stays_private(env: Environment) -> None:
    thread = await begin_in_thread(env, private=True)
    await resign_there(env, thread)
    private = await film(env.ann, "general")
    refused = await env.done(env.ann.press(private, "Share in channel"))
    assert "Not everyone here can see that game" in refused.text
    assert refused.ephemeral
    assert not shared(env, "general")


@pytest.mark.parametrize("lacking", [Permission.SEND_MESSAGES, Permission.ATTACH_FILES])
@pytest.mark.parametrize("whose", ["person", "bot"])
async def test_who_may_not_post_here_shares_nothing(
    env: Environment, lacking: Permission, whose: str
) -> None:
    await begin_and_play(env, SLUG)
    await finish(env, env.ann, SLUG)
    private = await film(env.ann)
    place = env.channel()
    user_id = env.ann.id if whose == "person" else env.world.bot.id
    place.overwrites[user_id] = Overwrite(1, deny=lacking)
    env.world.emit(ChannelUpdated(place))
    refused = await env.done(env.ann.press(private, "Share in channel"))
    assert refused.ephemeral
    assert not shared(env)


async def test_a_blocked_person_shares_no_game_of_who_blocked_them(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    await finish(env, env.ann, SLUG)
    private = await film(env.carol)
    await env.done(env.ben.slash("/block", user=env.carol))
    refused = await env.done(env.carol.press(private, "Share in channel"))
    assert "You can't share this game." in refused.text
    assert not shared(env)


async def test_nobody_floods_a_channel(env: Environment) -> None:
    solution, *_ = await add_puzzles(env)
    message = await ask_puzzle(env.ann)
    await answer_puzzle(env, env.ann, message, solution)
    for _ in range(MAX_SHARED):
        await env.done(env.ann.press(message, "Share in channel"))
    refused = await env.done(env.ann.press(message, "Share in channel"))
    assert "limit" in refused.text
    assert len(shared(env)) == MAX_SHARED
    post = shared(env)[0]
    (hidden,) = [line for line in post.text.splitlines() if "best move:" in line]
    assert hidden.startswith("||")
    assert hidden.endswith("||")
    assert post.picture is not None


async def test_an_unsolved_puzzle_is_not_given_away(env: Environment) -> None:
    await add_puzzles(env)
    refused = await forged(env, ShareButton("puzzle", 1, 0))
    assert "Solve this puzzle first" in refused.text
    assert not shared(env)


async def test_an_analysis_and_a_better_move_can_be_shared(env: Environment) -> None:
    await env.begin("thaayam")
    await env.hurry(random.Random(1), lambda one: one.to_move is None or one.ply >= 24)
    await env.resign(env.ann)
    await env.app.get(Analyses).of(await env.app.get(Replays).of_match(1))
    private = (await env.done(env.carol.press(env.board(), "Analysis"))).shown
    assert private.ephemeral
    await env.done(env.carol.press(private, "Share in channel"))
    (post,) = shared(env)
    assert post.picture is not None
    assert "Share in channel" not in [button.label for button in post.buttons]
    if mistakes := [button.label for button in private.buttons if button.label.startswith("See")]:
        better = (await env.done(env.carol.press(private, mistakes[0]))).shown
        await env.done(env.carol.press(better, "Share in channel"))
        assert shared(env)[-1].picture is not None
        assert len(shared(env)) == 2


async def test_hints_are_seen_again_after_the_game_and_shared(quick: Environment) -> None:
    env = quick
    await practise(env)
    best = await hinted(env)
    early = await forged(env, HintsButton(1, 0))
    assert "still being played" in early.text
    refused = await forged(env, ShareButton("hint", 1, 0))
    assert "still being played" in refused.text
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn(env.board(), random.Random(1))
    await hinted(env)
    await confirm(env, env.ann, await env.ann.slash(f"/{SILENT} resign"), "Resign")
    private = (await env.done(env.ann.press(env.board(), "Hints"))).shown
    assert private.ephemeral
    assert "**Hint 1 of 2**" in private.text
    assert ": 60 % win chance." in private.text
    assert "Played instead: " in private.text or "It was played." in private.text
    assert f"An arrow shows {best}." in (private.alt or "")
    await env.done(env.ann.press(private, "Next hint"))
    assert "**Hint 2 of 2**" in private.text
    assert "The game ended here." in private.text
    await env.done(env.ann.press(private, "Share in channel"))
    (post,) = shared(env)
    assert "**Hint 2 of 2**" in post.text
    assert f"Shared by {env.ann.mention}" in post.text
    assert post.picture is not None
    assert post.pinged == ()
    assert [one.label for one in post.buttons] == []


async def test_no_hint_is_shown_for_a_turn_that_may_have_been_taken_back(
    quick: Environment,
) -> None:
    env = quick
    await practise(env)
    await hinted(env)
    async with env.store.write() as tx:
        await tx.run(matches.update().where(matches.c.id == 1).values(takebacks=1))
    await env.restart()
    await confirm(env, env.ann, await env.ann.slash(f"/{SILENT} resign"), "Resign")
    assert "Hints" not in [one.label for one in env.board().buttons]
    assert "no hints to show" in (await forged(env, HintsButton(1, 0))).text
    assert "no hints to show" in (await forged(env, ShareButton("hint", 1, 0))).text


async def test_a_hint_that_would_help_others_now_waits(quick: Environment) -> None:
    env = quick
    await practise(env)
    await hinted(env)
    await confirm(env, env.ann, await env.ann.slash(f"/{SILENT} resign"), "Resign")
    position = await env.app.get(Matches).position_at(1, 0)
    found = advice.of_position(position.game, position.state)
    board = env.board()
    with pytest.MonkeyPatch.context() as patched:

        async def any_of(_: object, fingerprints: object) -> bool:
            return fingerprints == found

        patched.setattr(puzzles, "any_of", any_of)
        told = await env.done(env.ann.press(board, "Hints"))
        assert "exact position" in told.text
        assert "exact position" in (await forged(env, ShareButton("hint", 1, 0))).text
    assert not shared(env)


async def hinted(env: Environment) -> str:
    """Store a hint for the turn of match 1, and return its move."""
    best, other, *_ = await env.legal()
    hint = {"move": best, "expected": 0.6, "second": [other, 0.5]}
    async with env.store.write() as tx:
        await analyses.add_hint(tx, 1, (await env.position()).version, hint)
    await env.ann.slash("/match hint")
    return best
