"""Computer opponents and analysis.

`ai.opponents` chooses moves, `ai.analysis` analyses finished matches. Both take and return plain
data, so that they can run in a process of their own.
"""
