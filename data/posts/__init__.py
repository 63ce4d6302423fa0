"""Messages wanted in Discord."""
