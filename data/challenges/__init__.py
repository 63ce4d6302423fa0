"""Challenges and their players."""
