"""What holds for the pictures of all games: they fit the page, a phone and a message."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import registry
from engine.scene import Text
from render import THEMES, Painter
from tests.engine.acts import decisions

GAMES = [
    pytest.param(slug, options, players, id="-".join([slug, str(players), *options.values()]))
    for slug, game in registry.games().items()
    for option in game.options[:1] or [None]
    for options in ([{option.name: one} for one in option.values] if option else [{}])
    for players in game.players
]
every_game = pytest.mark.parametrize(("slug", "options", "players"), GAMES)


@every_game
def test_everything_stays_within_the_page_and_no_texts_overlap(
    slug: str, options: dict[str, str], players: int
) -> None:
    for state, last in decisions(slug, "page", options, players):
        scene = registry.game(slug).scene(state, last)
        width, height = scene.board.width, scene.board.height
        assert all(0 < t.x < width and 0 < t.y < height for t in scene.tokens)
        boxes = [_box(s) for s in (*scene.board.shapes, *scene.above) if isinstance(s, Text)]
        for left, top, right, bottom in boxes:
            assert left == right or 0 < left < right < width
            assert 0 < top < bottom < height
        for (l1, t1, r1, b1), (l2, t2, r2, b2) in combinations(boxes, 2):
            assert r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1


def _box(text: Text) -> tuple[float, float, float, float]:
    lines = text.text.split("\n")
    height = len(lines) * text.size
    width = min(max(map(len, lines)) * text.size * 0.56, text.room or float("inf"))
    left = text.x - {"l": 0.0, "m": width / 2, "r": width}[text.anchor[0]]
    return left, text.y - height / 2, left + width, text.y + height / 2


@every_game
def test_letters_and_figures_are_readable_on_a_phone(
    slug: str, options: dict[str, str], players: int
) -> None:
    """At a width of 400 pixels, no text is smaller than 11 pixels."""
    for state, last in decisions(slug, "letters", options, players):
        scene = registry.game(slug).scene(state, last)
        inside = [shape for token in scene.tokens for shape in token.sprite.shapes]
        shapes = (*scene.board.shapes, *scene.above, *inside)
        sizes = [shape.size for shape in shapes if isinstance(shape, Text)]
        assert min(sizes) * int(400 / scene.board.width) >= 11


@every_game
def test_if_space_is_short_the_oldest_moves_are_omitted_but_never_the_position(
    slug: str, options: dict[str, str], players: int
) -> None:
    *_, (state, last) = decisions(slug, "short", options, players, most=60)
    game = registry.game(slug)
    assert last
    alt = game.scene(state, last * 120).alt
    assert 900 < len(alt) <= 1024
    assert alt.startswith(game.scene(state).alt)


SIZES = [
    *(("tablan", {"rules": rules}, 2, 30_000) for rules in ("walker", "bell")),
    ("tablut", {}, 2, 45_000),
    ("tablaaza", {}, 2, 45_000),
    ("thaayam", {}, 2, 33_000),
    ("thaayam", {}, 4, 42_000),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", SIZES)
def test_a_turn_at_1000_pixels_stays_small(
    painter: Painter, theme: str, case: tuple[str, dict[str, str], int, int]
) -> None:
    slug, options, players, most = case
    for number, (state, last) in enumerate(decisions(slug, "sizes", options, players)):
        if number % 20 == 0:
            picture = painter.png(registry.game(slug).scene(state, last), theme=theme, width=1000)
            assert len(picture) <= most
