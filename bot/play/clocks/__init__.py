"""What the clock does to matches: reminders, ends of time, vacations, players who left."""
