"""Players who chose a language in the bot still see commands as their Discord client lists them."""

from __future__ import annotations

from functools import partial

import pytest

from bot.core.i18n.catalogues import ENGLISH, folders, read
from bot.core.i18n.locales import ClientCommands
from bot.core.i18n.mentions import slash
from bot.play.matches.match_text import option_words, options_line
from engine import registry
from engine.phrase import say, translated

SPOKEN = read(folders())
UNBLOCK = "You haven't blocked anyone. `/block` stops someone from challenging you."


def test_a_german_text_names_commands_in_the_clients_english() -> None:
    mixed = ClientCommands(SPOKEN["de"], ENGLISH)
    assert mixed.gettext(UNBLOCK).startswith("Du hast niemanden blockiert.")
    assert "`/block`" in mixed.gettext(UNBLOCK)
    assert (
        say("Check the throws: {command}", command=slash("match", "verify"))
        .into(mixed)
        .endswith("/match verify")
    )


def test_an_english_text_names_commands_in_the_clients_german() -> None:
    mixed = ClientCommands(ENGLISH, SPOKEN["de"])
    text = mixed.gettext(UNBLOCK)
    assert text.startswith("You haven't blocked anyone.")
    assert f"`/{SPOKEN['de'].pgettext('command', 'block')}`" in text
    assert "`/block`" not in text


def test_what_a_match_is_played_by_is_told_in_the_language_of_the_words() -> None:
    game = registry.game("tablan")
    (rules,) = [one for one in game.options if one.name == "rules"]
    told = partial(translated, option_words(rules, "bell"))
    assert told(ClientCommands(SPOKEN["de"], ENGLISH)) == told(SPOKEN["de"]) != told(ENGLISH)
    assert told(ClientCommands(ENGLISH, SPOKEN["de"])) == told(ENGLISH)
    line = options_line(game, game.settle({"rules": "bell"}))
    mixed = translated(line, ClientCommands(SPOKEN["sv"], SPOKEN["fr"]))
    assert mixed == translated(line, SPOKEN["sv"])


@pytest.mark.parametrize("words", sorted(SPOKEN))
@pytest.mark.parametrize("client", sorted(SPOKEN))
def test_options_and_values_keep_their_place(words: str, client: str) -> None:
    template = (
        "The channel of your {game} game against {opponents} was deleted. Nothing is lost. To go "
        "on, type `/match relocate number:{number}` in another channel of that server."
    )
    text = ClientCommands(SPOKEN[words], SPOKEN[client]).gettext(template)
    named = SPOKEN[client].pgettext("command", "relocate")
    assert f" {named} {SPOKEN[client].pgettext('option', 'number')}:{{number}}`" in text
