"""Shards: the connections to Discord, each for part of the servers, and their owners."""
