"""What happens as time passes: reminders, ends of time, claims, vacations, players who left."""
