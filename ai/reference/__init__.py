"""A textbook opponent, by which the levels are measured from outside.

It shares nothing with the levels but the fast boards: no evaluation, nothing learnt, no ordering.
"""
