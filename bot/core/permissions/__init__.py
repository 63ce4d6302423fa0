"""Permissions to see, play and post, for people and the bot itself."""
