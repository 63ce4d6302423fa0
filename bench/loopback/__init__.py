"""Programs under load: the real bot and a bare one, each in a process of its own.

`tables` holds the people who press, `program` the processes, `tape` what the bot answered in a
trial, and `bare` a program that knows nothing but to answer the same again.
"""
