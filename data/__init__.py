"""The store: challenges, matches, logs, results and the outbox, in SQL. Independent of any game."""
