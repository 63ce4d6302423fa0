"""The measurements run, and their table is what BENCHMARKS.md shows."""
