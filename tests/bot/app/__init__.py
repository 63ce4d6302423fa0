"""Tests of bot/app/."""
