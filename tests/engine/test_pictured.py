"""Pictures and their descriptions in other languages."""

from __future__ import annotations

from dataclasses import replace

from engine.description import MAX_DESCRIPTION, described
from engine.phrase import say, translated
from engine.scene import Board, Disc, Ink, Scene, Sprite, Text, Token, drawn, rows
from engine.scene import translated as pictured
from tests.contract.tongue import Marked

TONGUE = Marked()


def text(words: str) -> Text:
    return Text(1, 1, words, 0.5, Ink.PAGE_TEXT)


def scene(words: str) -> Scene:
    sign = Sprite((Disc(0, 0, 1, Ink.PAGE), text(words)))
    return Scene(
        Board(2, 2, (Disc(1, 1, 1, Ink.PAGE), text(words))),
        (Token(sign, 1, 1),),
        (text(words),),
        (text(words),),
        words,
        words,
    )


def test_all_words_of_a_picture_are_translated() -> None:
    assert pictured(scene(say("home")), TONGUE) == scene("⟦home⟧")


def test_a_picture_without_words_stays_unchanged() -> None:
    plain = scene("8")
    other = pictured(plain, TONGUE)
    assert other == plain
    assert other.board.shapes is plain.board.shapes
    assert other.tokens[0] is plain.tokens[0]


def test_a_translated_board_is_the_same_object_each_time() -> None:
    spoken = scene(say("home"))
    assert pictured(spoken, TONGUE).board is pictured(spoken, TONGUE).board
    assert pictured(spoken, Marked()).board is not pictured(spoken, TONGUE).board


def test_text_the_font_cannot_draw_is_drawn_in_english_but_described_in_the_language() -> None:
    spoken = replace(scene(say("home")), above=(text("8"),))
    other = pictured(spoken, TONGUE, str.isascii)
    assert list(drawn(other)) == ["home", "home", "8", "home"]
    assert other.board is spoken.board
    assert (other.alt, other.text) == ("⟦home⟧", "⟦home⟧")
    assert pictured(spoken, TONGUE, lambda words: True) == pictured(spoken, TONGUE)


def test_the_lines_of_a_text_are_centred_on_its_position() -> None:
    above, middle, below = rows(text("a\nb\nc"))
    assert [row.text for row in (above, middle, below)] == ["a", "b", "c"]
    assert middle.y == 1
    assert (above.y, below.y) == (0.475, 1.525)
    assert rows(text("a")) == (text("a"),)


def test_a_description_gives_the_position_first_and_the_last_moves_last() -> None:
    phrase = described([say("White is to throw."), "b"], [say("e1 to l2"), say("b3 to b5")])
    assert phrase == "White is to throw. b Last: e1 to l2; b3 to b5."
    assert translated(phrase, TONGUE) == (
        "⟦White is to throw.⟧ b ⟦Last: ⟧⟦e1 to l2⟧; ⟦b3 to b5⟧⟦.⟧"
    )
    assert described(["a."]) == "a."


def test_a_longer_language_omits_more_of_the_oldest_moves() -> None:
    moves = [say("b3 to b5") for _ in range(200)]
    phrase = described([say("White is to throw.")], [say("a1 to a2"), *moves])
    other = translated(phrase, TONGUE)
    for words in (phrase, other):
        assert MAX_DESCRIPTION - 20 < len(words) <= MAX_DESCRIPTION
        assert "a1" not in words
    assert other.count("b3") < phrase.count("b3") < 200
    assert other.startswith("⟦White is to throw.⟧ ⟦Last: ⟧")


def test_a_position_too_long_in_a_language_is_cut_between_words() -> None:
    phrase = described([say("{n} abc.", n=n) for n in range(120)], [say("b3 to b5")])
    assert len(phrase) <= MAX_DESCRIPTION
    other = translated(phrase, TONGUE)
    assert len(other) <= MAX_DESCRIPTION
    assert other.endswith("…")
