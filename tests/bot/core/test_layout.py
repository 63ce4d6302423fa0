"""Messages: every text is rendered in its language and fits Discord's limits; lists have pages."""

from __future__ import annotations

import json
from typing import Any

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.components import (
    USER_SELECT,
    Component,
    action_row,
    button,
    option,
    picture,
    select,
    string_select,
    text_display,
    text_input,
)
from bot.core.interactions.controls import Form
from bot.core.interactions.layout import Layout, Page
from bot.core.interactions.views import Modal
from bot.features.challenges.block_commands import BlockedButton
from engine.phrase import Tongue, lines, say
from tests.pseudolocale import PseudoLocale


def parts() -> list[Component]:
    """Return one of every kind of component with text, each with its own phrase."""
    return [
        text_display(lines([say("A text about {move}", move=say("a move")), say("Another line")])),
        picture("b.png", say("A picture")),
        action_row(button("x", say("A button"))),
        action_row(
            string_select(
                "y",
                [option(say("A choice"), "v", say("What it does"))],
                placeholder=say("A menu"),
            )
        ),
        action_row(select(USER_SELECT, "z", say("A menu of people"))),
    ]


SAID = (
    "A text about ⟧⟦a move⟧⟦",
    "Another line",
    "A picture",
    "A button",
    "A menu",
    "A choice",
    "What it does",
    "A menu of people",
)


def sent(message: Layout, locale: Tongue) -> str:
    """Return what would be sent to Discord."""
    return json.dumps(message.rendered(locale), ensure_ascii=False)


def test_every_kind_of_component_is_in_the_messages_language() -> None:
    foreign = sent(Layout(*parts()), PseudoLocale())

    for words in SAID:
        assert f"⟦{words}⟧" in foreign
        assert foreign.count(words) == SAID.count(words) + sum(
            words in other for other in SAID if other != words
        )


def test_without_a_language_everything_is_in_english() -> None:
    english = sent(Layout(*parts()), ENGLISH)

    for words in SAID[1:]:
        assert words in english
    assert "A text about a move" in english
    assert "⟦" not in english


def test_a_message_can_be_rendered_twice() -> None:
    message = Layout(*parts())

    assert sent(message, PseudoLocale()) == sent(message, PseudoLocale())
    assert "⟦" not in sent(message, ENGLISH)


class QuestionForm(Form, prefix="test-question"):
    """A form for this test."""


def test_forms_are_translated_too() -> None:
    form = QuestionForm().modal(
        say("A form"),
        text_input(
            "answer",
            say("A question"),
            description=say("An explanation"),
            placeholder=say("An example"),
            max_length=10,
        ),
    )
    filled = json.dumps(Modal(form, PseudoLocale()).to_dict(), ensure_ascii=False)

    for words in ("A form", "A question", "An explanation", "An example"):
        assert f"⟦{words}⟧" in filled


class Verbose(PseudoLocale):
    """A language that needs many more words for everything."""

    def gettext(self, message: str) -> str:
        """Return the template, thirty times."""
        return " ".join([message] * 30)


def test_translations_that_are_too_long_are_cut_between_words() -> None:
    (container,) = rendered(Layout(*parts()), Verbose())
    gallery = next(part for part in container["components"] if part["type"] == 12)
    rows = [part["components"][0] for part in container["components"] if part["type"] == 1]
    button, menu = rows[:2]
    (option,) = menu["options"]

    for words, most in (
        (button["label"], 80),
        (menu["placeholder"], 150),
        (option["label"], 100),
        (option["description"], 100),
    ):
        assert most - 15 < len(words) <= most
        assert words.endswith("…")
    assert len(gallery["items"][0]["description"]) == len("A picture") * 30 + 29


def test_all_texts_of_a_message_together_stay_below_four_thousand_characters() -> None:
    long = say("{story}", story="a b c " * 700)
    (container,) = rendered(
        Layout(text_display(long), text_display(say("Your turn"))), PseudoLocale()
    )
    texts = [part["content"] for part in container["components"]]

    assert 3900 < sum(map(len, texts)) <= 4000
    assert texts[1] == "⟦Your turn⟧"


def rendered(message: Layout, locale: Tongue) -> list[dict[str, Any]]:
    """Return the components as Discord would receive them."""
    return message.rendered(locale)


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
