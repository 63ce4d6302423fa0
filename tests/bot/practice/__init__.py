"""Computers that play: real processes, killed and replaced."""
