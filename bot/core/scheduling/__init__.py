"""Deadlines, reminders, vacations and quiet hours."""
