"""Every text of a message is said in its language, and Discord's limits hold afterwards."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import ui

from bot.i18n.catalogues import ENGLISH
from bot.interactions.layouts import Form, Message, text
from engine.phrase import Tongue, lines, say
from tests.pseudolocale import PseudoLocale


def parts() -> list[ui.Item[Any]]:
    """Return one of every kind of component that has words, each a phrase of its own."""
    return [
        ui.TextDisplay(
            lines([say("A text about {move}", move=say("a move")), say("Another line")])
        ),
        ui.Section(
            say("A section"),
            accessory=ui.Thumbnail("attachment://a.png", description=say("A thumbnail")),
        ),
        ui.Section(say("A second section"), accessory=ui.Button(label=say("A button beside"))),
        ui.MediaGallery(
            discord.MediaGalleryItem("attachment://b.png", description=say("A picture"))
        ),
        ui.ActionRow(ui.Button(label=say("A button"), custom_id="x")),
        ui.ActionRow(
            ui.Select(
                placeholder=say("A menu"),
                options=[
                    discord.SelectOption(
                        label=say("A choice"), value="v", description=say("What it does")
                    )
                ],
            )
        ),
        ui.ActionRow(ui.UserSelect(placeholder=say("A menu of people"))),
    ]


SAID = (
    "A text about ⟧⟦a move⟧⟦",
    "Another line",
    "A section",
    "A thumbnail",
    "A second section",
    "A button beside",
    "A picture",
    "A button",
    "A menu",
    "A choice",
    "What it does",
    "A menu of people",
)


def sent(message: Message, tongue: Tongue) -> str:
    """Return what Discord would be sent."""
    message.tongue = tongue
    return json.dumps(message.to_components(), ensure_ascii=False)


def test_every_kind_of_component_is_said_in_the_language_of_the_message() -> None:
    foreign = sent(Message(*parts()), PseudoLocale())

    for words in SAID:
        assert f"⟦{words}⟧" in foreign
        assert foreign.count(words) == SAID.count(words) + sum(
            words in other for other in SAID if other != words
        )


def test_without_a_language_everything_is_english() -> None:
    english = json.dumps(Message(*parts()).to_components())

    for words in SAID[1:]:
        assert words in english
    assert "A text about a move" in english
    assert "⟦" not in english


def test_a_message_may_be_said_twice() -> None:
    message = Message(*parts())

    assert sent(message, PseudoLocale()) == sent(message, PseudoLocale())
    assert "⟦" not in sent(message, ENGLISH)


def test_the_words_of_a_form_are_said_too() -> None:
    form = Form(title=say("A form"), custom_id="f")
    form.add_item(
        ui.Label(
            text=say("A question"),
            description=say("An explanation"),
            component=ui.TextInput(placeholder=say("An example")),
        )
    )
    form.tongue = PseudoLocale()
    filled = json.dumps(form.to_dict(), ensure_ascii=False)

    for words in ("A form", "A question", "An explanation", "An example"):
        assert f"⟦{words}⟧" in filled


class Verbose(PseudoLocale):
    """A language in which everything takes many more words."""

    def gettext(self, message: str) -> str:
        """Return the template, thirty times."""
        return " ".join([message] * 30)


def test_what_grows_too_long_in_translation_is_cut_between_words() -> None:
    (container,) = said(Message(*parts()), Verbose())
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


def test_all_texts_together_stay_below_four_thousand_characters() -> None:
    long = say("{story}", story="a b c " * 700)
    message = text(long)
    message.add_item(ui.TextDisplay(say("Your turn")))
    components = said(message, PseudoLocale())
    texts = [components[0]["components"][0]["content"], components[1]["content"]]

    assert 3900 < sum(map(len, texts)) <= 4000
    assert texts[1] == "⟦Your turn⟧"


def said(message: Message, tongue: Tongue) -> list[dict[str, Any]]:
    """Return the components as Discord would get them."""
    message.tongue = tongue
    return message.to_components()
