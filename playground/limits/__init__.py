"""Discord's limits, written by hand: what its own description does not hold, and the rest too.

Every request is checked, always. What Discord refuses is refused the same way, with 400, code
50035 and a tree of field errors; what it tolerates in silence but nobody can have meant (a key
that it does not know, a picture that nothing shows) is let through. Both are recorded in
``Playground.violations``, so a test can assert that there were none.
"""
