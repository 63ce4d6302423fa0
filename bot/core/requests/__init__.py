"""How requests to Discord go out, and what to do when they fail."""
