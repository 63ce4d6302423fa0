"""Discord's limits, including those missing from its OpenAPI document.

Every request is checked. What Discord refuses is refused in the same way: 400, code 50035 and a
tree of field errors. What it ignores but nobody can have meant (an unknown key, a file that no
component shows) is accepted. Tests find both in ``Playground.violations``.
"""
