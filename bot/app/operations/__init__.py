"""Tools for operators: examine, back up and restore the bot."""
