"""One package per game with a fast board; `ai.position.fast` finds them."""
