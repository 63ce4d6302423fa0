"""Drives the chat page in headless Chromium as its users do: by typing, clicking, reading.

::

    async with chromium() as browser:
        ann = await browser.window(playground.url, "ann")
        await ann.slash("/tablan challenge", opponent="Ben")
        ben = await browser.window(playground.url, "ben")
        await ben.press("Accept")
        await ben.choose("Choose a move", "k1 to l2")
        assert ann.problems == []

It waits for what can be seen, never for time to pass.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.async_api import Browser as Chromium
from playwright.async_api import ConsoleMessage, Error, Locator, Page, async_playwright, expect

from playground.errors import SAFETY_SECONDS

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
)
DESK: Final = (1280, 860)
PHONE: Final = (390, 800)


def chromium_path() -> str | None:
    """Find an installed Chromium."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Window:
    """One window of the chat page, opened as a person.

    Attributes:
        page: the Playwright page, for anything not covered here.
        problems: errors of the page's scripts, console and requests.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", self._fail)

    async def leave(self) -> None:
        """Leave the chat page, and clear its storage."""
        self.page.remove_listener("console", self._hear)
        self.page.remove_listener("pageerror", self._fail)
        await self.page.evaluate("localStorage.clear()")
        await self.page.goto("about:blank")

    def _fail(self, error: Error) -> None:
        self.problems.append(str(error))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)

    # Reading

    @property
    def messages(self) -> Locator:
        """All messages shown, oldest first."""
        return self.page.locator("#messages > .message")

    def message(self, text: str) -> Locator:
        """The newest message with a text."""
        return self.messages.filter(has_text=text).last

    async def sees(self, text: str) -> Locator:
        """Wait for a message with a text."""
        found = self.message(text)
        await expect(found).to_be_visible()
        return found

    async def sees_picture(self, description: str) -> Locator:
        """Wait for a loaded picture with these words in its description."""
        found = self.messages.locator(f'img[alt*="{description}"]').last
        await expect(found).to_be_visible()
        await found.evaluate("picture => picture.decode()")
        return found

    async def width_beyond(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        return int(await self.page.evaluate(script))

    async def picture(self, path: Path) -> None:
        """Save the window's contents as a PNG."""
        await self.page.screenshot(path=path)

    # Doing

    async def go(self, channel: str) -> None:
        """Open a channel, thread or direct message by its name in the list."""
        await self._shows_places()
        drawer = self.page.get_by_role("button", name="Channels", exact=True)
        if await drawer.is_visible():
            await drawer.click()
        names = self.page.locator("#places .place-name").get_by_text(channel, exact=True)
        await names.first.click()
        await expect(self.page.locator("#channel-name")).to_have_text(channel)
        await self._settled()

    async def go_to_match(self, title: str) -> None:
        """Open the thread of Ann and Ben's latest match in a game."""
        await self.go(await self.matches(title).last.text_content() or "")

    def matches(self, title: str) -> Locator:
        """The names of the threads of Ann and Ben's matches in a game, oldest first."""
        names = self.page.locator("#places .place-name")
        return names.filter(has_text=re.compile(f"(Ann vs Ben|Ben vs Ann) · {title} #"))

    async def says(self, text: str) -> None:
        """Write a message."""
        await self.page.locator("#say").fill(text)
        await self.page.keyboard.press("Enter")
        await expect(self.page.locator("#say")).to_have_value("")

    async def slash(self, line: str, **options: Any) -> None:
        """Use a command by typing it, option by option, and wait for its first answer.

        A value is what a person types; if a list offers exactly that, it is picked.
        """
        await self.page.locator("#say").click()
        await self.page.keyboard.type(f"{line} ")
        await expect(self.page.locator(".command-name")).to_have_text(line)
        for name, value in options.items():
            await self.option(name, str(value))
        await self.send()

    async def option(self, name: str, value: str) -> None:
        """Fill one option of the command being typed."""
        field = self.page.locator(f'input[data-option="{name}"]')
        if not await field.count():
            await self.page.locator(".add-option").get_by_text(name, exact=True).click()
        await field.fill("")
        await field.press_sequentially(value)
        if await field.get_attribute("role") != "combobox":
            return
        popup = self.page.locator(".popup:popover-open")
        await expect(popup.locator(".options-status")).not_to_have_text("Loading…")
        offered = popup.get_by_role("option").filter(
            has=self.page.locator(".option-label").get_by_text(value, exact=True)
        )
        if await offered.count():
            await offered.first.click()

    async def send(self) -> None:
        """Send the command being typed, and wait for its first answer."""
        await self.page.locator(".command button.send").click()
        await expect(self.page.locator("#composer-status")).to_have_text("")

    def button(self, label: str, message: Locator | None = None) -> Locator:
        """The newest button with a label, or the one of a message."""
        return (message or self.messages).get_by_role("button", name=label, exact=True).last

    async def press(self, label: str, message: Locator | None = None) -> None:
        """Press the newest button with a label, or the one of a message; wait for the answer."""
        button = self.button(label, message)
        await expect(button).to_be_enabled()
        await button.click()
        await self._answered()

    async def choose(self, menu: str, *labels: str, message: Locator | None = None) -> None:
        """Pick entries of the newest menu with a placeholder; wait for the answer."""
        opener = (message or self.messages).locator(".picker").filter(has_text=menu).last
        await opener.click()
        popup = self.page.locator(".popup:popover-open")
        for label in labels:
            entry = popup.locator(".option-label").get_by_text(label, exact=True)
            await entry.first.click()
        done = popup.get_by_role("button", name="Done")
        if await done.count():
            await done.click()
        await self._answered()

    async def fill_form(self, title: str, values: dict[str, str | Sequence[str]]) -> None:
        """Fill the form with a title, by the labels of its fields, and send it.

        Text goes into text fields; in menus, radios and boxes the labels are picked.
        """
        form = self.page.get_by_role("dialog", name=title)
        await expect(form).to_be_visible()
        for label, value in values.items():
            field = form.locator(".field").filter(
                has=self.page.locator(".field-label").get_by_text(label, exact=False)
            )
            text = field.locator("input[type=text], textarea").first
            if await field.locator(".picker").count():
                await field.locator(".picker").click()
                popup = self.page.locator(".popup:popover-open")
                for one in [value] if isinstance(value, str) else value:
                    await popup.locator(".option-label").get_by_text(one, exact=True).click()
                if await popup.get_by_role("button", name="Done").count():
                    await popup.get_by_role("button", name="Done").click()
            elif await text.count():
                await text.fill(str(value))
            else:
                for one in [value] if isinstance(value, str) else value:
                    await field.get_by_text(one, exact=True).click()
        await form.get_by_role("button", name="Submit").click()
        await expect(form).to_have_count(0)

    async def _answered(self) -> None:
        await expect(self.page.locator('#messages [aria-busy="true"]')).to_have_count(0)

    async def _shows_places(self) -> None:
        await expect(self.page.locator("#places a[aria-current]")).to_have_count(1)

    async def _settled(self) -> None:
        await expect(self.page.locator('#messages[aria-busy="true"]')).to_have_count(0)


