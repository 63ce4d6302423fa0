"""Chooses the language of each message.

A private reply is in the language of the player's settings, else of their Discord client; a public
message is in the language of the server's settings, else of the server. The boards of a match against
computers alone are in the language of the one who plays. The fallback is English.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import discord
import structlog
from babel import Locale, UnknownLocaleError
from cachetools import LRUCache
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Place
from discord.app_commands import TranslationContextTypes, locale_str

from bot.core.computers import is_computer
from bot.core.i18n import catalogues
from bot.core.i18n.catalogues import ENGLISH
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from data.matches.match import Match
from data.sql.errors import StoreError
from engine.phrase import Phrase, Tongue, shortened

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ENGLISH = ("en-US", "en-GB")
_CLIENTS: Final = 10_000
"""Players whose client's language is remembered; only interactions reveal it."""
ServerLocale: TypeAlias = Callable[[int], str | None]
"""Returns a server's language according to Discord."""


@dataclass(eq=False, repr=False)
class Locales:
    """All languages, by Discord's names for them (``de``, ``sv-SE``)."""

    settings: SettingsStore
    """What servers and players have chosen."""
    server_locale: ServerLocale
    _languages: Mapping[str, Tongue] = field(
        default_factory=lambda: MappingProxyType({}), init=False
    )
    _named: Mapping[str, str] | None = field(default=None, init=False)
    """The names of all languages, once they were asked for."""
    _mixed: dict[tuple[Tongue, Tongue], Tongue] = field(default_factory=dict, init=False)
    _clients: LRUCache[int, Tongue] = field(default_factory=lambda: LRUCache(_CLIENTS), init=False)

    async def load(self) -> None:
        """Read the catalogues, off the event loop."""
        places = await asyncio.to_thread(catalogues.folders)
        self._languages = await asyncio.to_thread(catalogues.read, places)
        self._named = None

    def add(self, code: str, locale: Tongue) -> None:
        """Add a language, or replace one."""
        self._languages = MappingProxyType({**self._languages, code: locale})
        self._named = None

    def of_locale(self, locale: str | None) -> Tongue:
        """Return the language for a Discord locale, or English."""
        if locale is None or locale in _ENGLISH:
            return ENGLISH
        exact = self._languages.get(locale.replace("-", "_")) or self._languages.get(locale)
        return exact or self._languages.get(locale.split("-", maxsplit=1)[0]) or ENGLISH

    @property
    def languages(self) -> Mapping[str, str]:
        """The available languages, by Discord locale, each named in its own words."""
        if self._named is None:
            spoken = (locale.value for locale in discord.Locale)
            translated = (code for code in spoken if self.of_locale(code) is not ENGLISH)
            self._named = {"en-US": "English", **{code: _own_name(code) for code in translated}}
        return self._named

    async def of_reply(self, interaction: discord.Interaction[Any], *, public: bool) -> Tongue:
        """Return the language of the reply to an interaction, ``public`` if all in its channel see it."""
        self._clients[interaction.user.id] = self.of_locale(interaction.locale.value)
        if public and interaction.guild_id is not None:
            server_locale = interaction.guild_locale
            told_by = None if server_locale is None else server_locale.value
            return self.of_locale(
                await self._chosen(self.settings.server(interaction.guild_id)) or told_by
            )
        return await self.of_reader(interaction.user.id, interaction.locale.value)

    async def of_reader(self, user_id: int, locale: str) -> Tongue:
        """Return the language of what only one person reads, whose client has a locale."""
        client = self._clients[user_id] = self.of_locale(locale)
        chosen = await self._chosen(self.settings.player(user_id))
        if chosen is None or self.of_locale(chosen) is client:
            return client
        pair = (self.of_locale(chosen), client)
        return self._mixed.setdefault(pair, ClientCommands(*pair))

    async def of_guild(self, guild_id: int | None) -> Tongue:
        """Return the language of public messages in a server; English outside servers."""
        if guild_id is None:
            return ENGLISH
        return self.of_locale(
            await self._chosen(self.settings.server(guild_id)) or self.server_locale(guild_id)
        )

    async def of_match(self, match: Match) -> Tongue:
        """Return the language of a match's boards.

        Who plays computers alone gets their own, if it is known. Otherwise it is the server's, and
        outside servers that of its people if they share one, else English.
        """
        people = [p.user_id for p in match.players if not is_computer(p.user_id)]
        if match.guild_id is not None:
            alone = await self._of_player(people[0]) if len(people) == 1 else None
            return alone or await self.of_guild(match.guild_id)
        spoken = {await self.of_player(user_id) for user_id in people}
        return spoken.pop() if len(spoken) == 1 else ENGLISH

    async def of_player(self, user_id: int) -> Tongue:
        """Return the language a player has chosen, else their client's if known, else English."""
        return await self._of_player(user_id) or ENGLISH

    async def _of_player(self, user_id: int) -> Tongue | None:
        chosen = await self._chosen(self.settings.player(user_id))
        return self._clients.get(user_id) if chosen is None else self.of_locale(chosen)

    async def _chosen(
        self, settings: Coroutine[Any, Any, ServerSettings | PlayerSettings]
    ) -> str | None:
        try:
            return (await settings).language
        except StoreError as error:
            # The message about the error needs a language too.
            log.warning("the language of a server or player is unknown", reason=str(error))
            return None


