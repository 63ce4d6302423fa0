"""Tests of `bot.play.clocks`."""
