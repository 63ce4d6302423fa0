"""Measurements that anyone can repeat: `python -m bench`. BENCHMARKS.md tells what they mean.

Every module here with a ``run() -> list[Row]`` is a measurement; they are found, not listed.
"""
