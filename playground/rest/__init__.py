"""The REST API: a module for each group of routes."""
