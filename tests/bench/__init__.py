"""The benchmarks run, and write their table into BENCHMARKS.md."""
