"""Notes that players write to themselves about their matches."""
