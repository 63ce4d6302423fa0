"""Matches, their logs, clocks and messages."""
