"""SVG boards: well formed whatever is written on them, small, and split by what changes."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from engine.registry import games
from engine.scene import Board, Disc, Ink, Line, Rect, Scene, Sprite, Text, Token
from engine.turning import turned
from render import THEMES
from render.svg import moving_part, static_part, svg, variables
from render.theme import ALL
from tests.render import charts, positions
from tests.render.scenes import scene

SVG: Final = "{http://www.w3.org/2000/svg}"
HOSTILE: Final = "</text><script>alert(1)</script>\"'&amp;<!--]]>\x00\x0b\x1b\ud800\ufffe\uffff"
SHOWN: Final = "</text><script>alert(1)</script>\"'&amp;<!--]]>"
PHONE: Final = 390
FINGER: Final = 44

every_game = pytest.mark.parametrize("slug", games())


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def first(slug: str) -> Scene:
    return positions.played(slug, 0, players=max(games()[slug].players))


def tokens(shown: Scene) -> Iterator[ET.Element]:
    return (use for use in parsed(svg(shown)).iter(f"{SVG}use"))


# ---------------------------------------------------------------- safe


def test_no_text_breaks_out_of_its_element() -> None:
    sprite = Sprite((Text(0, 0, HOSTILE, 0.4, Ink.SEAT_1),))
    board = Board(9, 5, (Text(1, 1, HOSTILE, 0.5, Ink.PAGE_TEXT),), squares=((HOSTILE, 2, 2),))
    label = Text(3, 3, HOSTILE, 0.5, Ink.PAGE_TEXT, room=2, bold=True)
    root = parsed(svg(Scene(board, (Token(sprite, 2, 2),), above=(label,), alt=HOSTILE)))
    assert [one.text for one in root.iter(f"{SVG}text")] == [SHOWN] * 3
    assert [one.text for one in root.iter(f"{SVG}title")] == [SHOWN] * 2
    assert [one.get("data-square") for one in root.iter() if one.get("data-square")] == [SHOWN] * 2
    assert not [one for one in root.iter() if "script" in one.tag]
    assert not [name for one in root.iter() for name in one.attrib if name.startswith("on")]


@pytest.mark.parametrize("words", ["", "\n", "\x00", "a\n\nb", "محمد علي", "नरेन्द्र मोदी", "🔥"])
def test_any_words_are_written(words: str) -> None:
    label = Text(3, 3, words, 0.5, Ink.PAGE_TEXT, room=2)
    root = parsed(svg(Scene(Board(9, 5, ()), (), above=(label,))))
    found = [one.text or "" for one in root.iter(f"{SVG}text")]
    assert "".join(found) == "".join(words.replace("\x00", "").split("\n"))


def test_all_charts_are_well_formed() -> None:
    for shown in charts.SCENES.values():
        assert parsed(svg(shown)).tag == f"{SVG}svg"


def test_the_alt_text_is_the_title() -> None:
    root = parsed(svg(first("tablut")))
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == first("tablut").alt


def test_an_unknown_theme_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        svg(scene(), theme="marble")


def test_what_moves_has_no_style_of_its_own_that_a_strict_page_would_refuse() -> None:
    part = static_part(scene().board)
    assert "style" not in part.board + part.squares + moving_part(scene())


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize("theme", ALL)
def test_every_theme_gives_every_colour(theme: str) -> None:
    given = set(re.findall(r"(--ink-[a-z0-9-]+):", variables(ALL[theme])))
    used = {f"--ink-{ink.name.lower().replace('_', '-')}" for ink in Ink} | {"--ink-grain"}
    assert given == used


@every_game
def test_no_colour_stands_in_a_board_itself(slug: str) -> None:
    for shown in positions.scenes(slug).values():
        part = static_part(shown.board)
        ground = re.sub(r"<defs><pattern.*?</defs>", "", part.board)
        given = variables(THEMES["wood"])
        for text in (ground, part.squares, moving_part(shown)):
            paints = set(re.findall(r'(?:fill|stroke)="([^"]*)"', text))
            assert all(one == "none" or one.startswith(("var(", "url(")) for one in paints)
            assert all(f"{name}:" in given for name in re.findall(r"var\((--ink[^)]*)\)", text))


# ---------------------------------------------------------------- what is sent once


@every_game
def test_a_games_board_is_one_text_throughout(slug: str) -> None:
    most = max(games()[slug].players)
    one, other = (positions.played(slug, turns, players=most) for turns in (0, 9))
    assert static_part(one.board) == static_part(other.board)
    assert static_part(one.board).key != static_part(turned(one, 2).board).key
    part = static_part(one.board)
    assert svg(one).count(part.board) == svg(one).count(part.squares) == 1


@every_game
def test_a_first_board_takes_at_most_10_kilobytes_and_a_turn_4(slug: str) -> None:
    assert len(gzip.compress(svg(first(slug)).encode())) <= 10_000
    for shown in positions.scenes(slug).values():
        assert len(gzip.compress(moving_part(shown).encode())) <= 4_000


# ---------------------------------------------------------------- men


def test_the_first_men_of_tablut_stand_on_their_squares() -> None:
    men: dict[str, set[str]] = {}
    for use in tokens(first("tablut")):
        if seat := use.get("data-seat"):
            men.setdefault(seat, set()).add(use.get("data-square", ""))
    assert men["1"] == {"c5", "d5", "e3", "e4", "e5", "e6", "e7", "f5", "g5"}
    assert len(men["2"]) == 16
    assert {"a4", "a5", "a6", "b5"} < men["2"]
    king, other = (
        next(
            use.get("data-kind")
            for use in tokens(first("tablut"))
            if use.get("data-square") == square and use.get("data-seat")
        )
        for square in ("e5", "e4")
    )
    assert king != other


@every_game
def test_every_token_is_known_by_a_name_of_its_own_and_drawn_once(slug: str) -> None:
    for shown in positions.scenes(slug).values():
        root = parsed(svg(shown))
        looks = [one.get("id") for one in root.iter(f"{SVG}g") if one.get("id")]
        assert len(looks) == len(set(looks))
        found = list(root.iter(f"{SVG}use"))
        assert len(found) == len(shown.tokens)
        assert len({use.get("data-token") for use in found}) == len(found)
        assert {use.get("href") for use in found} == {f"#{look}" for look in looks}
        for use, token in zip(found, shown.tokens, strict=True):
            assert float(use.get("x", "")) == pytest.approx(token.x, abs=0.001)
            assert float(use.get("y", "")) == pytest.approx(token.y, abs=0.001)


def test_only_the_man_who_moves_changes_his_name() -> None:
    shown = scene(3)
    board = replace(shown.board, squares=(("a1", 1.48, 1.48), ("b1", 2.48, 1.48)))
    man, *rest = shown.tokens
    before = replace(shown, board=board, tokens=(replace(man, x=1.48, y=1.48), *rest))
    after = replace(shown, board=board, tokens=(replace(man, x=2.48, y=1.48), *rest))
    named = [{use.get("data-token") or "" for use in tokens(one)} for one in (before, after)]
    (left,), (came,) = named[0] - named[1], named[1] - named[0]
    assert came == "b1" + left.removeprefix("a1")


# ---------------------------------------------------------------- squares


@every_game
def test_each_square_has_a_target_as_large_as_the_board_allows(slug: str) -> None:
    board = first(slug).board
    targets = {
        one.get("data-square"): one
        for one in parsed(svg(first(slug))).iter(f"{SVG}rect")
        if one.get("role") == "button"
    }
    assert set(targets) == {name for name, _, _ in board.squares}
    nearest = min(
        abs(x - other_x) + abs(y - other_y)
        for (_, x, y), (_, other_x, other_y) in combinations(board.squares, 2)
    )
    for name, x, y in board.squares:
        one = targets[name]
        wide, high = (float(one.get(side, "")) for side in ("width", "height"))
        assert wide == high
        assert wide * PHONE / board.width >= min(FINGER, nearest * PHONE / board.width)
        assert float(one.get("x", "")) + wide / 2 == pytest.approx(x, abs=0.002)
        assert float(one.get("y", "")) + high / 2 == pytest.approx(y, abs=0.002)
        assert (float(one.get("data-x", "")), float(one.get("data-y", ""))) == pytest.approx(
            (x, y), abs=0.002
        )
        assert one.get("tabindex") == "-1"


# ---------------------------------------------------------------- shapes


def test_edges_lie_inside_rectangles_and_circles() -> None:
    below = (
        Rect(1, 1, 2, 1, Ink.PANEL, Ink.CHOICE, 0.1, 0.2),
        Disc(4, 4, 1, edge=Ink.LAST, edge_width=0.5),
    )
    text = moving_part(Scene(Board(9, 9, ()), (), below=below))
    assert '<rect x="1.05" y="1.05" width="1.9" height="0.9" rx="0.15"' in text
    assert '<circle cx="4" cy="4" r="0.75" fill="none"' in text


def test_a_figure_is_never_written_with_an_exponent_or_a_negative_zero() -> None:
    line = Line(((-0.0001, 1e-9), (0.1 + 0.2, 100)), Ink.LAST, 0.1)
    assert 'points="0,0 0.3,100"' in moving_part(Scene(Board(9, 9, ()), (), below=(line,)))
