"""Commands in every language: names and descriptions that Discord accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bot.core.i18n import catalogues
from bot.core.i18n.locales import CommandWords, Locales, is_name
from bot.core.interactions.tree import offline_tree
from bot.core.settings.service import SettingsStore
from engine import registry
from tests.bot.conftest import Club
from tests.pseudolocale import PseudoLocale
from tests.words.reading import untranslated_words

LANGUAGES = sorted(catalogues.read(catalogues.folders()))


async def payloads(club: Club, locales: Locales | None = None) -> list[dict[str, Any]]:
    """Return all commands as sent to Discord."""
    if locales is None:
        locales = Locales(SettingsStore(club.store, clock=club.clock), lambda _: None)
        await locales.load()
    tree = offline_tree()
    translator = CommandWords(locales)
    return [
        await command.get_translated_payload(tree, translator)
        for command in tree.get_commands(type=None)
    ]


def everything(things: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return commands, their options and choices, at every level."""
    for thing in things:
        yield thing
        yield from everything(thing.get("options") or [])
        yield from thing.get("choices") or []


def siblings(things: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Return the groups of siblings, which must have different names."""
    yield things
    for thing in things:
        yield from siblings(thing.get("options") or [])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_translated_name_is_valid_for_discord(club: Club, language: str) -> None:
    catalogue = catalogues.read(catalogues.folders())[language]
    for thing in everything(await payloads(club)):
        if thing.get("type") in {2, 3} or "value" in thing:  # context menus and choices are free
            continue
        for context in ("command", "option"):
            text = catalogue.pgettext(context, thing["name"])
            assert is_name(text), text


async def test_siblings_have_different_names_in_each_language(club: Club) -> None:
    for together in siblings(await payloads(club)):
        for locale in discord.Locale:
            names = [
                (thing.get("name_localizations") or {}).get(locale.value, thing["name"])
                for thing in together
            ]
            assert len(set(names)) == len(names), names


async def test_names_and_descriptions_are_short_enough_in_each_language(club: Club) -> None:
    for thing in everything(await payloads(club)):
        for words in (thing.get("description_localizations") or {}).values():
            assert 1 <= len(words) <= 100
        for words in (thing.get("name_localizations") or {}).values():
            assert 1 <= len(words) <= (100 if "value" in thing else 32)


async def test_every_description_and_choice_is_in_a_catalogue(club: Club) -> None:
    locales = Locales(SettingsStore(club.store, clock=club.clock), lambda _: None)
    locales.add("ko", PseudoLocale())
    titles = {game.title for game in registry.games().values()}
    left = []
    for thing in everything(await payloads(club, locales)):
        if "description" in thing:
            told = thing.get("description_localizations") or {}
            left += untranslated_words(told.get("ko", thing["description"]))
        elif "value" in thing and thing["name"] not in titles:
            told = thing.get("name_localizations") or {}
            left += untranslated_words(told.get("ko", thing["name"]))

    assert left == []


def test_names_for_discord_are_lower_case_words_in_any_script() -> None:
    assert is_name("herausfordern")
    assert is_name("défier")
    assert is_name("utmana-någon")
    assert is_name("चुनौती")
    for wrong in ("", "Aufgeben", "zwei worte", "x" * 33, "défi!", "¿"):
        assert not is_name(wrong)