def _own_name(locale: str) -> str:
    try:
        name = Locale.parse(locale.split("-", maxsplit=1)[0]).get_display_name()
    except (UnknownLocaleError, ValueError):
        return locale
    return locale if name is None else name[:1].upper() + name[1:]


_COMMAND: Final = re.compile(r"`/[^`\n]+`")


@dataclass(eq=False, repr=False)
class ClientCommands:
    """A language with the command names of another."""

    words: Tongue
    commands: Tongue

    def gettext(self, message: str, /) -> str:
        """Return a template in the language of the words."""
        return self._renamed(message, self.words.gettext(message))

    def pgettext(self, context: str, message: str, /) -> str:
        """Return a word as used in a context."""
        # The name of a game's option, a word of its own, is what players agreed on: it is no command.
        tongue = self.commands if context == "command" else self.words
        return tongue.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Return the template for a number of things."""
        return self._renamed(one, self.words.ngettext(one, many, n))

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list in words."""
        return self.words.listing(parts, either=either)

    def _renamed(self, english: str, translation: str) -> str:
        for line in _COMMAND.findall(english):
            translation = translation.replace(_named(line, self.words), _named(line, self.commands))
        return translation


def _named(line: str, tongue: Tongue) -> str:
    """Return a command as typed in a language, from its English names."""
    names = []
    for part in line.strip("`/").split(" "):
        name, colon, value = part.partition(":")
        context = "option" if colon else "command"
        names.append(tongue.pgettext(context, name) + colon + value)
    return f"`/{' '.join(names)}`"


_PLACES: Final = {
    Place.command_name: "command",
    Place.group_name: "command",
    Place.parameter_name: "option",
}
_MAX_DESCRIPTION: Final = 100
_MAX_NAME: Final = 32
# Characters Discord allows in a name: letters and digits of any script, and Devanagari marks.
_NAME: Final = re.compile(r"[-_'\w\u0900-\u097f]{1,32}")


class CommandWords(app_commands.Translator):
    """Translates plain names by the kind of thing they name, and everything else as a phrase."""

    def __init__(self, locales: Locales) -> None:
        """Translate into the currently loaded languages."""
        self._languages = {locale: locales.of_locale(locale.value) for locale in discord.Locale}

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a command's text in a language, or ``None`` if it is the same as in English."""
        language = self._languages[locale]
        if language is ENGLISH:
            return None
        english = string.message
        named = _PLACES.get(context.location)
        if isinstance(english, Phrase):
            translation = english.into(language)
        elif named is not None:
            translation = language.pgettext(named, english)
        else:  # discord.py turns phrases without values into plain text
            translation = language.gettext(english)
        if translation == english:
            return None
        if named is None:
            return shortened(translation, _MAX_DESCRIPTION).english
        if isinstance(context.data, app_commands.ContextMenu):
            return translation if len(translation) <= _MAX_NAME else None
        if not is_name(translation):
            log.warning(
                "Discord does not accept a translated name", name=translation, locale=locale.value
            )
            return None
        return translation


def is_name(words: str) -> bool:
    """Return whether Discord accepts words as the name of a command or an option."""
    return _NAME.fullmatch(words) is not None and words == words.lower()
