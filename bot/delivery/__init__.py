"""How boards and words reach Discord: once, in order and in the right place, whatever happens."""
