"""Who may see, play and post where, and what the bot may do there."""
