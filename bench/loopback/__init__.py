"""Programs under load: the real bot and a bare one, each in its own process.

`tables` holds the people who press, `load` how many of them press how fast, `program` the processes,
`recorded_answers` the bot's answers in a trial, and `bare_bot` a program that only plays those back.
"""
