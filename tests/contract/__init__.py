"""The suite every game must pass; a game without test data fails."""
