"""Builds the services of the bot, by feature. `bot.app.wiring.app` calls these modules in order."""
