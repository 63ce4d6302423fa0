"""Learning a game on small positions, and the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import registry
from engine.lesson import mark

if TYPE_CHECKING:
    from playground.reply import Reply
    from tests.end_to_end.harness import Environment

TAUGHT = [game.slug for game in registry.games().values() if game.lessons]


def labels(reply: Reply) -> list[str | None]:
    """Return what the buttons of an answer say."""
    assert reply.message is not None
    return [button.label for button in reply.message.buttons]


@pytest.mark.parametrize("slug", TAUGHT)
async def test_a_whole_course_can_be_taken_with_all_its_mistakes(
    env: Environment, slug: str
) -> None:
    game = registry.game(slug)
    shown = await env.ann.slash(f"/{slug} learn")
    for number, lesson in enumerate(game.lessons, start=1):
        assert shown.ephemeral
        assert shown.message is not None
        assert lesson.task in shown.text
        assert f"lesson {number} of {len(game.lessons)}" in shown.text
        assert shown.message.attachments, "a lesson shows its position"
        for reply in lesson.wrong:
            assert shown.message is not None
            shown = await env.ann.press(shown.message, reply.move)
            marked = mark(game, lesson, reply)
            assert shown.updated
            assert f"❌ **{reply.move}**" in shown.text
            assert marked.words in shown.text
            if marked.kind == "refused":
                assert f"Rule {marked.rule.name}." in shown.text, "the refusal quotes its rule"
        assert shown.message is not None
        shown = await env.ann.press(shown.message, lesson.right.move)
        assert f"✅ **{lesson.right.move}**: {lesson.right.answer}" in shown.text
        assert f"Rule {lesson.rule}." in shown.text
        assert shown.message is not None
        if number < len(game.lessons):
            assert labels(shown) == ["Next lesson"]
            shown = await env.ann.press(shown.message, "Next lesson")
    assert "last lesson" in shown.text
    assert labels(shown) == ["From the beginning"]


async def test_a_lesson_goes_on_after_a_restart(env: Environment) -> None:
    shown = await env.ann.slash("/tablut learn", lesson=2)
    assert shown.message is not None
    await env.restart()
    answered = await env.ann.press(shown.message, "g3-f3")
    assert "✅" in answered.text


async def test_a_lesson_that_does_not_exist_is_refused_kindly(env: Environment) -> None:
    for number in (0, 99):
        told = await env.ann.slash("/tablut learn", lesson=number)
        assert told.ephemeral
        assert "does not exist" in told.text
        assert "/help" in told.text


async def test_lessons_can_be_found_by_their_titles(env: Environment) -> None:
    found = await env.ann.autocomplete("/tablut learn", "lesson", "castle")
    assert [choice.value for choice in found] == [4, 7]


async def test_the_help_has_a_page_for_everything(env: Environment) -> None:
    shown = (await env.ann.slash("/help")).message
    assert shown is not None
    assert shown.ephemeral
    seen = {shown.text}
    for topic in ("play", "practice", "time", "agree", "look", "luck", "start"):
        await env.ann.choose(shown, topic)
        if topic == "practice":
            for command in ("practice", "/match hint", "/match analysis", "/puzzle"):
                assert f"`{command}`" in shown.text
        seen.add(shown.text)
    assert len(seen) == 7
