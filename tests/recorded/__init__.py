"""What earlier versions of the program have left behind: addresses of buttons, and databases.

Messages with old buttons stand in Discord for years, and databases outlive every version. What is
recorded here must be understood by every later version, so from the first tagged release on
nothing here is changed or removed; each release adds to it (`python -m tests.recorded.record`).
Until that release a changed address or table is simply recorded afresh.
"""
