"""Help, the welcome, and `/play`."""
