"""One folder a game; none knows another, and nobody lists them (see :mod:`engine.registry`)."""
