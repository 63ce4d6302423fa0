"""Learning a game: its lessons, its rules and the help."""

from __future__ import annotations

import pytest

from engine import registry
from engine.marking import mark
from playground.components import GALLERY
from playground.reply import Reply
from tests.end_to_end.harness import Environment

TAUGHT = [game.slug for game in registry.games().values() if game.lessons]


def below_picture(reply: Reply) -> str:
    """Return the text between a message's picture and its buttons."""
    (box,) = reply.shown.component_data
    kinds = [part["type"] for part in box["components"]]
    return str(box["components"][kinds.index(GALLERY) + 1].get("content", ""))


def labels(reply: Reply) -> list[str | None]:
    return [button.label for button in reply.shown.buttons]


@pytest.mark.parametrize("slug", TAUGHT)
async def test_a_whole_course_can_be_taken_with_mistakes(env: Environment, slug: str) -> None:
    game = registry.game(slug)
    answer = await env.ann.slash(f"/{slug} learn")
    for number, lesson in enumerate(game.lessons, start=1):
        assert answer.ephemeral
        assert lesson.task in below_picture(answer), "what is asked stands beside the buttons"
        assert f"{number} of {len(game.lessons)}" in answer.text
        assert answer.shown.attachments, "a lesson shows its position"
        for reply in lesson.wrong:
            answer = await env.ann.press(answer.shown, reply.label)
            marked = mark(game, lesson, reply)
            assert answer.updated
            assert f"❌ **{reply.label}**" in below_picture(answer)
            assert marked.words in below_picture(answer)
            if marked.kind == "refused":
                assert f"Rule {marked.rule.name}." in answer.text, "the refusal quotes its rule"
        if lesson.right is not None:
            answer = await env.ann.press(answer.shown, lesson.right.label)
            assert f"✅ **{lesson.right.label}**: {lesson.right.answer}" in answer.text
            assert f"Rule {lesson.rule}." in answer.text
        assert answer.message is not None
        if number < len(game.lessons):
            assert "Next" in labels(answer)
            answer = await env.ann.press(answer.shown, "Next")
    assert "That's all you need." in answer.text
    assert game.title in (await env.ann.press(answer.shown, "Challenge a friend")).private
    begun = await env.ann.press(answer.shown, "Play the easiest computer")
    assert not begun.ephemeral
    assert game.title in begun.text
    await env.settled()
    assert len(env.boards()) == 1, "one press starts a match"
    assert "1 of" in (await env.ann.slash(f"/{slug} learn")).text, (
        "after the last lesson it starts over"
    )


async def test_a_course_resumes_where_it_was_left_and_survives_a_restart(env: Environment) -> None:
    total = len(registry.game("tablut").lessons)
    reply = await env.ann.slash("/tablut learn")
    assert labels(reply) == ["Next", "Back"]
    await env.ann.press(reply.shown, "Next")
    await env.restart()
    resumed = await env.ann.slash("/tablut learn")
    assert f"2 of {total}" in resumed.text
    assert labels(resumed) == ["Next", "Back"]
    assert f"1 of {total}" in (await env.ben.slash("/tablut learn")).text, "each has their own"
    assert f"3 of {total}" in (await env.ann.press(resumed.shown, "Next")).text


async def test_an_unknown_lesson_is_refused_politely(env: Environment) -> None:
    for number in (0, 99):
        reply = (await env.ann.slash("/tablut learn", lesson=number)).private
        assert "no such lesson" in reply
        assert "/help" in reply


async def test_lessons_can_be_found_by_their_titles(env: Environment) -> None:
    found = await env.ann.autocomplete("/tablut learn", "lesson", "castle")
    assert [choice.value for choice in found] == [10, 13]


async def test_the_help_has_a_page_for_everything(env: Environment) -> None:
    message = (await env.ann.slash("/help")).shown
    assert message.ephemeral
    seen = {message.text}
    for topic in ("play", "practice", "time", "agree", "look", "luck", "start"):
        await env.ann.choose(message, topic)
        if topic == "practice":
            for command in ("practice", "/match hint", "/match analysis", "/puzzle"):
                assert f"`{command}`" in message.text
        seen.add(message.text)
    assert len(seen) == 7


async def test_all_rules_can_be_browsed_by_page(env: Environment) -> None:
    reply = await env.ann.slash("/tablan rules")
    assert reply.ephemeral
    read = reply.text
    pages = 1
    while reply.message is not None:
        following = f"Page {pages + 1}"
        if all(button.label != following for button in reply.message.buttons):
            break
        reply = await env.ann.press(reply.message, following)
        assert reply.updated
        read += reply.text
        pages += 1
        assert len(reply.text) <= 4000
    game = registry.game("tablan")
    for rule in game.rules:
        assert f"**{rule.name}** {rule.sentence}" in read
    if pages > 1:
        back = await env.ann.press(reply.shown, f"Page {pages - 1}")
        assert back.updated


async def test_rules_are_found_by_name_or_number(env: Environment) -> None:
    game = registry.game("tablan")
    for typed, names in (("w13", ["W13"]), (" b6 ", ["B6"]), ("12", ["W12", "B12"])):
        reply = (await env.ann.slash("/tablan rules", number=typed)).private
        for name in names:
            assert f"Rule {name}." in reply
            assert game.rule(name).sentence in reply
    assert "W13" in (await env.ann.slash("/tablan rules", number="99")).text
    suggested = await env.ann.autocomplete("/tablan rules", "number", "W1")
    assert {"W1", "W13"} <= {s.value for s in suggested}
    assert len(suggested) <= 25


async def test_an_ongoing_match_does_not_reveal_its_seed(env: Environment) -> None:
    await env.begin()
    reply = (await env.carol.slash("/match verify", number=1)).shown
    assert reply.ephemeral
    assert "still being played" in reply.text
    assert not reply.attachments
    seed = (await env.position()).match.seed
    assert seed.hex() not in reply.text
