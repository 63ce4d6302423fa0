"""Measurements that anybody can repeat: ``python -m bench``, or ``make bench``.

Every module here that has a ``run(*, scale: float = 1.0) -> list[Row]`` is a measurement; they
are found, not listed. At scale 1 its figures can be quoted; a small scale only shows that it
works.
"""
