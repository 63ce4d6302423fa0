"""Measurements that anyone can repeat: `python -m bench`. BENCHMARKS.md tells what they mean."""
