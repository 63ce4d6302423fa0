"""Settings of servers and players on screen, and personal data."""
