"""Fast boards."""
