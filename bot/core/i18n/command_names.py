"""The names of commands, options and choices in each language of Discord."""

from __future__ import annotations

import re
from typing import Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Place
from discord.app_commands import TranslationContextTypes, locale_str

from bot.core.i18n.catalogues import ENGLISH
from bot.core.i18n.locales import Locales
from engine.phrase import Phrase, shortened

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_CONTEXTS: Final = {
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
        named = _CONTEXTS.get(context.location)
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
