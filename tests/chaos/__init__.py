"""Kills, faults and presses: whatever happens, each match has one live board at the current turn.

`python -m tests.chaos` (`make chaos`) runs the full numbers, the tests in here a short form.
"""
