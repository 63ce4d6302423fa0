"""The queue of computing tasks."""
