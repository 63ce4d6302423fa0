"""Posts: messages that features want in Discord, and the poster that keeps them up to date."""
