"""What has its time: moves, reminders, vacations, quiet hours. One task sleeps until the next of it."""
