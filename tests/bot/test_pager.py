"""Paged lists."""

from __future__ import annotations

from bot.core.interactions.layout import Page
from bot.features.challenges.block_commands import BlockedButton


def addresses(page: Page) -> list[str]:
    """Return the custom ids of the buttons below a page."""
    return [button["custom_id"] for button in page.buttons(BlockedButton)]


def test_a_page_shows_its_part_of_the_list_and_buttons_to_its_neighbours() -> None:
    letters = "abcdefg"
    first, middle, last = (Page.of(number, total=len(letters), size=3) for number in range(3))
    assert [first.entries(letters), middle.entries(letters), last.entries(letters)] == [
        "abc",
        "def",
        "g",
    ]
    assert last.numbered(letters) == [(7, "g")]
    assert addresses(first) == ["blocked:1"]
    assert addresses(middle) == ["blocked:0", "blocked:2"]
    assert addresses(last) == ["blocked:1"]


def test_a_list_that_got_shorter_shows_its_last_page() -> None:
    assert Page.of(5, total=6, size=3) == Page(1, 3, more=False)
    assert Page.of(5, total=0, size=3) == Page(0, 3, more=False)
    assert addresses(Page.of(0, total=3, size=3)) == []
