"""How players find each other: challenges, open ones, rematches, and whom one would rather not meet."""
