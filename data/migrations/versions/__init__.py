"""One module a revision. They never import the tables of today: each tells its own time."""
