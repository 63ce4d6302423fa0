"""The page of boards in people's browsers: what several tests do there."""

from __future__ import annotations

from typing import Final

from playwright.async_api import ConsoleMessage, Page, expect

from tests.browser.harness import Window

TAPS: Final = 12
"""What a move may take, at most."""


class BoardPage:
    """The page in one person's browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)

    @property
    def choices(self) -> str:
        """Selects whatever can be tapped next."""
        return ".squares .can, #choosing .button:not(.secondary, .onward)"

    async def ply(self) -> int:
        """Return the length of the match, as the slider has it."""
        return int(await self.page.locator("#history input").get_attribute("max") or 0)

    async def move(self, *, by_keyboard: bool) -> None:
        """Make a move, always choosing what comes last."""
        await expect(self.page.locator(self.choices).first).to_be_attached()
        before = await self.ply()  # with the move that made it this one's turn
        for _ in range(TAPS):
            await expect(self.page.locator(self.choices).first).to_be_attached()
            last = self.page.locator(self.choices).last
            if by_keyboard:
                await last.focus()
                await self.page.keyboard.press("Enter")
            else:
                await last.click()
            await self.page.wait_for_function(
                "() => !document.body.hasAttribute('aria-busy')", timeout=10_000
            )
            if await self.ply() > before:
                return
        raise AssertionError(f"no move is complete after {TAPS} taps")


async def open_page(window: Window, title: str, size: tuple[int, int]) -> BoardPage:
    """Open the page from the board that a window shows."""
    await window.press("More")
    await window.press("In the browser")
    link = window.page.get_by_role("link", name="Open in the browser").last
    address = await link.get_attribute("href")
    assert address is not None
    opened = BoardPage(await window.page.context.new_page())
    await opened.page.set_viewport_size({"width": size[0], "height": size[1]})
    await opened.page.goto(address)
    await expect(opened.page.locator("#heading")).to_contain_text(title)
    assert "open=" not in opened.page.url, "the link is used up, and not in the history"
    return opened
