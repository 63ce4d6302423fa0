"""Locales, catalogues, and how phrases are rendered in a language."""
