"""Computer opponents and what can be said about a game afterwards.

`ai.opponents` is the door for choosing a move, `ai.analysis` the one for looking back. Both take
and return plain data, so that they can run in a process of their own.
"""
