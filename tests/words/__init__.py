"""Translations: the catalogues, the commands, and the language each person reads."""
