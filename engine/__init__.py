"""The rules: pure values and functions, no clock, no luck of their own, no input or output.

Start with :mod:`engine.game`, the one interface every game implements; then look at a folder
under :mod:`engine.games`. :mod:`engine.registry` finds the games, :mod:`engine.replay` folds a
log of notation into a position, :mod:`engine.luck` draws throws that anyone can verify.
"""
