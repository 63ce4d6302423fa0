"""Long lists in pages, with buttons that turn them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.interactions.components import Component
    from bot.interactions.controls import Button


def page_of(page: int, total: int, size: int) -> tuple[int, int]:
    """Return a page that exists, and how many there are, for ``total`` items of ``size`` a page."""
    pages = max(1, -(-total // size))
    return min(max(page, 0), pages - 1), pages


def turners(page: int, pages: int, button: Callable[[int], Button]) -> list[Component]:
    """Return buttons to the pages before and after one; ``button`` addresses a page."""
    return [
        button(other).component(say("Page {number}", number=other + 1))
        for other in (page - 1, page + 1)
        if 0 <= other < pages
    ]
