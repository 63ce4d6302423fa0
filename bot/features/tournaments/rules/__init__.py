"""The rules of tournaments: pairings, standings and files, computed from values alone."""
