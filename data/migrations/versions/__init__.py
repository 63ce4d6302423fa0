"""One module per revision. None imports the current tables: each defines those of its time."""
