"""What earlier versions left behind: custom IDs and databases.

Messages with old buttons stay in Discord for years, and databases outlive every version. All
later versions must understand them, so from the first tagged release on nothing here is changed or
removed; each release adds to it (`python -m tests.recorded.record`). Until then a changed custom ID
or table is simply recorded again.
"""
