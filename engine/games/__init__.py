"""One folder per game; games are independent and not listed (see :mod:`engine.registry`)."""
