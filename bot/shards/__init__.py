"""Shards: the connections to Discord, each for a part of all servers, and whose they are."""
