"""Decisions of server managers."""
