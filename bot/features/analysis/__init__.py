"""Analysis after a match: what decided it, mistakes and luck."""
