"""Tests of what runs by the clock."""
