"""The store: opens, upgrades and examines a database."""
