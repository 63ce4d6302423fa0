"""Delivers what is committed to Discord: board messages, notices and direct messages."""
