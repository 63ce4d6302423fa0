"""Milestones: a player's first win by each rule set, and other memorable feats."""
