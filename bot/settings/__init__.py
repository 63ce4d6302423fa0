"""Settings of servers and players, and privacy."""
