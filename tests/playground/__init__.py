"""The playground answers the unmodified discord.py as Discord does."""
