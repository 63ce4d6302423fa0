"""The suite that every game passes, and a game without its test data fails."""
