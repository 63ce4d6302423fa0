"""Tests of bot/core/i18n/."""
