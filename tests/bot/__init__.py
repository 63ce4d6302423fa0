"""The bot without Discord: settings, logs, words and use cases over a real SQLite file."""
