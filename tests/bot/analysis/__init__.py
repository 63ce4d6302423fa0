"""Analyses without Discord."""
