"""Tests of `bot.play.matches`."""
