"""Several bot processes on one PostgreSQL die, hang and are replaced while people play.

`python -m tests.cluster` (`make cluster`) runs the full numbers, `tests/end_to_end/test_cluster.py`
a short form.
"""
