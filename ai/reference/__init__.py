"""A textbook opponent, an independent measure of the levels.

It shares only the fast boards with them: no evaluation, no training, no move ordering.
"""
