"""Tests of real worker processes, killed and replaced."""
