"""A newcomer's first minute: running `make play` and opening the page it prints."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from engine import registry
from tests.browser.bot import running_program
from tests.browser.harness import Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.long
async def test_a_newcomer_sees_a_board_and_can_play_at_once(browser: Browser) -> None:
    async with running_program(demo=True) as url:
        ann = await browser.window(url, None)
        await ann.sees("Old board games, played turn by turn")
        welcome = ann.messages.filter(has_text="Old board games, played turn by turn").last
        for game in registry.games().values():
            await expect(welcome).to_contain_text(f"{game.title} · {game.summary}")
        await expect(welcome.get_by_role("heading")).to_be_in_viewport()
        await expect(ann.page.locator("#channel-name")).to_have_text("general")
        await ann.go("games")
        await ann.sees("won against")
        board = ann.messages.last
        await expect(board).to_contain_text("Computer")
        await expect(board).to_contain_text("@Ann")
        await expect(board).to_contain_text("Goal: Bring your king to any square on the edge")
        before = re.search(r"Move \d+", await board.inner_text())
        assert before is not None

        capture = board.get_by_role("button", name="Capture on")
        await expect(capture).to_be_in_viewport()
        await capture.click()  # a whole move; the computer answers
        live = ann.messages.filter(has_text="@Ann, your turn").last
        await expect(live).not_to_contain_text(before[0])

        await ann.slash("/leaderboard", game="Tablut")
        for name in ("Ann", "Ben", "Carol", "Dan"):
            await expect(ann.messages.last).to_contain_text(name)
        assert ann.problems == []


@pytest.mark.long
async def test_what_a_lesson_asks_and_answers_is_seen_beside_its_buttons(browser: Browser) -> None:
    lessons = registry.game("tablut").lessons
    async with running_program() as url:
        ann = await browser.window(url, "ann")
        await ann.press("Learn", await ann.sees("Old board games, played turn by turn"))
        await ann.press("Tablut", await ann.sees("Learn a game"))
        for lesson in lessons:
            shown = await ann.sees(str(lesson.title))
            if lesson.replies:
                break
            await ann.press("Next", shown)
        await expect(shown.get_by_text(lesson.task)).to_be_in_viewport(ratio=1)
        await ann.press(lesson.wrong[0].label, shown)
        await expect(shown.get_by_text("Try another one.")).to_be_in_viewport(ratio=1)
        assert ann.problems == []
