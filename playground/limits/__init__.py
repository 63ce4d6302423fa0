"""Discord's limits, including those missing from its OpenAPI document.

Every request is checked. Requests that Discord refuses are refused in the same way: 400, code 50035
and a tree of field errors. What Discord ignores but must be a mistake (an unknown key, a file that
no component shows) is accepted. Tests find both in ``Playground.violations``.
"""