class _Kind(NamedTuple):
    """What cannot change while a window is open."""

    touch: bool
    language: str


class Browser:
    """Headless Chromium: opens windows, each with its own storage like another profile.

    A profile takes a second of processor time to open, so those of closed windows are reused.
    """

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._open: list[tuple[_Kind, Window]] = []
        self._free: list[tuple[_Kind, Page]] = []

    async def close_windows(self) -> None:
        """Close all windows, and clear their storage."""
        while self._open:
            kind, window = self._open.pop()
            for page in window.page.context.pages:
                await page.unroute_all(behavior="ignoreErrors")
                if page is not window.page:
                    await page.close()
            try:
                await window.leave()
            except Error:  # it no longer shows a page to leave
                await window.page.context.close()
            else:
                self._free.append((kind, window.page))
        await _forget_requests()

    async def _page(self, kind: _Kind) -> Page:
        for found in self._free:
            if found[0] == kind:
                self._free.remove(found)
                return found[1]
        context = await self._chromium.new_context(
            has_touch=kind.touch, is_mobile=kind.touch, locale=kind.language, timezone_id="UTC"
        )
        context.set_default_timeout(SAFETY_SECONDS * 1000)
        return await context.new_page()

    async def window(
        self,
        url: str,
        person: str | None,
        *,
        channel: str | None = None,
        size: tuple[int, int] = DESK,
        dark: bool = False,
        touch: bool = False,
        language: str = "en-GB",
    ) -> Window:
        """Open the page as a person (``ann``), or at the choice of people if None.

        Args:
            url: where the playground is.
            person: the word after ``?as=``.
            channel: what to open, by name.
            size: of the window, in pixels.
            dark: whether the system prefers dark colours.
            touch: whether it is a phone.
            language: of the browser.
        """
        kind = _Kind(touch, language)
        page = await self._page(kind)
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.emulate_media(color_scheme="dark" if dark else "light")
        window = Window(page)
        self._open.append((kind, window))
        await window.page.goto(url if person is None else f"{url}/?as={person}")
        if person is not None:
            await window._shows_places()
        if channel is not None:
            await window.go(channel)
        return window


async def _forget_requests() -> None:
    """End what Playwright leaves waiting for intercepted requests that a page gave up.

    Collected as garbage, these tasks would be logged, and whichever test runs then be blamed.
    """
    left = [task for task in asyncio.all_tasks() if _name(task) == "Page._on_route"]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def _name(task: asyncio.Task[Any]) -> str:
    return getattr(task.get_coro(), "__qualname__", "")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a headless Chromium.

    Raises:
        RuntimeError: when none is installed; tests ask :func:`chromium_path` first.
    """
    path = chromium_path()
    if path is None:
        raise RuntimeError("No Chromium is installed here.")
    expect.set_options(timeout=SAFETY_SECONDS * 1000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS])
        try:
            yield Browser(browser)
        finally:
            await browser.close()
