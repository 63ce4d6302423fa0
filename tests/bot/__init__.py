"""The bot without Discord: settings, logs, texts and use cases over a real SQLite file."""
