"""Processes that share a database, and the shards they own."""
