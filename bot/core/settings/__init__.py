"""Server and player settings, and privacy."""
