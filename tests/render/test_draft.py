"""Pictures of what has not been played are tinted and say so, in every game and theme."""

from __future__ import annotations

from typing import Any

import pytest

from bot.core.i18n.catalogues import folders, read
from bot.play.pictures.rendering import BoardStyle
from engine.phrase import say
from engine.registry import games
from engine.scene import Ink, Scene, Text, drawn
from render import THEMES, Painter
from render.draft import labelled
from render.theme import ALL, draft

WORDS = say("Try moves: not played")


def scene(slug: str) -> Scene:
    rules: Any = games()[slug]
    return rules.scene(rules.initial())  # type: ignore[no-any-return]


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("theme", THEMES)
def test_a_draft_differs_round_the_board_and_says_what_it_is(slug: str, theme: str) -> None:
    shown, style = scene(slug), BoardStyle(theme, draft=WORDS)
    tried = style.seen(shown)
    assert WORDS in set(drawn(tried))
    assert tried.board.height > shown.board.height
    assert tried.board.width == shown.board.width
    assert tried.tokens == shown.tokens
    painter = Painter()
    one = painter.png(tried, theme=style.colours, width=400)
    assert one != painter.png(tried, theme=theme, width=400)
    for ink in (Ink.PAGE, Ink.PANEL, Ink.FRAME):
        assert ALL[draft(theme)].colours[ink] != ALL[theme].colours[ink]


def test_the_label_is_in_the_readers_language() -> None:
    german = read(folders())["de"]
    seen = BoardStyle(locale=german, draft=WORDS).seen(scene("tablut"))
    (label,) = [s for s in seen.board.shapes if isinstance(s, Text) and s.ink is Ink.PAGE]
    assert label.text not in {"", str(WORDS)}


def test_painters_know_a_labelled_board_again() -> None:
    shown = scene("tablaaza")
    assert labelled(shown, WORDS).board is labelled(shown, WORDS).board
    assert labelled(shown, "Analysis").board is not labelled(shown, WORDS).board


def test_the_match_itself_is_no_draft() -> None:
    shown = scene("tablan")
    assert BoardStyle().seen(shown).board is shown.board
    assert BoardStyle().colours == "wood"
