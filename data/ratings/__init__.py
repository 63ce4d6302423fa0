"""Results, ratings and leaderboards."""
