"""Processes that compute for the bot, so that the event loop never does."""
