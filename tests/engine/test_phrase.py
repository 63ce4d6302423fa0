"""Phrases that can be translated."""

from __future__ import annotations

import json
import pickle

from engine.phrase import (
    Phrase,
    capital,
    concat,
    lines,
    listed,
    packed,
    plural,
    say,
    shortened,
    translated,
    unpacked,
    word,
)


class Backwards:
    """English spelt backwards, with a plural rule of its own."""

    def gettext(self, message: str) -> str:
        """Reverse a template's words, keeping its placeholders."""
        return " ".join(w if "{" in w else w[::-1] for w in message.split(" "))

    def pgettext(self, context: str, message: str) -> str:
        """Include the context."""
        return f"{message[::-1]}/{context}"

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Use the singular up to three."""
        return self.gettext(one if n <= 3 else many)

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Join with symbols."""
        return ("|" if either else "&").join(parts)


def test_a_phrase_is_english_unless_translated() -> None:
    phrase = say("threw {score}: {move}", score=8, move="e1-l2")
    assert phrase == "threw 8: e1-l2"
    assert isinstance(phrase, Phrase)
    assert hash(phrase) == hash("threw 8: e1-l2")


def test_values_that_are_phrases_are_translated_too() -> None:
    phrase = say("the {seat} man", seat=word("seat", "white"))
    assert phrase == "the white man"
    assert translated(phrase, Backwards()) == "eht etihw/seat nam"


def test_notation_and_names_stay_unchanged() -> None:
    assert translated(say("move {m}", m="a1-b1"), Backwards()) == "evom a1-b1"
    assert translated("a1-b1", Backwards()) == "a1-b1"


def test_each_language_has_its_own_plural() -> None:
    phrase = plural("{n} man", "{n} men", 2)
    assert phrase == "2 men"
    assert translated(phrase, Backwards()) == "2 nam"
    assert plural("{n} man", "{n} men", 1) == "1 man"


def test_lists_end_with_a_conjunction() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"], either=True) == "a, b or c"
    assert translated(listed(["a", say("bc")]), Backwards()) == "a&cb"


def test_joined_phrases_are_each_translated() -> None:
    both = lines([say("one"), concat(say("two"), " · ", "3")])
    assert both == "one\ntwo · 3"
    assert translated(both, Backwards()) == "eno\nowt · 3"


def test_the_first_letter_is_capitalised_after_translation() -> None:
    assert capital(word("seat", "white")) == "White"
    assert translated(capital(say("abc")), Backwards()) == "Cba"


def test_texts_are_shortened_after_translation() -> None:
    assert shortened(say("one two three"), 8) == "one two…"
    assert shortened("short", 8) == "short"
    assert translated(shortened(say("{n} abcdefgh", n=1), 5), Backwards()) == "1…"


def test_a_template_without_values_may_contain_braces() -> None:
    assert say("type {x}") == "type {x}"
    assert translated(say("type {x}"), Backwards()) == "epyt {x}"


def test_a_pickled_phrase_becomes_plain_text() -> None:
    assert pickle.loads(pickle.dumps(say("a {b}", b=1))) == "a 1"


def test_a_packed_phrase_is_translated_as_before() -> None:
    whole = lines(
        [
            say("a {b}, {c}", b=word("seat", "white"), c=3),
            plural("{n} man of {whom}", "{n} men of {whom}", 2, whom=capital(word("seat", "red"))),
            listed(["x", say("y")], either=True),
            shortened(say("some words that are many"), 12),
            "plain",
        ]
    )
    again = unpacked(json.loads(json.dumps(packed(whole))))
    assert again == whole
    assert again.into(Backwards()) == whole.into(Backwards())
    assert unpacked(packed("plain")) == "plain"
