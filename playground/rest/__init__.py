"""The REST API, with a module for each group of routes."""
