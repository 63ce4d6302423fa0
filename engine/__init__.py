"""The rules: pure values and functions, without clock, randomness, input or output.

Start with :mod:`engine.game`, the interface every game implements, then look at a folder under
:mod:`engine.games`. :mod:`engine.registry` finds the games, :mod:`engine.replay` replays a log of
notation into a position, :mod:`engine.luck` draws throws that anyone can verify.
"""
