"""Programs under load: the real bot and a bare one, each in its own process.

`tables` holds the people who press, `program` the processes, `tape` the bot's answers in a trial,
and `bare` a program that only plays those answers back.
"""
