"""The store: challenges, matches and their logs, results and the outbox, in SQL. Knows no game."""
