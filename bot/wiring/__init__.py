"""Builds the services of the bot, by feature. `bot.app` calls these modules in order."""
