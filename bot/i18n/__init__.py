"""Locales, catalogues, and how a phrase is rendered in a language."""
