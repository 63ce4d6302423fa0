"""What a match was at each turn, and films of it."""
