"""Reproducible measurements: `python -m bench`. BENCHMARKS.md explains them.

Every module here with a ``run() -> list[Row]`` is a measurement; they are found, not listed.
"""
