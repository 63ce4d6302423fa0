"""Delivers committed changes to Discord: board messages, notices and direct messages."""
