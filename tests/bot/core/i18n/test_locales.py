"""The language depends on the reader."""

from __future__ import annotations

from dataclasses import replace

from bot.core.computers import computers
from bot.core.i18n.catalogues import ENGLISH
from bot.core.i18n.locales import Locales
from bot.core.settings.service import SettingsStore
from data.matches.match import Player
from engine.game import Seat
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.data.people import a_match
from tests.pseudolocale import PseudoLocale

SWEDISH, GERMAN = PseudoLocale(), PseudoLocale()


def locales(club: Club, *, server: str | None = None) -> Locales:
    """Return the bot's languages on a server whose language Discord knows."""
    made = Locales(SettingsStore(club.store, clock=club.clock), lambda _: server)
    made.add("sv", SWEDISH)
    made.add("de", GERMAN)
    return made


async def test_a_discord_locale_finds_its_catalogue_or_english(club: Club) -> None:
    spoken = locales(club)

    assert spoken.of_locale("de") is GERMAN
    assert spoken.of_locale("sv-SE") is SWEDISH
    assert spoken.of_locale("en-US") is ENGLISH
    assert spoken.of_locale("en-GB") is ENGLISH
    assert spoken.of_locale("ja") is ENGLISH
    assert spoken.of_locale("") is ENGLISH
    assert spoken.of_locale(None) is ENGLISH


async def test_languages_are_listed_by_their_own_names(club: Club) -> None:
    assert locales(club).languages == {"en-US": "English", "de": "Deutsch", "sv-SE": "Svenska"}


async def test_public_messages_are_in_the_servers_chosen_language(club: Club) -> None:
    spoken = locales(club, server="sv-SE")
    before = await spoken.of_guild(GUILD)
    await spoken.settings.change_server(GUILD, {"language": "de"}, by=ANN)

    assert before is SWEDISH
    assert await spoken.of_guild(GUILD) is GERMAN
    assert await spoken.of_guild(None) is ENGLISH


async def test_a_server_that_chose_english_gets_english(club: Club) -> None:
    spoken = locales(club, server="sv-SE")
    await spoken.settings.change_server(GUILD, {"language": "en-US"}, by=ANN)

    assert await spoken.of_guild(GUILD) is ENGLISH


async def test_an_unknown_server_gets_english(club: Club) -> None:
    assert await locales(club).of_guild(GUILD) is ENGLISH


async def test_a_player_gets_the_language_they_chose(club: Club) -> None:
    spoken = locales(club)
    await spoken.settings.change_player(ANN, {"language": "de"})

    assert await spoken.of_player(ANN) is GERMAN
    assert await spoken.of_player(BEN) is ENGLISH


async def test_a_match_against_computers_alone_is_in_the_language_of_the_player(club: Club) -> None:
    spoken = locales(club, server="sv-SE")
    one, two = computers(1, 2)
    alone = a_match(guild_id=GUILD, players=(Player(Seat(0), one), Player(Seat(1), ANN)))
    many = (*alone.players, Player(Seat(2), two))
    together = a_match(guild_id=GUILD, players=(*many, Player(Seat(3), BEN)))

    assert await spoken.of_match(alone) is SWEDISH, "nobody knows hers yet"
    await spoken.settings.change_player(ANN, {"language": "de"})
    assert await spoken.of_match(alone) is GERMAN
    assert await spoken.of_match(replace(alone, players=many)) is GERMAN
    assert await spoken.of_match(together) is SWEDISH
    await spoken.settings.change_player(ANN, {"language": "en-US"})
    assert await spoken.of_match(alone) is ENGLISH


async def test_an_unreadable_store_does_not_silence_the_bot(club: Club) -> None:
    spoken = locales(club, server="sv-SE")
    await club.store.close()

    assert await spoken.of_guild(GUILD) is SWEDISH
    assert await spoken.of_player(ANN) is ENGLISH
