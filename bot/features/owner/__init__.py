"""The commands of the bot's owner, in the terminal and in direct messages."""
