"""Milestones: the first win by each rule set, and a few more things worth keeping."""
