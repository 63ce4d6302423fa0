"""Ladders: permanent rankings that change by challenges."""
