"""The search for all games: alpha-beta with chance nodes, and max^n."""
