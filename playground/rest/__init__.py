"""The REST interface: one module for each family of routes, one desk that all requests pass."""
