"""Several processes of the bot on one PostgreSQL, which die, stop and are replaced while people play.

`python -m tests.cluster` (`make cluster`) runs the full numbers,
`tests/end_to_end/test_cluster.py` a short form.
"""
