"""The rules of tournaments, computed from values alone."""
