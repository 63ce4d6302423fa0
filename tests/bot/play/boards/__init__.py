"""Tests of `bot.play.boards`."""
