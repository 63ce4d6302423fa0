"""Settings of servers and players: their declarations, and how they are stored."""
